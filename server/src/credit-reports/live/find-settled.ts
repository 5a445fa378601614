// The answer about a report that another transaction settled, built from its row: after a lost lease, and for requests
// that waited while one request fetched.
import assert from 'node:assert/strict';
import type { GenerateData, SubmitOtpData } from '@trefoil/contract';
import { type KeyedRequest, requestInProgress } from '../../idempotency/claim-keys.ts';
import { findAnswer } from '../../idempotency/find-answer.ts';
import { unreachable } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { findCharge } from '../../wallet/find-charge.ts';
import { readBalance } from '../../wallet/read-balance.ts';
import {
  generateData,
  orThrow,
  type PublicOutcome,
  type Reference,
  type Rendered,
  render,
  submitData,
  withReport,
} from '../answer.ts';
import type { ReportDependencies } from '../dependencies.ts';
import type { Money } from '../rules/failure-message.ts';
import { openReport } from '../seal-report.ts';
import type { ReportKey } from '../store.ts';
import { findChallengeId, findReportState, type ReportState } from './live-store.ts';

/** The row's state as the answer to the request; throws request-in-progress while nothing is decided. */
function outcomeOfState(state: ReportState, money: Money, challengeId: string | undefined): PublicOutcome {
  switch (state.status) {
    case 'complete':
    case 'blocked':
      return { kind: state.status };
    case 'failed':
    case 'expired':
      return { kind: 'failed', failure: state.failure ?? 'interrupted', because: state.because, money };
    case 'challenged':
    case 'fetching':
      // Our own settlement: it was committed, although the connection broke before we received the confirmation.
      if (challengeId === undefined) throw requestInProgress();
      return { kind: 'challenge', challengeId };
    case 'pending':
      throw requestInProgress();
    default:
      return unreachable(state.status);
  }
}

type Found = { readonly state: ReportState; readonly creditReportId: string; readonly challengeId: string | undefined };

function describeGenerate({ state, creditReportId, challengeId }: Found) {
  const money = challengeId === undefined ? 'not-charged' : 'refunded';
  return generateData(creditReportId, outcomeOfState(state, money, challengeId));
}

function describeSubmit({ state, creditReportId }: Found) {
  // A code can only be submitted after the charge.
  const outcome = outcomeOfState(state, 'refunded', undefined);
  assert(
    outcome.kind === 'complete' || outcome.kind === 'failed',
    'a code was submitted for a report without a challenge',
  );
  return submitData(creditReportId, outcome);
}

/**
 * The settlement also stored the answer for its idempotency keys. A later replay returns that answer, so this one must
 * be the same.
 */
async function findKept<Data extends GenerateData | SubmitOtpData>(
  tx: Tx,
  { vault, hashIdempotency }: ReportDependencies,
  keyed: KeyedRequest,
  creditReportId: string,
): Promise<Rendered<Data> | undefined> {
  const answer = await findAnswer(tx, hashIdempotency, keyed, creditReportId);
  if (!answer) return undefined;
  const once = { kind: 'replayed', reference: answer as Reference<Data> } as const;
  return { ...orThrow(await render<Data>(tx, vault, keyed.tenantId, once)), isReplay: false };
}

/** Throws request-in-progress while the report is not settled. */
export async function findSettled<Data extends GenerateData | SubmitOtpData>(
  dependencies: ReportDependencies,
  { tenantId, creditReportId }: ReportKey,
  operation: 'generate' | 'submit',
  keyed: KeyedRequest | undefined,
): Promise<Rendered<Data>> {
  const { database, vault } = dependencies;
  return database.forTenants([tenantId], async (tx) => {
    const kept = keyed && (await findKept<Data>(tx, dependencies, keyed, creditReportId));
    if (kept) return kept;
    const state = await findReportState(tx, { tenantId, creditReportId });
    if (!state) throw new Error('the report of a settlement does not exist');
    const isGenerate = operation === 'generate';
    const opened = state.status === 'complete' ? await openReport(tx, vault, tenantId, creditReportId) : undefined;
    const charge = isGenerate ? await findCharge(tx, tenantId, creditReportId) : undefined;
    const challengeId = isGenerate ? await findChallengeId(tx, tenantId, creditReportId) : undefined;
    const found = { state, creditReportId, challengeId };
    const reference = {
      wallet: charge ?? { balance: await readBalance(tx, tenantId), cost: 0 },
      data: (isGenerate ? describeGenerate(found) : describeSubmit(found)) as Reference<Data>['data'],
      reportOf: creditReportId,
    };
    return withReport(reference, opened);
  });
}
