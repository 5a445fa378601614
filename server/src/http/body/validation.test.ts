// What the validators of several apps of one process share, and what they must not.
import { SubjectRequest } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { createValidatorCompiler } from './validation.ts';

const PERSON = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '2000-06-15', postcode: 'HR10 2AB' };

const validatorOf = (now: () => Date) =>
  createValidatorCompiler(now)({ schema: SubjectRequest, method: 'POST', url: '/', httpPart: 'body' });

test('a date is judged by the clock of its own app', () => {
  const before = validatorOf(() => new Date('2018-06-14T12:00:00Z'));
  const after = validatorOf(() => new Date('2018-06-16T12:00:00Z'));
  expect(before(PERSON)).toMatchObject({ error: { details: [{ path: '/dateOfBirth' }] } });
  expect(after(PERSON)).toEqual({ value: PERSON });
  expect(before(PERSON)).toMatchObject({ error: { details: [{ path: '/dateOfBirth' }] } });
});

test('two apps with one clock: no request shows the faults or the values of another', () => {
  const now = () => new Date('2018-06-16T12:00:00Z');
  const [first, second] = [validatorOf(now), validatorOf(now)];
  const refused = first({ ...PERSON, firstName: 5 });
  expect(second(PERSON)).toEqual({ value: PERSON });
  expect(second({ ...PERSON, lastName: ' Other ' })).toEqual({ value: { ...PERSON, lastName: 'Other' } });
  expect(second({ ...PERSON, lastName: 5 })).toMatchObject({ error: { details: [{ path: '/lastName' }] } });
  expect(refused).toMatchObject({ error: { details: [{ path: '/firstName' }] } });
  expect(first(PERSON)).toEqual({ value: PERSON });
});
