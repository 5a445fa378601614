// The places of this node: how many reports it works on, how many calls each provider gets at once, and how a busy node
// divides them between tenants (docs/decisions/0140-admission.md).
import { createPlaces, type Places } from '../../lib/limits/places.ts';
import type { Presence } from '../../lib/limits/presence.ts';
import { openWorkLimit, WORK_MAX, type WorkLimit } from '../../lib/limits/work-limit.ts';
import { NODE_PLACE } from './admit-report.ts';

/** How many reports may wait briefly for their places. */
const WAITING_MAX = 256;
/** The same for a tenant that is held back because the node is busy. */
const LIMITED = { perSecond: 20, aloneMs: 1_000, waitingMax: 16, waitMs: 50 };
/** A hanging provider occupies its places for long: a tenant gets half of them, unless it was alone for a minute. */
const HALF_ALONE_MS = 60_000;

export type NodePlaces = {
  readonly places: Places;
  /** From now on the node admits as many reports as its event loop can handle. */
  followLoop(): void;
  close(): void;
};

/** `providerCounts`: for each provider, how many calls may be under way. A provider without a count has no limit. */
export function openPlaces(providerCounts: Readonly<Record<string, number>>, presence: Presence): NodePlaces {
  const counts = { ...providerCounts, [NODE_PLACE]: WORK_MAX };
  let workLimit: WorkLimit | undefined;
  const isLate = () => workLimit?.isLate() ?? false;
  const places = createPlaces({ counts, waitingMax: WAITING_MAX, isAlone: presence.isAlone, isLate });
  for (const [provider, count] of Object.entries(providerCounts)) {
    places.limitGroup(provider, { count: Math.ceil(count / 2), aloneMs: HALF_ALONE_MS });
  }
  return {
    places,
    followLoop() {
      workLimit = openWorkLimit({
        taken: () => places.taken(NODE_PLACE),
        largest: () => places.largest(NODE_PLACE),
        largestShare: presence.largestShare,
        isAlone: () => presence.isAlone(LIMITED.aloneMs),
        resize: (count) => places.resize(NODE_PLACE, count),
        limitGroup: (count) => places.limitGroup(NODE_PLACE, { count, ...LIMITED }),
      });
    },
    close: () => workLimit?.close(),
  };
}
