// The outcome of a report as a union that the compiler makes a caller handle. The answer itself says `complete` for a
// person whom no bureau found as well; here that is an outcome of its own, and it has no report to misread.
// Decision: docs/decisions/0160-coverage.md.
import type { components } from './openapi-types.ts';

type Schemas = components['schemas'];
type FailedData = Extract<Schemas['GenerateResponse']['data'], { status: 'failed' }>;
type Reported = {
  readonly creditReportId: string;
  readonly coverage: Schemas['Coverage'];
  readonly bureauResults: readonly Schemas['BureauResult'][];
};

export type Traced = Reported & {
  readonly kind: 'traced' | 'partly-traced';
  readonly creditReport: Schemas['CreditReport'];
};
/** No bureau found the person. There is no `creditReport`: its empty lists would look like a clean file. */
export type NotTraced = Reported & { readonly kind: 'not-traced' };
export type ChallengeOpen = {
  readonly kind: 'authentication-required';
  readonly creditReportId: string;
  readonly challengeId: string;
};
export type Blocked = { readonly kind: 'blocked'; readonly creditReportId: string };
export type Failed = {
  readonly kind: 'failed';
  readonly creditReportId: string;
  readonly errorMessage: string;
  /** Why, for your program. Null in the repeat of an answer of an older release. */
  readonly failureReason: FailedData['failureReason'];
};
/** The code was wrong, and there are attempts left. */
export type WrongCode = {
  readonly kind: 'retry';
  readonly creditReportId: string;
  readonly errorMessage: string;
  readonly attemptsRemaining: number;
};

/** What became of `generate`. */
export type GenerateOutcome = Traced | NotTraced | ChallengeOpen | Blocked | Failed;
/** What became of `submitOtp`. */
export type SubmitOtpOutcome = Traced | NotTraced | WrongCode | Failed;
type Outcome = GenerateOutcome | SubmitOtpOutcome;

/** The outcome of an answer, to `switch` over: in it `not-traced` is a kind of its own. */
export function outcomeOf(answer: Schemas['GenerateResponse']): GenerateOutcome;
export function outcomeOf(answer: Schemas['SubmitOtpResponse']): SubmitOtpOutcome;
export function outcomeOf({ data }: Schemas['GenerateResponse'] | Schemas['SubmitOtpResponse']): Outcome {
  const { creditReportId } = data;
  switch (data.status) {
    case 'complete': {
      const { coverage, bureauResults, creditReport } = data;
      const reported = { creditReportId, coverage, bureauResults };
      return coverage.status === 'not-traced'
        ? { kind: 'not-traced', ...reported }
        : { kind: coverage.status, ...reported, creditReport };
    }
    case 'authentication-required':
      return { kind: data.status, creditReportId, challengeId: data.challenge.challengeId };
    case 'blocked':
      return { kind: data.status, creditReportId };
    case 'retry':
      return {
        kind: data.status,
        creditReportId,
        errorMessage: data.errorMessage,
        attemptsRemaining: data.attemptsRemaining,
      };
    case 'failed':
      // A service of an older release says no reason.
      return {
        kind: data.status,
        creditReportId,
        errorMessage: data.errorMessage,
        failureReason: data.failureReason ?? null,
      };
    default:
      return unreachable(data);
  }
}

/** A function for every kind of outcome: leaving one out does not compile. */
export type Handlers<Each extends Outcome, Result> = {
  readonly [Kind in Each['kind']]: (outcome: Each & { readonly kind: Kind }) => Result;
};

/** Calls the function for the outcome of the answer. Leaving one out does not compile. */
export function match<Result>(answer: Schemas['GenerateResponse'], handlers: Handlers<GenerateOutcome, Result>): Result;
export function match<Result>(
  answer: Schemas['SubmitOtpResponse'],
  handlers: Handlers<SubmitOtpOutcome, Result>,
): Result;
export function match<Result>(
  answer: Schemas['GenerateResponse'] | Schemas['SubmitOtpResponse'],
  handlers: object,
): Result {
  const outcome: Outcome = outcomeOf(answer as Schemas['GenerateResponse']);
  const handler = (handlers as Partial<Record<string, (outcome: Outcome) => Result>>)[outcome.kind];
  if (!handler) return unreachable(outcome as never);
  return handler(outcome);
}

/** For the `default` of a switch over an outcome: the compiler proves that it is not reached. */
export function unreachable(outcome: never): never {
  const { kind, status } = outcome as { kind?: string; status?: string };
  throw new Error(
    `The outcome ${String(kind ?? status)} is not handled. If it is new to you, update @trefoil/sdk: it names every outcome.`,
  );
}
