import { expect, test } from 'vitest';
import { ServiceError } from '../lib/errors.ts';
import { errorBody } from './errors.ts';

test('402 carries what is needed and what is there, even when that is nothing', () => {
  const error = new ServiceError('insufficient-funds', undefined, { required: 840, available: 0 });
  expect(errorBody(error, 'r')).toEqual({
    code: 'insufficient-funds',
    message: 'The wallet cannot cover the operation. Nothing was charged.',
    requestId: 'r',
    required: 840,
    available: 0,
  });
});

test('other refusals carry neither', () => {
  expect(Object.keys(errorBody(new ServiceError('forbidden'), 'r'))).toEqual(['code', 'message', 'requestId']);
});
