// Erases what is held of a person in one company and signs a receipt (docs/decisions/0262-erasure-with-a-receipt.md). Five steps in
// transactions of two roles, neither of which may do all of it:
//   1 open the requests, and find rows by hashes of the person   2 as the system role, delete those rows
//   3 note the erasure and withdraw the references             4 as the system role, delete keys and sealed data
//   5 sign, note the receipt and the audit rows
// After step 3 a crash is finished by a job; before it nothing is lost but hashes, and the person is still found.
import { type ErasedSubject, SUBJECT_ERASED_MAX, type SubjectRequest } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import { listSendsOfReports, openHeld } from '../credit-reports/reading/open-held.ts';
import {
  destroyReports,
  type ForgottenTraces,
  findTraces,
  forgetTraces,
  type RequestHashes,
  withdrawReports,
} from '../credit-reports/retention/erase-reports.ts';
import { ServiceError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { isUnavailable } from '../lib/postgres/unavailable.ts';
import { currentScope } from '../lib/request-scope.ts';
import { listLinesOf } from '../wallet/list-entries.ts';
import { type Asker, findMatches } from './find-subject.ts';
import type { IndexDependencies } from './index-reports.ts';
import { KEPT_OTHERS, type Receipt, type ReceiptSigner, receiptText } from './receipt.ts';
import {
  type Erasure,
  type ErasureCounts,
  findErasure,
  insertErasure,
  readClock,
  type SignedText,
  updateErasureFinished,
} from './store.ts';

export type EraseDependencies = IndexDependencies & {
  readonly requestHashes: RequestHashes;
  readonly signer: ReceiptSigner;
};

/** Requests opened in one transaction. */
const OPENED_AT_A_TIME = 40;
const RETRY_SECONDS = 30;

const stillRunning = () =>
  new ServiceError(
    'request-in-progress',
    'A report of this person is in progress or waits for a code, so no report was erased. Send the request again after Retry-After; an open challenge ends within 15 minutes.',
    { retryAfterSeconds: RETRY_SECONDS },
  );

/** A job ends it within two minutes. A second erasure would find nothing and sign that: the operator's list has the receipt. */
const unfinished = (erasureId: string, cause: unknown) =>
  new ServiceError(
    'service-unavailable',
    `The erasure ${erasureId} has begun and will finish within minutes. The operator of this service has its receipt then; the same request again erases only what is left, with a receipt of its own.`,
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );

const isPassing = (error: unknown) =>
  isUnavailable(error) || (error instanceof ServiceError && error.code === 'service-unavailable');

type Chosen = { readonly tenantId: string; readonly ids: readonly string[] };

/** Steps 1 and 2. Only live requests leave such hashes. */
async function forgetHashes(dependencies: EraseDependencies, { tenantId, ids }: Chosen): Promise<ForgottenTraces> {
  const { database, vault, requestHashes, isLossAccepted } = dependencies;
  const sum = { deviceSessions: 0, sightings: 0 };
  for (let at = 0; at < ids.length; at += OPENED_AT_A_TIME) {
    const some = ids.slice(at, at + OPENED_AT_A_TIME);
    const traces = await database.forTenants([tenantId], async (tx) => {
      const held = await openHeld(tx, vault, tenantId, { ids: some, isLossAccepted });
      const live = held.flatMap(({ isTest, request, createdAt }) =>
        isTest || !request ? [] : [{ request, createdAt }],
      );
      return live.length === 0 ? undefined : findTraces(tx, requestHashes, tenantId, live);
    });
    if (!traces) continue;
    const forgotten = await database.asSystem((tx) => forgetTraces(tx, traces));
    sum.deviceSessions += forgotten.deviceSessions;
    sum.sightings += forgotten.sightings;
  }
  return sum;
}

type Beginning = Chosen & { readonly actor: string; readonly id: string; readonly isReplay?: boolean };

/** Steps 1 to 3. Throws, with nothing noted, if one of the reports runs. */
export async function beginErasure(
  dependencies: EraseDependencies,
  { tenantId, actor, id, ids, isReplay = false }: Beginning,
): Promise<Erasure> {
  const forgotten = await forgetHashes(dependencies, { tenantId, ids }).catch((error: unknown) => {
    // After a restore the key of a month may be destroyed for good: its reports must be erased all the same.
    if (isReplay && error instanceof ServiceError) return { deviceSessions: 0, sightings: 0 };
    throw error;
  });
  // From now on every 503 names it, also the one at the deadline.
  const scope = currentScope();
  if (scope) scope.begun = { erasureId: id };
  return dependencies.database.forTenants([tenantId], async (tx) => {
    const { ids: ended, references } = await withdrawReports(tx, tenantId, ids);
    // Every one was found a moment ago, and rows of reports are never deleted.
    if (ended.length < ids.length) throw stillRunning();
    const counts: ErasureCounts = { ...forgotten, references };
    const erasure = { tenantId, id, actor, creditReportIds: ended, counts };
    await insertErasure(tx, erasure);
    return erasure;
  });
}

/** Step 4. It can be repeated. */
export async function destroyErased({ database }: EraseDependencies, erasure: Erasure): Promise<ErasureCounts> {
  const { tenantId, creditReportIds } = erasure;
  if (creditReportIds.length === 0) return { ...erasure.counts, reports: 0, carrierReferences: 0, deliveryReceipts: 0 };
  const destroyed = await database.asSystem((tx) => destroyReports(tx, tenantId, creditReportIds));
  return { ...erasure.counts, ...destroyed };
}

/** Steps 4 and 5. Of two processes that finish the same erasure, one signs; both return its receipt. */
export async function finishErasure(dependencies: EraseDependencies, erasure: Erasure): Promise<SignedText> {
  const { database, signer } = dependencies;
  const { tenantId, id, actor, creditReportIds } = erasure;
  const counts = await destroyErased(dependencies, erasure);
  return database.forTenants([tenantId], async (tx) => {
    const sends = await listSendsOfReports(tx, tenantId, creditReportIds);
    const sources = [...creditReportIds, ...sends.map((send) => send.id)];
    const lines = sources.length > 0 ? await listLinesOf(tx, tenantId, sources) : [];
    const receipt = receiptText({
      type: 'trefoil/erasure/1',
      ...{ issuer: signer.issuer, erasureId: id, tenantId, kid: signer.kid },
      erasedAt: (await readClock(tx)).toISOString(),
      ...{ creditReportIds, erased: counts },
      kept: { statementLines: lines.map(({ seq }) => String(seq)).reverse(), others: KEPT_OTHERS },
    } satisfies Receipt);
    const signed = { receipt, kid: signer.kid, signature: signer.sign(receipt) };
    if (await updateErasureFinished(tx, { tenantId, id, counts }, signed)) {
      const entry = { tenantId, actor };
      await appendAudit(tx, [
        ...creditReportIds.map((subjectId) => ({
          ...{ ...entry, action: 'report.erased' as const, subjectId, details: { erasureId: id } },
        })),
        { ...entry, action: 'subject.erased', subjectId: id, details: { reports: creditReportIds.length } },
      ]);
      return signed;
    }
    const theirs = await findErasure(tx, tenantId, id);
    if (!theirs?.receipt || !theirs.kid || !theirs.signature) throw new Error('a finished erasure has no receipt');
    return { receipt: theirs.receipt, kid: theirs.kid, signature: theirs.signature };
  });
}

/** What a carrier told of a message after its report was erased. */
export async function eraseLate(
  { database }: EraseDependencies,
  { tenantId, creditReportIds }: Erasure,
): Promise<void> {
  await database.forTenants([tenantId], (tx) => withdrawReports(tx, tenantId, creditReportIds));
  await database.asSystem((tx) => destroyReports(tx, tenantId, creditReportIds));
}

export async function eraseSubject(
  dependencies: EraseDependencies,
  asker: Asker,
  subject: SubjectRequest,
  withinMs?: number,
): Promise<ErasedSubject> {
  const { tenantId, actor } = asker;
  const { matches, total } = await findMatches(dependencies, asker, subject, { withinMs });
  if (matches.some(({ isRunning }) => isRunning)) throw stillRunning();
  const ids = matches.slice(0, SUBJECT_ERASED_MAX).map((match) => match.id);
  const erasure = await beginErasure(dependencies, { tenantId, actor, id: newId(), ids });
  const { receipt, kid, signature } = await finishErasure(dependencies, erasure).catch((cause: unknown) => {
    throw isPassing(cause) ? unfinished(erasure.id, cause) : cause;
  });
  return {
    ...{ erasureId: erasure.id, erased: ids.length, remaining: total - ids.length },
    ...{ receipt, signature: signature.toString('base64'), kid },
  };
}
