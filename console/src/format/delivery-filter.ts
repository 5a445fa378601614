// Which deliveries of an endpoint are looked for, as the address of its page says, and as the API asks. Pure.
import type { WebhookDeliveriesQuery, WebhookDelivery } from '@trefoil/sdk';
import { isEventFilter, TEST_EVENT } from './event-words.ts';
import { londonInstant } from './time.ts';
import { DELIVERY_STATES } from './words.ts';

export type DeliveryFilter = {
  readonly state?: WebhookDelivery['state'] | undefined;
  /** A type, the part before its dot, or that of a test. */
  readonly type?: string | undefined;
  /** The id of an event. */
  readonly event?: string | undefined;
  /** On London's clocks, as an input for a time has it. `to` is not part of the time. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

export const isEventId = (text: string) => /^evt_(test_)?[0-9a-f]{16}$/.test(text);

const isMinute = (text: string) => londonInstant(text) !== undefined;

const CHECKS: Readonly<Record<keyof DeliveryFilter, (text: string) => boolean>> = {
  state: (text) => Object.hasOwn(DELIVERY_STATES, text),
  type: (text) => text === TEST_EVENT || isEventFilter(text),
  event: isEventId,
  from: isMinute,
  to: isMinute,
};

/** What of an address is a filter. */
export const readDeliveryFilter = (search: Readonly<Record<string, unknown>>): DeliveryFilter =>
  Object.fromEntries(
    Object.entries(CHECKS).flatMap(([name, isFit]) => {
      const text = search[name];
      return typeof text === 'string' && isFit(text) ? [[name, text]] : [];
    }),
  );

const instantOf = (minute: string | undefined) => (minute === undefined ? undefined : londonInstant(minute));

export function deliveriesQueryOf(filter: DeliveryFilter): WebhookDeliveriesQuery {
  const { state, type, event } = filter;
  const [from, to] = [instantOf(filter.from), instantOf(filter.to)];
  return {
    ...(state && { state }),
    ...(type && { eventType: type }),
    ...(event && { eventId: event }),
    ...(from && { from }),
    ...(to && { to }),
  };
}
