// The answer about a report that somebody else has settled, made from its row: after a lost lease, and for everybody
// who waited while one request fetched.
import type { BureauResult, GenerateData, SubmitOtpData } from '@trefoil/contract';
import { answerOnce } from '../idempotency/answer-once.ts';
import { type KeyedRequest, requestInProgress } from '../idempotency/claim-keys.ts';
import type { Tx } from '../lib/sql.ts';
import { findCharge } from '../wallet/find-charge.ts';
import { readBalance } from '../wallet/read-balance.ts';
import { openReport, orThrow, type Reference, type Rendered, render } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { findChallengeId, findReportState, type ReportKey, type ReportState } from './live-store.ts';
import { failureMessage } from './rules/failure-message.ts';

type Found = {
  readonly state: ReportState;
  readonly creditReportId: string;
  readonly challengeId: string | undefined;
  readonly isGenerate: boolean;
};

function describe({ state, creditReportId, challengeId, isGenerate }: Found) {
  switch (state.status) {
    case 'complete':
      return {
        status: 'complete',
        ...(isGenerate && { challengeType: 'none' }),
        creditReportId,
        ...(state.bureauResults && { bureauResults: state.bureauResults as BureauResult[] }),
      };
    case 'failed':
    case 'expired':
      return { status: 'failed', creditReportId, errorMessage: failureMessage(state.failure ?? 'interrupted') };
    case 'blocked':
      return { status: 'blocked', creditReportId };
    case 'challenged':
    case 'fetching':
      // Our own settlement, committed although its connection broke before we heard of it.
      if (isGenerate && challengeId !== undefined) {
        return {
          status: 'authentication-required',
          challengeType: 'otp',
          creditReportId,
          challenge: { challengeId },
        };
      }
      throw requestInProgress();
    case 'pending':
      throw requestInProgress();
  }
}

/** Whoever settled the report has answered its keys too: a later replay gives that answer, so this one must be the same. */
async function findKept<Data extends GenerateData | SubmitOtpData>(
  tx: Tx,
  { vault, hashIdempotency }: ReportDependencies,
  keyed: KeyedRequest,
): Promise<Rendered<Data>> {
  const once = await answerOnce<Reference<Data>, undefined>(tx, hashIdempotency, keyed, () => {
    throw new Error('the key of a request is gone while it is worked on');
  });
  return { ...orThrow(await render<Data>(tx, vault, keyed.tenantId, once)), isReplay: false };
}

/** Throws request-in-progress while nobody has settled it. */
export async function findSettled<Data extends GenerateData | SubmitOtpData>(
  dependencies: ReportDependencies,
  { tenantId, creditReportId }: ReportKey,
  operation: 'generate' | 'submit',
  keyed: KeyedRequest | undefined,
): Promise<Rendered<Data>> {
  const { database, vault } = dependencies;
  return database.forTenants([tenantId], async (tx) => {
    if (keyed) return findKept<Data>(tx, dependencies, keyed);
    const state = await findReportState(tx, { tenantId, creditReportId });
    if (!state) throw new Error('a report that was worked on is gone');
    const isGenerate = operation === 'generate';
    const reportText = state.status === 'complete' ? await openReport(tx, vault, tenantId, creditReportId) : undefined;
    const charge = isGenerate ? await findCharge(tx, tenantId, creditReportId) : undefined;
    const challengeId = isGenerate ? await findChallengeId(tx, tenantId, creditReportId) : undefined;
    return {
      wallet: charge ?? { balance: await readBalance(tx, tenantId), cost: 0 },
      data: describe({ state, creditReportId, challengeId, isGenerate }) as unknown as Rendered<Data>['data'],
      ...(reportText !== undefined && { reportText }),
      isReplay: false,
    };
  });
}
