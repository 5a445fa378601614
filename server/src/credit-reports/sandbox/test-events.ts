// The events of test mode: the same as live, marked as test, and none about a wallet.
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

/** Nothing is sent, and each message counts as delivered when it is requested. */
export function messageEvents(subject: TestSubject): NewEvent<EventType>[] {
  return [eventOf(subject, 'challenge.sent'), eventOf(subject, 'challenge.delivered')];
}

export const verifiedEvent = (subject: TestSubject) => eventOf(subject, 'challenge.verified');
