// The callers' references of reports, for lists and for the wallet's statement
// (docs/decisions/0170-the-statement-as-a-file.md). A reference is sealed with its request, so each costs two decryptions.
// Only reports with a reference are read, a bounded number at a time, and a few are opened per event-loop tick, with no
// transaction open.
import type { Caller } from '../../http/authenticate.ts';
import { KeyNotAtHand, withKeys } from '../../lib/crypto/key-not-at-hand.ts';
import type { Vault } from '../../lib/crypto/vault.ts';
import { createPace } from '../../lib/limits/pace.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { ReadReferences } from '../../wallet/describe-lines.ts';
import type { ReportQueue } from '../dependencies.ts';
import { maySeeLiveReference, maySeeReference } from '../rules/reader.ts';
import { listReadableReports, listReferencedRequests, type SealedRequest } from './reading-store.ts';

export type ReferenceDependencies = { readonly database: Database; readonly vault: Vault; readonly log: Log };

/** The references of those of these reports that have one and are not erased. The caller decides who may see them. */
export type OpenReferences = (tenantId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** About half a megabyte of sealed requests of usual size. */
const AT_A_TIME = 250;
/** Per event-loop tick, for all readers of this node together: under a millisecond. */
const OPENED_PER_TURN = 20;

export function createReferenceOpener({ database, vault, log }: ReferenceDependencies): OpenReferences {
  const pace = createPace(OPENED_PER_TURN);

  /**
   * Undefined for a row that cannot be opened: one broken row must not keep a company from its statement. A key that is only
   * not in memory says so: to leave its references out would be a wrong answer.
   */
  function open(tenantId: string, { id, sealedRequest, wrapped }: SealedRequest): string | undefined {
    try {
      const dataKey = vault.openDataKey({ tenantId, subjectId: id }, wrapped);
      return (JSON.parse(dataKey.open('request', sealedRequest)) as { externalReference?: string }).externalReference;
    } catch (error) {
      if (error instanceof KeyNotAtHand) throw error;
      log.error('a reference cannot be opened', { tenantId, ...describeError(error) });
      return undefined;
    }
  }

  async function listSealed(tenantId: string, ids: readonly string[]): Promise<SealedRequest[]> {
    return database.forTenants([tenantId], async (tx) => {
      const sealed = await listReferencedRequests(tx, tenantId, ids);
      if (sealed.length === 0) return [];
      const reports = await listReadableReports(
        tx,
        tenantId,
        sealed.map(({ id }) => id),
      );
      const isPurged = new Set(reports.filter((report) => report.isPurged).map(({ id }) => id));
      return sealed.filter(({ id }) => !isPurged.has(id));
    });
  }

  return async (tenantId, ids) => {
    const references = new Map<string, string>();
    for (let at = 0; at < ids.length; at += AT_A_TIME) {
      const sealed = await listSealed(tenantId, ids.slice(at, at + AT_A_TIME));
      await Promise.all(
        sealed.map(async (each) => {
          await pace();
          const reference = await withKeys(() => open(tenantId, each));
          if (reference !== undefined) references.set(each.id, reference);
        }),
      );
    }
    return references;
  };
}

/** For the statement of one caller. */
export function createReferenceReader(openReferences: OpenReferences, queue: Pick<ReportQueue, 'note'>) {
  return ({ tenantId, id: actor, ...reader }: Caller, isTest = false): ReadReferences =>
    async (ids) => {
      if (!(isTest ? maySeeReference(reader) : maySeeLiveReference(reader))) return new Map();
      const references = await openReferences(tenantId, ids);
      // As with reports: the audit row is committed before anything is shown.
      if (references.size > 0) {
        const details = { count: references.size };
        await queue.note({ tenantId, actor, action: 'report.references-read', subjectId: tenantId, details });
      }
      return references;
    };
}
