import { ERRORS } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { ServiceError } from '../lib/errors.ts';
import { errorBody } from './errors.ts';

const REQUEST = { requestId: 'r', baseUrl: 'https://trefoil.example.com' };

test('402 carries what is needed and what is there, even when that is nothing', () => {
  const error = new ServiceError('insufficient-funds', undefined, { fields: { required: 840, available: 0 } });
  expect(errorBody(error, REQUEST)).toEqual({
    code: 'insufficient-funds',
    message: ERRORS['insufficient-funds'].meaning,
    requestId: 'r',
    docs: 'https://trefoil.example.com/docs/errors/insufficient-funds',
    required: 840,
    available: 0,
  });
});

test('other refusals carry neither', () => {
  const keys = Object.keys(errorBody(new ServiceError('forbidden'), REQUEST));
  expect(keys).toEqual(['code', 'message', 'requestId', 'docs']);
});
