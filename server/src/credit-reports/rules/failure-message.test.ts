// The sentences of a failure: one each, and none that tells how the request was assessed.
import { expect, test } from 'vitest';
import { failureMessage } from './failure-message.ts';
import type { Failure } from './settlement.ts';

/** Total on purpose: a failure without a row here does not compile. */
const MUST_SAY: Readonly<Record<Failure, RegExp>> = {
  'screening-unavailable': /try again later/,
  'device-not-verified': /device could not be verified/i,
  'not-deliverable': /cannot be delivered/,
  'no-bureau-answered': /No bureau answered/,
  interrupted: /interrupted/,
  'attempts-used': /All 3 attempts are used/,
  expired: /expired/,
};
const failures = Object.keys(MUST_SAY) as Failure[];

for (const failure of failures) {
  test(`${failure}: a sentence that says what to do`, () => {
    const message = failureMessage(failure);
    expect(message).toMatch(MUST_SAY[failure]);
    expect(message).toMatch(/^[A-Z].+\.$/);
    expect(message.length).toBeLessThanOrEqual(160);
    expect(message).not.toMatch(/screening|score|risk|fraud|caps?\b|landline|blocked/i);
  });
}

test('no two failures read alike', () => {
  expect(new Set(failures.map(failureMessage)).size).toBe(failures.length);
});

/** These end before or instead of a charge; the others are refunded, which their ledger line says. */
test('nothing was charged: said where a caller would ask', () => {
  const saying = failures.filter((failure) => failureMessage(failure).includes('Nothing was charged'));
  expect(saying).toEqual(['screening-unavailable', 'no-bureau-answered', 'interrupted']);
});
