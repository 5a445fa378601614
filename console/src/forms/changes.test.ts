import { TrefoilError } from '@trefoil/sdk';
import { expect, test } from 'vitest';
import { changesOf, faultsIn } from './changes.ts';

const before = {
  url: 'https://a.example',
  description: '',
  eventTypes: ['wallet.low', 'wallet.charged'],
  ordered: true,
};

test('only fields that differ are changes; the order of a list is none', () => {
  expect(changesOf(before, { ...before, eventTypes: ['wallet.charged', 'wallet.low'] })).toEqual({});
  expect(changesOf(before, { ...before, description: 'New', ordered: false })).toEqual({
    ...{ description: 'New', ordered: false },
  });
  expect(changesOf<{ eventTypes: string[] | null }>(before, { eventTypes: null })).toEqual({ eventTypes: null });
});

test('faults stand at their fields; what is about no field is thrown on', () => {
  const refusal = (path: string) => {
    const body = { code: 'validation-error', message: 'No.', details: [{ path, message: 'Use another.' }] };
    return new TrefoilError({ status: 400, headers: new Headers(), text: JSON.stringify(body) });
  };
  expect(faultsIn(refusal('/eventTypes/0'), ['url', 'eventTypes'])).toEqual({ eventTypes: 'Use another.' });
  expect(() => faultsIn(refusal('/other'), ['url'])).toThrow(TrefoilError);
  expect(() => faultsIn(new Error('mine'), ['url'])).toThrow('mine');
});
