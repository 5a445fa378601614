// The console's words for types of events. A total map: a new type of the API does not compile until it has a word here.
import type { Event } from '@trefoil/sdk';

export type EventType = Event['type'];
/** The type of a test, which is no event. */
export const TEST_EVENT = 'webhook.test';

export const EVENT_TYPES: Record<EventType, string> = {
  'credit-report.completed': 'Report complete',
  'credit-report.challenged': 'Code asked for',
  'credit-report.blocked': 'Report blocked',
  'credit-report.failed': 'Report failed',
  'credit-report.expired': 'Code expired',
  'challenge.sent': 'Code sent',
  'challenge.delivered': 'Text delivered',
  'challenge.undelivered': 'Text not delivered',
  'challenge.verified': 'Code verified',
  'wallet.charged': 'Wallet charged',
  'wallet.refunded': 'Wallet refunded',
  'wallet.topped-up': 'Funds added',
  'wallet.adjusted': 'Balance corrected',
  'wallet.low': 'Balance low',
};

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** In the groups in which people look for them. The prefix stands for all its types, also in the API. */
export const EVENT_GROUPS = [
  { prefix: 'credit-report', title: 'Reports' },
  { prefix: 'challenge', title: 'Codes' },
  { prefix: 'wallet', title: 'Wallet' },
].map(({ prefix, title }) => ({ prefix, title, types: TYPES.filter((type) => type.startsWith(`${prefix}.`)) }));

/** A type that this console does not know yet is shown as it is. */
export function eventWords(type: string): string {
  if (type === TEST_EVENT) return 'Test event';
  return Object.hasOwn(EVENT_TYPES, type) ? EVENT_TYPES[type as EventType] : type;
}

/** A type, or the prefix of a group. */
export const isEventFilter = (text: string) =>
  Object.hasOwn(EVENT_TYPES, text) || EVENT_GROUPS.some(({ prefix }) => prefix === text);
