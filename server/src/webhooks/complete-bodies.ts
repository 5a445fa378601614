// The bodies of deliveries as they are sent: those about a report that failed say why (docs/decisions/0278-reasons-and-references.md).
import { type DescribeReports, describeEvent, type ReportFacts } from '../events/describe-events.ts';
import type { PublicEvent } from '../events/read-events.ts';
import type { Claimed } from './claim-store.ts';

/** What a tenant's endpoints may be told of its reports. */
export type DescribeReportsOf = (tenantId: string) => DescribeReports;
export type Stored = Pick<Claimed, 'tenantId' | 'creditReportId' | 'body'> & { readonly eventType: string };
export type CompleteBody = (delivery: Stored) => Promise<string>;

/** Only these say more than is stored. */
const isAboutFailure = ({ eventType }: Stored) =>
  eventType === 'credit-report.failed' || eventType === 'credit-report.expired';

/** One look for each tenant of a claim, made when its first body is asked for. */
export function completeBodies(describeOf: DescribeReportsOf, claimed: readonly Stored[]): CompleteBody {
  const looks = new Map<string, Promise<ReadonlyMap<string, ReportFacts>>>();

  function look(tenantId: string) {
    const known = looks.get(tenantId);
    if (known) return known;
    const own = claimed.filter((each) => each.tenantId === tenantId && isAboutFailure(each));
    const begun = describeOf(tenantId)([...new Set(own.flatMap(({ creditReportId }) => creditReportId ?? []))]);
    looks.set(tenantId, begun);
    return begun;
  }

  return async (delivery) => {
    const { tenantId, creditReportId, body } = delivery;
    if (creditReportId === null || !isAboutFailure(delivery)) return body;
    const facts = (await look(tenantId)).get(creditReportId);
    return JSON.stringify(describeEvent(JSON.parse(body) as PublicEvent, facts));
  };
}
