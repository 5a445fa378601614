// Erases again what was erased after the backup from which the database was restored, by the receipts that were kept beside the
// backups (docs/operate/backups.md). A receipt that no key of ours signed erases nothing.
import { appendAudit } from '../audit/append-audit.ts';
import { listStates } from '../credit-reports/reading/open-held.ts';
import type { PublishedKey } from '../evidence/verification/published-keys.ts';
import type { Database } from '../lib/postgres/database.ts';
import { listAllTenantIds } from '../tenants/list-tenants.ts';
import { beginErasure, destroyErased, type EraseDependencies } from './erase-subject.ts';
import { type Receipt, type SignedReceipt, verifyReceipt } from './receipt.ts';
import { findErasure, listFinished, updateErasureFinished } from './store.ts';

export type ReplayOutcome =
  | { readonly kind: 'erased-again'; readonly erasureId: string; readonly reports: number }
  /** The database has none of its reports, or has them erased. */
  | { readonly kind: 'nothing-left'; readonly erasureId: string }
  /** A report of it was restored in the middle of its work: jobs end it within minutes, then it can be erased. */
  | { readonly kind: 'running'; readonly erasureId: string }
  | { readonly kind: 'unknown-company'; readonly erasureId: string }
  /** Its signature is good, but a thief of the key could have made it. The operator decides. */
  | { readonly kind: 'revoked-key'; readonly erasureId: string; readonly kid: string }
  | { readonly kind: 'not-signed' };

async function replayOne(
  dependencies: EraseDependencies,
  receipt: Receipt,
  signed: SignedReceipt,
): Promise<ReplayOutcome> {
  const { database } = dependencies;
  const { tenantId, erasureId } = receipt;
  const { states, stored } = await database.forTenants([tenantId], async (tx) => ({
    states: await listStates(tx, tenantId, receipt.creditReportIds),
    stored: await findErasure(tx, tenantId, erasureId),
  }));
  const held = states.filter(({ hasKey }) => hasKey);
  if (states.some(({ isRunning }) => isRunning)) return { kind: 'running', erasureId };
  if (held.length === 0 && stored?.isFinished) return { kind: 'nothing-left', erasureId };
  const ids = states.map(({ id }) => id);
  const erasure = await beginErasure(dependencies, {
    ...{ tenantId, actor: 'operator', id: erasureId, ids, isReplay: true },
  });
  const counts = await destroyErased(dependencies, erasure);
  const text = { receipt: signed.receipt, kid: signed.kid, signature: Buffer.from(signed.signature, 'base64') };
  await database.forTenants([tenantId], async (tx) => {
    // The receipt of the first time: its number of the company's papers stays the same.
    await updateErasureFinished(tx, { tenantId, id: erasureId, counts }, text);
    if (held.length === 0) return;
    const details = { reports: held.length };
    await appendAudit(tx, [
      { tenantId, actor: 'operator', action: 'subject.erased-again', subjectId: erasureId, details },
    ]);
  });
  return held.length === 0
    ? { kind: 'nothing-left', erasureId }
    : { kind: 'erased-again', erasureId, reports: held.length };
}

export type Replay = {
  readonly keys: readonly PublishedKey[];
  /** Revoked keys whose receipts the operator trusts, because nobody else could change the file. */
  readonly acceptedKids: readonly string[];
};

/** Can be repeated: what is erased stays erased. */
export async function replayErasures(
  dependencies: EraseDependencies,
  { keys, acceptedKids }: Replay,
  signed: readonly SignedReceipt[],
): Promise<ReplayOutcome[]> {
  const tenantIds = new Set(await dependencies.database.asSystem(listAllTenantIds));
  const outcomes: ReplayOutcome[] = [];
  for (const each of signed) {
    const { verdict, receipt } = verifyReceipt(each, keys);
    const isAccepted = verdict === 'good' || (verdict === 'revoked-key' && acceptedKids.includes(each.kid));
    if (receipt && verdict === 'revoked-key' && !isAccepted) {
      outcomes.push({ kind: 'revoked-key', erasureId: receipt.erasureId, kid: each.kid });
    } else if (!receipt || !isAccepted) outcomes.push({ kind: 'not-signed' });
    else if (!tenantIds.has(receipt.tenantId)) {
      outcomes.push({ kind: 'unknown-company', erasureId: receipt.erasureId });
    } else outcomes.push(await replayOne(dependencies, receipt, each));
  }
  return outcomes;
}

const AT_A_TIME = 500;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** The receipts of all finished erasures, oldest first: what `replayErasures` takes. */
export async function listReceipts(database: Database, tenantId: string | undefined): Promise<SignedReceipt[]> {
  const receipts: SignedReceipt[] = [];
  for (let afterId = LOWEST_ID; ; ) {
    const page = await database.asSystem((tx) => listFinished(tx, { tenantId, afterId, limit: AT_A_TIME }));
    receipts.push(
      ...page.map(({ receipt, kid, signature }) => ({ receipt, signature: signature.toString('base64'), kid })),
    );
    const last = page.at(-1);
    if (page.length < AT_A_TIME || !last) return receipts;
    afterId = last.id;
  }
}
