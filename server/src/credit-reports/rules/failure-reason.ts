// Why a report failed, as programs read it (docs/decisions/0230-what-a-list-of-reports-says.md).
import type { FailureReason } from '@trefoil/contract';
import type { Refusal } from './delivery.ts';
import type { Failure } from './settlement.ts';
import { hasExpired, type Standing } from './shown-status.ts';

/** For a report that is shown as failed. Without a stored failure it has expired or, in test mode, used up its attempts. */
export function failureOf(standing: Standing): Failure {
  return standing.failure ?? (hasExpired(standing) ? 'expired' : 'attempts-used');
}

/** The cap across all companies is not told: it would reveal something about others. */
export function failureReason(failure: Failure, because: Refusal | null): FailureReason {
  if (failure !== 'not-deliverable' || because === null || because === 'protection') return failure;
  return because;
}
