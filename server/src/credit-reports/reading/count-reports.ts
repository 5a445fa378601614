// Counts a tenant's reports by the status that the list shows (docs/decisions/0230-what-a-list-of-reports-says.md). A job has
// counted the older ones, in runs that no longer change; the newest are counted here, and the runs at the ends of a time range.
// A count by reference tells whether a person has reports, so it leaves a row in the audit log, as a list does.
import type { CreditReportCounts, CreditReportCountsQuery, ShownStatus } from '@trefoil/contract';
import type { RingHash } from '../../lib/crypto/hash-ring.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { walkInKeyOrder } from '../../lib/postgres/key-order.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { ReportQueue } from '../dependencies.ts';
import { LIFETIME_US } from '../rules/challenge.ts';
import { shownStatus } from '../rules/shown-status.ts';
import {
  type CountFilter,
  countOfReference,
  countUncounted,
  type StandingCount,
  sumTallies,
  tailIsLonger,
} from './count-store.ts';
import type { Reader } from './read-report.ts';
import { LOWEST_ID, modesOf, timeRangeOf } from './report-range.ts';

export type CountDependencies = {
  readonly database: Database;
  readonly hashReference: RingHash;
  readonly queue: Pick<ReportQueue, 'note'>;
};

/** At the highest usual rate of a tenant, more reports than the job can be behind. */
const TAIL_MAX = 100_000;
/** As for the statement: a reference with more reports is refused. */
const REFERENCE_MAX = 10_000;
const RETRY_AFTER_SECONDS = 60;

const notCountedYet = () =>
  new ServiceError(
    'service-unavailable',
    'The service is still counting older reports. Send the same request again later.',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );

const tooMany = () =>
  new ServiceError('validation-error', 'The query is not valid; details lists what to correct.', {
    details: [
      {
        path: '/query/externalReference',
        message: `More than ${REFERENCE_MAX} reports have this reference: count without it.`,
      },
    ],
  });

const shownAs = ({ status, isFailing, hasExpired }: StandingCount): ShownStatus =>
  shownStatus({
    status,
    failure: isFailing ? 'attempts-used' : null,
    sinceLastSendUs: hasExpired ? LIFETIME_US + 1 : 0,
  });

async function countAll(tx: Tx, tenantId: string, filter: CountFilter): Promise<StandingCount[]> {
  const { counts, lastId, edges } = await sumTallies(tx, tenantId, filter);
  const afterId = lastId ?? LOWEST_ID;
  await walkInKeyOrder(tx);
  if (await tailIsLonger(tx, tenantId, afterId, TAIL_MAX)) throw notCountedYet();
  return [...counts, ...(await countUncounted(tx, tenantId, { filter, afterId, edges }))];
}

export async function countReports(
  { database, hashReference, queue }: CountDependencies,
  { tenantId, id: actor, isTestOnly }: Pick<Reader, 'tenantId' | 'id' | 'isTestOnly'>,
  query: CreditReportCountsQuery,
): Promise<CreditReportCounts> {
  const { externalReference, test } = query;
  const filter = { modes: modesOf(test, isTestOnly), ...timeRangeOf(query) };
  const found = await database.forTenants([tenantId], async (tx) => {
    if (externalReference === undefined) return countAll(tx, tenantId, filter);
    const hashes = hashReference.every(tenantId, externalReference);
    const ofReference = await countOfReference(tx, tenantId, { hashes, filter, limit: REFERENCE_MAX });
    return ofReference ?? Promise.reject(tooMany());
  });
  const counts = { total: 0, complete: 0, 'authentication-required': 0, blocked: 0, failed: 0, 'in-progress': 0 };
  for (const each of found) {
    counts[shownAs(each)] += each.count;
    counts.total += each.count;
  }
  if (externalReference !== undefined) {
    const details = { count: counts.total };
    await queue.note({ tenantId, actor, action: 'report.counted', subjectId: tenantId, details });
  }
  return counts;
}
