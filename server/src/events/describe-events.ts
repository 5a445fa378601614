// Adds what the outbox does not keep of a report: why it failed, and its reference, which may name a consumer. Both are looked up
// when events are read or sent, so the reference is gone from every event once its report is erased
// (docs/decisions/0278-reasons-and-references.md).
import type { FailureReason } from '@trefoil/contract';
import type { PublicEvent } from './rules/public-event.ts';

export type ReportFacts = {
  /** Null for a report that has not failed. */
  readonly failureReason: FailureReason | null;
  /** Undefined where there is none, or none to show. */
  readonly externalReference: string | undefined;
};

/** What events may say of these reports; one look for all of them. */
export type DescribeReports = (ids: readonly string[]) => Promise<ReadonlyMap<string, ReportFacts>>;

export async function describeEvents(
  describe: DescribeReports,
  events: readonly PublicEvent[],
): Promise<PublicEvent[]> {
  const ids = new Set(events.flatMap(({ data }) => data.creditReportId ?? []));
  const reports = ids.size > 0 ? await describe([...ids]) : undefined;
  return events.map((event) => describeEvent(event, reports?.get(event.data.creditReportId ?? '')));
}

export function describeEvent(event: PublicEvent, facts: ReportFacts | undefined): PublicEvent {
  const { failureReason = null, externalReference } = facts ?? {};
  const isFailed = event.data.status === 'failed';
  if (!isFailed && externalReference === undefined) return event;
  const data = {
    ...event.data,
    ...(isFailed && { failureReason }),
    ...(externalReference !== undefined && { externalReference }),
  };
  return { ...event, data };
}
