// Which deliveries a reader asks for, from the text of its filters. Pure.
import { DISORDER_MS } from '../../events/rules/event-filter.ts';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export type DeliveryFilter = {
  /** Undefined: all. */
  readonly state: DeliveryState | undefined;
  /** Null: all. */
  readonly types: readonly string[] | null;
  /** Inclusive and exclusive. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly exceptId: string | null;
};

/** The types behind a list of names with commas; undefined when a name is not a type. */
export function parseTypes(list: string, known: readonly string[]): readonly string[] | undefined {
  const named = list.split(',').map((name) => {
    const wanted = name.trim();
    return known.filter((type) => type === wanted || type.split('.', 1)[0] === wanted);
  });
  return named.every((types) => types.length > 0) ? [...new Set(named.flat())] : undefined;
}

type Delivery = {
  readonly id: string;
  readonly eventType: string;
  readonly state: DeliveryState;
  readonly createdAt: Date;
};

export function fits({ state, types, from, to, exceptId }: DeliveryFilter, delivery: Delivery): boolean {
  const { id, eventType, createdAt } = delivery;
  return (
    (state === undefined || delivery.state === state) &&
    (types === null || types.includes(eventType)) &&
    (from === undefined || createdAt >= from) &&
    (to === undefined || createdAt < to) &&
    id !== exceptId
  );
}

/**
 * Between which instants the ids of these deliveries were made. A node makes an id by its own clock, and the database says when the
 * delivery was stored: this allows for what is between the two.
 */
export function madeBetween({ from, to }: DeliveryFilter): readonly [Date | undefined, Date | undefined] {
  const moved = (at: Date | undefined, ms: number) => at && new Date(at.getTime() + ms);
  return [moved(from, -DISORDER_MS), moved(to, DISORDER_MS)];
}

/** What of an endpoint is not sent for now: everything while it is disabled, but the test message that may enable it. */
export type Halt = { readonly isHalted: boolean; readonly exceptId: string | null };

export const isWaiting = ({ isHalted, exceptId }: Halt, { id, state }: Pick<Delivery, 'id' | 'state'>): boolean =>
  isHalted && state === 'pending' && id !== exceptId;
