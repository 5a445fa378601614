// What is held of a person as a document. The place in the painter's queue comes first: a request without one reads nothing and
// writes no audit row.
import type { ExportSubjectRequest } from '@trefoil/contract';
import type { PaintSubject } from '../documents/paint-subject.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { exportSubject } from './export-subject.ts';
import type { Asker } from './find-subject.ts';
import type { IndexDependencies } from './index-reports.ts';

export type DocumentSurroundings = {
  readonly paintSubject: PaintSubject;
  readonly findTenant: (tx: Tx, tenantId: string) => Promise<{ readonly name: string } | undefined>;
};

export async function exportDocument(
  dependencies: IndexDependencies & DocumentSurroundings,
  asker: Asker,
  asked: ExportSubjectRequest,
): Promise<Buffer> {
  const { database, findTenant, paintSubject, now } = dependencies;
  const { tenantId } = asker;
  return paintSubject(tenantId, async () => {
    const tenant = await database.forTenants([tenantId], (tx) => findTenant(tx, tenantId));
    const exported = await exportSubject(dependencies, asker, asked, { format: 'pdf' });
    if (exported.reports.length === 0) {
      throw new ServiceError(
        'not-found',
        asked.cursor === undefined || exported.total === 0
          ? 'Nothing is held of this person.'
          : 'No report of this person is on this page. Leave cursor out for the first one.',
      );
    }
    // The document shows the report and not each bureau's words: they need not travel to the thread.
    const reports = exported.reports.map((report) => ({ ...report, provenance: null }));
    return { tenantName: tenant?.name ?? '', exported: { ...exported, reports }, preparedAt: now().toISOString() };
  });
}
