// What the validators of several apps of one process share, and what they must not; what a closed body refuses.
import { CreateWebhookEndpointRequest, EVENT_TYPES, SubjectRequest } from '@trefoil/contract';
import { describe, expect, test } from 'vitest';
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

describe('a closed body', () => {
  const validate = createValidatorCompiler(() => new Date())({
    ...{ schema: CreateWebhookEndpointRequest, method: 'POST', url: '/', httpPart: 'body' },
  });
  const URL_GOOD = 'https://hooks.example.com/';
  const faultsOf = (given: object) => {
    const { error } = validate(given) as { error?: { details: { path: string; message: string }[] } };
    return error?.details.map(({ path, message }) => `${path} ${message}`) ?? [];
  };

  test('names the fields that it does not know, beside its other faults, and those that it knows', () => {
    const fields = 'The fields are: url, description, eventTypes, test, ordered.';
    expect(faultsOf({ url: URL_GOOD, eventtypes: null, ordered: 1 })).toEqual([
      `/eventtypes This field is not known. ${fields}`,
      '/ordered Use true or false.',
    ]);
    // What is no plain word is not repeated, and so many faults are enough.
    const odd = Object.fromEntries(Array.from({ length: 5_000 }, (_, place) => [`k${place}`, 0]));
    expect(faultsOf({ url: URL_GOOD, 'a/b"c': 1 })).toEqual([` This field is not known. ${fields}`]);
    expect(faultsOf({ url: URL_GOOD, ...odd })).toHaveLength(100);
    expect(faultsOf({ url: URL_GOOD })).toEqual([]);
  });

  test('a list of words: the fault says which is wrong and which are right', () => {
    const typesFault = (eventTypes: unknown) => faultsOf({ url: URL_GOOD, eventTypes });
    const all = EVENT_TYPES.join(', ');
    expect(typesFault(['wallet.low', 'report.completed'])).toEqual([
      `/eventTypes/1 There is no "report.completed". Use one of: ${all}.`,
    ]);
    expect(typesFault(['<b>'])).toEqual([`/eventTypes/0 Use one of: ${all}.`]);
    expect(typesFault([])).toEqual(['/eventTypes Give at least 1.']);
    expect(typesFault(['wallet.low', 'wallet.low'])).toEqual(['/eventTypes Give each value only once.']);
    expect(typesFault('wallet.low')).toEqual(['/eventTypes Use an array or null.']);
    expect(typesFault(null)).toEqual([]);
  });
});
