// Whether the days of a wallet are counted far enough that a reader can add the rest at once. Right after an upgrade they are not,
// for a wallet with millions of lines: the reader is told so instead of waiting in vain.
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { getUncounted } from './day-store.ts';

/** Read in less than a second. The job is behind by a few thousand at most, and counts this many in half a second. */
const UNCOUNTED_MAX = 100_000;
const RETRY_AFTER_SECONDS = 30;

/** Throws service-unavailable if more lines than that are not counted yet. */
export async function requireCounted(tx: Tx, tenantId: string): Promise<void> {
  if ((await getUncounted(tx, tenantId)) <= UNCOUNTED_MAX) return;
  throw new ServiceError(
    'service-unavailable',
    'The service is still counting older lines of the wallet. Send the same request again later.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
