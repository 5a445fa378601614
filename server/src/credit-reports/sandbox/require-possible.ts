// The checks of a generate request that its schema cannot express, before either mode begins. A quote makes the same ones.
import type { GenerateRequest } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import { ServiceError } from '../../lib/errors.ts';
import { findContradictions } from './rules/test-options.ts';

export function requirePossible({ isTestOnly }: Pick<Caller, 'isTestOnly'>, request: GenerateRequest): void {
  if (isTestOnly && !request.test) {
    throw new ServiceError('forbidden', 'This credential works only in test mode: send "test": true.');
  }
  const details = findContradictions(request);
  if (details.length === 0) return;
  throw new ServiceError('validation-error', 'The request body is not valid; details lists what to correct.', {
    details,
  });
}
