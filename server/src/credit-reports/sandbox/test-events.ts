// The events of test mode: the same as live, marked as test. Those about the wallet and the ids of messages are only of reports that asked
// for charges.
import { createHash } from 'node:crypto';
import type { TestReceipt } from '@trefoil/contract';
import type { NewEvent } from '../../events/append-events.ts';
import { SENDS_MAX } from '../rules/challenge.ts';
import type { EventType } from '../rules/event-type.ts';
import type { ReportKey } from '../store.ts';

export type TestSubject = ReportKey & { readonly challengeId?: string | undefined };

const eventOf = ({ tenantId, creditReportId, challengeId }: TestSubject, type: EventType): NewEvent<EventType> => ({
  ...{ tenantId, creditReportId, challengeId },
  type,
  subjectId: creditReportId,
  isTest: true,
});

/** With what the report costs after it. */
export function reportEvent(
  subject: TestSubject,
  type: Extract<EventType, `report.${string}`>,
  cost = 0,
): NewEvent<EventType> {
  return { ...eventOf(subject, type), amount: cost };
}

export const moneyEvent = (
  { tenantId, creditReportId }: ReportKey,
  type: Extract<EventType, `wallet.${string}`>,
  amount: number,
): NewEvent<EventType> => ({ ...eventOf({ tenantId, creditReportId }, type), amount });

/** The end of a challenge without a report, with the refund of its charge if there was one. */
export const endEvents = (
  report: ReportKey,
  type: 'report.failed' | 'report.expired',
  refunded: number | undefined,
): NewEvent<EventType>[] => [
  reportEvent(report, type),
  ...(refunded === undefined ? [] : [moneyEvent(report, 'wallet.refunded', refunded)]),
];

/** Test mode has no row of a message. Its id follows from its challenge and its number, so that its events have the same. */
export function messageIdOf(challengeId: string, number: number): string {
  const hex = createHash('sha256').update(`${challengeId} ${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Which message of a challenge has this id, from 1. */
export const messageNumberOf = (challengeId: string, id: string): number | undefined =>
  Array.from({ length: SENDS_MAX }, (_, index) => index + 1).find((number) => messageIdOf(challengeId, number) === id);

/** A message of a report that asked for charges. */
export type ChargedMessage = {
  readonly id: string;
  /** Undefined where it was not charged. */
  readonly credits: number | undefined;
};

function eventsAbout(
  subject: TestSubject,
  types: readonly EventType[],
  message: ChargedMessage | undefined,
): NewEvent<EventType>[] {
  const named = message && { subjectId: message.id };
  const events = types.map((type) => ({ ...eventOf(subject, type), ...named }));
  if (message?.credits === undefined) return events;
  return [...events, { ...eventOf(subject, 'wallet.charged'), ...named, amount: message.credits }];
}

const RECEIPT_EVENTS: Readonly<Record<TestReceipt, readonly EventType[]>> = {
  delivered: ['challenge.delivered'],
  undelivered: ['challenge.undelivered'],
  refused: ['challenge.undelivered'],
  never: [],
};

/** Nothing is sent. The carrier's receipt, as `testOptions.receipt` chooses it, comes at once. */
export const messageEvents = (
  subject: TestSubject,
  receipt: TestReceipt = 'delivered',
  message?: ChargedMessage,
): NewEvent<EventType>[] => eventsAbout(subject, ['challenge.sent', ...RECEIPT_EVENTS[receipt]], message);

/** The right code proves that a message has arrived whose receipt did not come. */
export const provedEvents = (subject: TestSubject, message: ChargedMessage): NewEvent<EventType>[] =>
  eventsAbout(subject, ['challenge.delivered'], message);

export const verifiedEvent = (subject: TestSubject) => eventOf(subject, 'challenge.verified');
