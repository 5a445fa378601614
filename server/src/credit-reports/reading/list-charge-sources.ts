// Finds the reports and messages behind a report's id or a caller's reference, so that the wallet's statement can
// filter by them without knowing reports. `app.ts` creates it and passes it to the wallet.

import type { RingHash } from '../../lib/crypto/hash-ring.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { FindSources } from '../../wallet/list-entries.ts';
import { listReportIds, listSendIds } from './reading-store.ts';

/** A reference with more reports than this is refused: a statement that was silently cut short would be wrong. */
const REPORTS_MAX = 10_000;

/** Reports and their messages: everything of them that can be charged. An unknown id simply has no lines. */
export async function listReportSources(
  tx: Tx,
  tenantId: string,
  creditReportIds: readonly string[],
): Promise<readonly string[]> {
  if (creditReportIds.length === 0) return [];
  return [...creditReportIds, ...(await listSendIds(tx, tenantId, creditReportIds)).map(({ id }) => id)];
}

export function createSourceFinder(hashReference: RingHash): FindSources {
  return async (tx, tenantId, { creditReportId, externalReference, test: isTest = false }) => {
    // The lines of test mode have the report of a message with them.
    const toSources = (ids: readonly string[]) => (isTest ? ids : listReportSources(tx, tenantId, ids));
    if (externalReference === undefined) return toSources(creditReportId === undefined ? [] : [creditReportId]);
    const hashes = hashReference.every(tenantId, externalReference);
    const found = await listReportIds(tx, tenantId, { hashes, isTest }, REPORTS_MAX + 1);
    if (found.length > REPORTS_MAX) {
      throw new ServiceError('validation-error', 'The query is not valid; details lists what to correct.', {
        details: [
          {
            path: '/query/externalReference',
            message: `More than ${REPORTS_MAX} reports have this reference: filter by creditReportId, from and to.`,
          },
        ],
      });
    }
    const ids = found.map(({ id }) => id);
    const asked = creditReportId === undefined ? ids : ids.filter((id) => id === creditReportId);
    return toSources(asked);
  };
}
