import { expect, test } from 'vitest';
import { maskNumber, testSend } from './test-message.ts';

test.each([
  ['+447700900123', '********0123'],
  ['+3531234567', '******4567'],
])('%s is shown as %s', (number, shown) => {
  expect(maskNumber(number)).toBe(shown);
});

test('the shortest number that E.164 allows shows nothing before its last digits', () => {
  expect(maskNumber('+1234')).toBe('1234');
  expect(maskNumber('+12')).not.toContain('+');
});

const at = new Date('2026-03-02T10:15:00.123Z');
test.each([
  [undefined, 'delivered', at.toISOString()],
  ['delivered', 'delivered', at.toISOString()],
  ['undelivered', 'undelivered', at.toISOString()],
  ['refused', 'refused', at.toISOString()],
  ['never', 'submitted', null],
] as const)('receipt %s: %s, settled %s', (receipt, state, settledAt) => {
  expect(testSend(at, receipt)).toEqual({ state, sentAt: at.toISOString(), settledAt });
});
