// The events of test mode: the same as live, marked as test, and none about a wallet.
import type { TestReceipt } from '@trefoil/contract';
import type { NewEvent } from '../../events/append-events.ts';
import type { EventType } from '../rules/event-type.ts';
import type { ReportKey } from '../store.ts';

export type TestSubject = ReportKey & { readonly challengeId?: string | undefined };

const eventOf = ({ tenantId, creditReportId, challengeId }: TestSubject, type: EventType): NewEvent<EventType> => ({
  ...{ tenantId, creditReportId, challengeId },
  type,
  subjectId: creditReportId,
  isTest: true,
});

export function reportEvent(subject: TestSubject, type: Extract<EventType, `report.${string}`>): NewEvent<EventType> {
  return { ...eventOf(subject, type), amount: 0 };
}

const RECEIPT_EVENTS: Readonly<Record<TestReceipt, readonly EventType[]>> = {
  delivered: ['challenge.delivered'],
  undelivered: ['challenge.undelivered'],
  refused: ['challenge.undelivered'],
  never: [],
};

/** Nothing is sent. The carrier's receipt, as `testOptions.receipt` chooses it, comes at once. */
export function messageEvents(subject: TestSubject, receipt: TestReceipt = 'delivered'): NewEvent<EventType>[] {
  return (['challenge.sent', ...RECEIPT_EVENTS[receipt]] as const).map((type) => eventOf(subject, type));
}

export const verifiedEvent = (subject: TestSubject) => eventOf(subject, 'challenge.verified');
