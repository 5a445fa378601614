import { expect, test } from 'vitest';
import { wants } from './wants.ts';

const cases: [boolean, string[] | null, boolean, string, boolean][] = [
  [false, null, false, 'wallet.low', true],
  [false, null, true, 'wallet.low', false],
  [true, null, true, 'wallet.low', true],
  [true, null, false, 'wallet.low', false],
  [false, ['wallet.low'], false, 'wallet.low', true],
  [false, ['wallet.low'], false, 'wallet.charged', false],
  [false, ['wallet.low'], true, 'wallet.low', false],
];
for (const [isTest, eventTypes, ofTest, eventType, expected] of cases) {
  test(`test ${isTest}, types ${eventTypes}: an event ${eventType} of ${ofTest ? 'test' : 'live'} mode: ${expected}`, () => {
    expect(wants({ isTest, eventTypes }, { isTest: ofTest, eventType })).toBe(expected);
  });
}
