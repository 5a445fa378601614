// Which reports and messages stand behind a report's id or a caller's reference: what the wallet's statement needs to
// filter by them without knowing reports. Made in `app.ts` and handed to the wallet.
import { ServiceError } from '../lib/errors.ts';
import type { KeyedHash } from '../lib/keyed-hash.ts';
import type { Tx } from '../lib/sql.ts';
import type { FindSources } from '../wallet/list-entries.ts';
import { listLiveReportIds, listSendIds } from './reading-store.ts';

/** A reference of more reports than this names nothing; a statement cut short in silence would be wrong. */
const REPORTS_MAX = 10_000;

/** Reports and their messages: whatever of them can be charged. An id that is nobody's simply has no lines. */
export async function listReportSources(
  tx: Tx,
  tenantId: string,
  creditReportIds: readonly string[],
): Promise<readonly string[]> {
  if (creditReportIds.length === 0) return [];
  return [...creditReportIds, ...(await listSendIds(tx, tenantId, creditReportIds)).map(({ id }) => id)];
}

export function createSourceFinder(hashReference: KeyedHash): FindSources {
  return async (tx, tenantId, { creditReportId, externalReference }) => {
    if (externalReference === undefined) {
      return listReportSources(tx, tenantId, creditReportId === undefined ? [] : [creditReportId]);
    }
    const hash = hashReference(tenantId, externalReference);
    const found = await listLiveReportIds(tx, tenantId, hash, REPORTS_MAX + 1);
    if (found.length > REPORTS_MAX) {
      throw new ServiceError('validation-error', 'The query is not valid; details lists what to correct.', {
        details: [
          {
            path: '/query/externalReference',
            message: `More than ${REPORTS_MAX} reports have it: filter by creditReportId, from and to.`,
          },
        ],
      });
    }
    const ids = found.map(({ id }) => id);
    const asked = creditReportId === undefined ? ids : ids.filter((id) => id === creditReportId);
    return listReportSources(tx, tenantId, asked);
  };
}
