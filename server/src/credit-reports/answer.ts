// The public shape of every outcome of a report, whichever operation answers it. An answer can be stored as a reference and
// rendered again.
import type {
  ChallengeSend,
  CreditReportData,
  CreditReportItem,
  GenerateData,
  SubmitOtpData,
  WalletMeta,
} from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { Answer } from '../http/envelope.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import type { Once } from '../idempotency/answer-once.ts';
import type { KeyedRequest } from '../idempotency/claim-keys.ts';
import type { Vault } from '../lib/crypto/vault.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { coverageOf } from './rules/coverage.ts';
import { failureMessage, type PublicFailure, retryMessage } from './rules/failure-message.ts';
import { failureReason } from './rules/failure-reason.ts';
import { type OpenedReport, openReport } from './seal-report.ts';

type WithoutReport<Data> = Data extends unknown ? Omit<Data, 'creditReport'> : never;

/** What may be personal: the answer stored with an idempotency key leaves it out. */
type Unkept = 'creditReport' | 'bureauResults' | 'coverage' | 'externalReference';

/** An answer without its report: small, without personal data, and enough to render the same answer again. */
export type Reference<Data> = {
  readonly wallet?: WalletMeta;
  readonly data: Data extends unknown ? Omit<Data, Unkept> : never;
  readonly reportOf?: string;
};

export type Rendered<Data> = Answer<WithoutReport<Data>> & { readonly isReplay: boolean };

/** `named` holds the parts of the request that are in the path, not in the body. */
export function keyedRequest(
  caller: Caller,
  request: IdempotentRequest | undefined,
  named: { readonly creditReportId?: string } = {},
): KeyedRequest | undefined {
  const { tenantId, id: callerId } = caller;
  return request && { ...request, tenantId, callerId, body: { ...request.body, ...named } };
}

/** The outcome as the caller may see it, before it gets the shape of one operation. */
export type PublicOutcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'challenge'; readonly challengeId: string }
  | { readonly kind: 'blocked' }
  | ({ readonly kind: 'failed' } & PublicFailure);

type PublicSubmitOutcome =
  | Extract<PublicOutcome, { kind: 'complete' | 'failed' }>
  | { readonly kind: 'retry'; readonly attemptsRemaining: number };

/** Facts about a report that is read again. */
export type ReportFacts = Pick<CreditReportItem, 'test' | 'createdAt' | 'externalReference' | 'costCredits' | 'source'>;

function failed(creditReportId: string, failure: PublicFailure) {
  const reason = failureReason(failure.failure, failure.because ?? null);
  return { status: 'failed', creditReportId, errorMessage: failureMessage(failure), failureReason: reason } as const;
}

export function generateData(creditReportId: string, outcome: PublicOutcome): Reference<GenerateData>['data'] {
  switch (outcome.kind) {
    case 'complete':
      return { status: 'complete', challengeType: 'none', creditReportId };
    case 'challenge': {
      const { challengeId } = outcome;
      return { status: 'authentication-required', challengeType: 'otp', creditReportId, challenge: { challengeId } };
    }
    case 'blocked':
      return { status: 'blocked', creditReportId };
    case 'failed':
      return failed(creditReportId, outcome);
    default:
      return unreachable(outcome);
  }
}

export function submitData(creditReportId: string, outcome: PublicSubmitOutcome): Reference<SubmitOtpData>['data'] {
  switch (outcome.kind) {
    case 'complete':
      return { status: 'complete', creditReportId };
    case 'retry': {
      const { attemptsRemaining } = outcome;
      return { status: 'retry', creditReportId, errorMessage: retryMessage(attemptsRemaining), attemptsRemaining };
    }
    case 'failed':
      return failed(creditReportId, outcome);
    default:
      return unreachable(outcome);
  }
}

/** What a read shows of a report: everything except the text of the report itself. */
export type ShownReport =
  | { readonly kind: 'complete'; readonly opened: OpenedReport | undefined }
  | { readonly kind: 'challenge'; readonly challengeId: string; readonly sends: ChallengeSend[] }
  | Extract<PublicOutcome, { kind: 'blocked' | 'failed' }>;

export function reportData(
  creditReportId: string,
  shown: ShownReport,
  facts: ReportFacts,
): Answer<WithoutReport<CreditReportData>> {
  switch (shown.kind) {
    case 'complete': {
      const { opened } = shown;
      if (!opened) return { data: { status: 'complete', creditReportId, ...facts } };
      const data = { status: 'complete', creditReportId, ...reportFields(opened), ...facts } as const;
      return { data, reportText: opened.reportText };
    }
    case 'challenge': {
      const { challengeId, sends } = shown;
      const challenge = { challengeId, sends };
      return { data: { status: 'authentication-required', challengeType: 'otp', creditReportId, challenge, ...facts } };
    }
    case 'blocked':
      return { data: { status: 'blocked', creditReportId, ...facts } };
    case 'failed':
      return { data: { ...failed(creditReportId, shown), ...facts } };
    default:
      return unreachable(shown);
  }
}

/** The fields that accompany a report in every answer: generate, right code, read and replay. */
function reportFields({ bureauResults }: OpenedReport) {
  return { bureauResults: [...bureauResults], coverage: coverageOf(bureauResults) };
}

/** Ends an operation inside its transaction. A refusal is returned, not thrown, so that its counts are committed. */
export async function render<Data extends object>(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  once: Once<Reference<Data>, OpenedReport | undefined>,
): Promise<Rendered<Data> | ServiceError> {
  if (once.kind === 'refused') return once.refusal;
  if (once.kind === 'deferred') throw new Error('a deferred answer cannot be rendered');
  const { reference } = once;
  const opened =
    once.kind === 'replayed' && reference.reportOf
      ? await openReport(tx, vault, tenantId, reference.reportOf)
      : once.kind === 'answered'
        ? once.result
        : undefined;
  return { ...withReport<Data>(reference, opened), isReplay: once.kind === 'replayed' };
}

/** The answer that a reference stands for, with its report if it has one. */
export function withReport<Data>(reference: Reference<Data>, opened: OpenedReport | undefined): Rendered<Data> {
  const { wallet, data, reportOf } = reference;
  const isShown = reportOf !== undefined && opened !== undefined;
  return {
    ...(wallet && { wallet }),
    data: { ...withReason(data), ...(isShown && reportFields(opened)) } as WithoutReport<Data>,
    ...(isShown && { reportText: opened.reportText }),
    isReplay: false,
  };
}

/** A failure that the release before kept with its key says no reason. */
const withReason = (data: object) =>
  'status' in data && data.status === 'failed' && 'errorMessage' in data ? { failureReason: null, ...data } : data;

/** The last step of an answer: a reference may name a consumer, so no stored answer has it. */
export function withReference<Data>(answer: Rendered<Data>, externalReference: string | undefined): Rendered<Data> {
  return externalReference === undefined ? answer : { ...answer, data: { ...answer.data, externalReference } };
}

export function orThrow<T>(outcome: T | ServiceError): T {
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}
