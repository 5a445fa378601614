// The OTP challenge as a pure state machine: no clock, no database, no SMS. Times are in microseconds, as the database
// counts them. The interface promises the first three numbers ("Limits"), so none is configurable.
export const LIFETIME_US = 5 * 60_000_000;
export const ATTEMPTS_MAX = 3;
export const SENDS_MAX = 3;
/**
 * How long the completing code returns the report again, and how many other codes end that
 * (docs/decisions/0039-submit-after-complete.md).
 */
export const REPLAY_US = 10 * 60_000_000;
export const LATE_ATTEMPTS_MAX = 3;

export type Challenge = {
  readonly status: 'open' | 'fetching' | 'complete' | 'failed';
  readonly attemptsUsed: number;
  readonly smsSentCount: number;
  readonly sinceLastSendUs: number;
  /** 0 until the challenge is complete. */
  readonly sinceCompletionUs: number;
  readonly lateAttempts: number;
};

export type SubmitOutcome =
  | { kind: 'complete' }
  | { kind: 'retry'; attemptsUsed: number; attemptsRemaining: number }
  | { kind: 'failed'; attemptsUsed: number }
  | { kind: 'expired' }
  /** The right code was submitted and another request fetches the report: this one waits for it. */
  | { kind: 'in-progress' }
  | { kind: 'completed-before' }
  | { kind: 'failed-before' }
  | { kind: 'closed'; lateAttempts: number }
  /** No code is examined any more, right or wrong: the replay's time or attempts are used up. */
  | { kind: 'replay-over' };

/** Strictly more than five minutes: the last instant still counts (docs/decisions/0036-five-minutes.md). */
function isExpired(challenge: Challenge): boolean {
  return challenge.sinceLastSendUs > LIFETIME_US;
}

export function submitCode(challenge: Challenge, codeMatches: boolean): SubmitOutcome {
  if (challenge.status === 'complete' || challenge.status === 'fetching') return submitLate(challenge, codeMatches);
  // A failed challenge is over: the code is not examined, right or wrong.
  if (challenge.status === 'failed') return { kind: 'failed-before' };
  // Expiry comes before the code: a late guess must not use up an attempt.
  if (isExpired(challenge)) return { kind: 'expired' };
  if (codeMatches) return { kind: 'complete' };
  const attemptsUsed = challenge.attemptsUsed + 1;
  const attemptsRemaining = ATTEMPTS_MAX - attemptsUsed;
  return attemptsRemaining > 0 ? { kind: 'retry', attemptsUsed, attemptsRemaining } : { kind: 'failed', attemptsUsed };
}

/** A lost response must not lose a report, and a finished challenge must not allow guessing. */
function submitLate(challenge: Challenge, codeMatches: boolean): SubmitOutcome {
  const { lateAttempts } = challenge;
  const isOver = lateAttempts >= LATE_ATTEMPTS_MAX || challenge.sinceCompletionUs > REPLAY_US;
  if (isOver) return { kind: 'replay-over' };
  if (!codeMatches) return { kind: 'closed', lateAttempts: lateAttempts + 1 };
  return { kind: challenge.status === 'fetching' ? 'in-progress' : 'completed-before' };
}

export type ResendOutcome =
  | { kind: 'sent'; smsSentCount: number; remainingSmsCount: number }
  | { kind: 'closed' }
  | { kind: 'expired' }
  | { kind: 'limit-reached' };

export function resend(challenge: Challenge): ResendOutcome {
  if (challenge.status !== 'open') return { kind: 'closed' };
  if (isExpired(challenge)) return { kind: 'expired' };
  if (challenge.smsSentCount >= SENDS_MAX) return { kind: 'limit-reached' };
  const smsSentCount = challenge.smsSentCount + 1;
  return { kind: 'sent', smsSentCount, remainingSmsCount: SENDS_MAX - smsSentCount };
}
