// A stored event as the public one. Stored types and columns stay as they are; only this file knows both vocabularies.
import type { Event, EventData, EventType, ShownStatus } from '@trefoil/contract';
import type { StoredType } from './stored-type.ts';

export type PublicEvent = Event;

export type StoredEvent = {
  readonly id: number;
  readonly tenantId: string;
  readonly type: string;
  readonly subjectId: string;
  readonly creditReportId: string | null;
  readonly challengeId: string | null;
  readonly isTest: boolean;
  readonly amount: number | null;
  readonly balance: number | null;
  readonly createdAt: Date;
};

/** With how many events of its tenant there were up to it, in commit order. */
export type NumberedEvent = StoredEvent & { readonly sequence: number };

const PUBLIC_TYPES: Readonly<Record<StoredType, EventType>> = {
  'report.completed': 'credit-report.completed',
  'report.challenged': 'credit-report.challenged',
  'report.blocked': 'credit-report.blocked',
  'report.failed': 'credit-report.failed',
  'report.expired': 'credit-report.expired',
  'challenge.sent': 'challenge.sent',
  'challenge.delivered': 'challenge.delivered',
  'challenge.undelivered': 'challenge.undelivered',
  'challenge.verified': 'challenge.verified',
  'wallet.charged': 'wallet.charged',
  'wallet.refunded': 'wallet.refunded',
  'wallet.topped-up': 'wallet.topped-up',
  'wallet.adjusted': 'wallet.adjusted',
  'wallet.low': 'wallet.low',
};

/** The status that a list of reports shows after the event. */
const STATUSES: Readonly<Record<Extract<StoredType, `report.${string}`>, ShownStatus>> = {
  'report.completed': 'complete',
  'report.challenged': 'authentication-required',
  'report.blocked': 'blocked',
  'report.failed': 'failed',
  'report.expired': 'failed',
};

const isStored = (type: string): type is StoredType => Object.hasOwn(PUBLIC_TYPES, type);

const partOf = (type: EventType) => type.split('.', 1)[0];

/** The stored types behind a public one, or behind all with this part before the dot. */
export function storedTypesOf(name: string): StoredType[] {
  const stored = Object.keys(PUBLIC_TYPES) as StoredType[];
  return stored.filter((type) => PUBLIC_TYPES[type] === name || partOf(PUBLIC_TYPES[type]) === name);
}

/** Without the values that a row does not have. */
function present<T extends object>(data: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) as never;
}

function dataOf(type: StoredType, event: StoredEvent): EventData {
  const { subjectId, creditReportId, challengeId, amount, balance } = event;
  // Where an event is about a message, its subject is the message. In test mode only messages that can be charged have an id; of others it is the report.
  const messageId = subjectId === creditReportId ? null : subjectId;
  switch (type) {
    case 'report.completed':
    case 'report.challenged':
    case 'report.blocked':
    case 'report.failed':
    case 'report.expired':
      return present({ creditReportId, challengeId, status: STATUSES[type], cost: amount });
    case 'challenge.sent':
    case 'challenge.delivered':
    case 'challenge.undelivered':
      return present({ creditReportId, challengeId, messageId });
    case 'challenge.verified':
      return present({ creditReportId, challengeId });
    case 'wallet.charged':
      return present({ creditReportId, messageId, amount: amount === null ? null : 0 - amount });
    case 'wallet.refunded':
      return present({ creditReportId, amount });
    case 'wallet.topped-up':
    case 'wallet.adjusted':
      return present({ amount });
    case 'wallet.low':
      return present({ balance, threshold: amount });
  }
}

type IdOf = (event: StoredEvent) => string;

/**
 * Events about challenges have the challenge, all others have credits. Only 0.1.0, in which nobody could read events, wrote rows
 * without them.
 */
const isWhole = ({ type, challengeId, amount }: StoredEvent) =>
  (type.startsWith('challenge.') ? challengeId : amount) !== null;

/** Undefined for a row that is no public event. */
export function toUnnumberedEvent(event: StoredEvent, idOf: IdOf): Omit<PublicEvent, 'sequence'> | undefined {
  const { type, createdAt, tenantId, isTest } = event;
  if (!isStored(type) || !isWhole(event)) return undefined;
  return {
    id: idOf(event),
    type: PUBLIC_TYPES[type],
    createdAt: createdAt.toISOString(),
    tenantId,
    test: isTest,
    data: dataOf(type, event),
  };
}

/** Undefined for a row that is no public event. */
export function toPublicEvent(event: NumberedEvent, idOf: IdOf): PublicEvent | undefined {
  const shown = toUnnumberedEvent(event, idOf);
  if (!shown) return undefined;
  const { data, ...head } = shown;
  return { ...head, sequence: event.sequence, data };
}
