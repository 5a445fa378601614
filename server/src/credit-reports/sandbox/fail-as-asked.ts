// The errors that a test request asks for with `testOptions.outcome`. The code that makes them in live mode makes them here,
// so that a client rehearses what it will meet (docs/decisions/0284-errors-on-request.md).
import type { TestOutcome } from '@trefoil/contract';
import { stepUpRequired } from '../../http/authenticate.ts';
import { busy, ServiceError, tooLate } from '../../lib/errors.ts';
import { currentScope } from '../../lib/request-scope.ts';

const BEFORE_ANYTHING: Partial<Record<TestOutcome, () => ServiceError>> = {
  'rate-limited': () => new ServiceError('rate-limited', undefined, { retryAfterSeconds: 1 }),
  'step-up-required': stepUpRequired,
  'internal-error': () => asked(new ServiceError('internal-error')),
  'service-unavailable': () => asked(busy()),
};

/** Marks a 5xx, so that the metrics do not count it. */
function asked(fault: ServiceError, begun?: { readonly creditReportId: string }): ServiceError {
  const scope = currentScope();
  if (scope) Object.assign(scope, { isFaultAsked: true, ...(begun && { begun }) });
  return fault;
}

/** The error that comes before anything is read or stored, if the request asked for one. */
export const findErrorBefore = (outcome: TestOutcome | undefined): ServiceError | undefined =>
  outcome && BEFORE_ANYTHING[outcome]?.();

/** As in live mode when the deadline comes first: the report goes on without its request, and the 503 names it. */
export const answerTooLate = (creditReportId: string): ServiceError => asked(tooLate(), { creditReportId });
