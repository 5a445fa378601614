// The messages of a failure: one sentence each, true about the money, and silent about how the request was assessed.
import { expect, test } from 'vitest';
import type { Refusal } from './delivery.ts';
import { failureMessage, type Money, type PublicFailure } from './failure-message.ts';
import type { Failure } from './settlement.ts';

/** Total on purpose: a failure without a row here does not compile. */
const MUST_SAY: Readonly<Record<Failure, RegExp>> = {
  'screening-unavailable': /Try again later/,
  'device-not-verified': /device could not be verified.*within 30 minutes.*names and date of birth/i,
  'not-deliverable': /cannot be delivered/,
  'no-bureau-answered': /No bureau answered/,
  interrupted: /interrupted/,
  'reservation-late': /too busy/,
  'attempts-used': /All 3 attempts are used/,
  expired: /expired/,
};
const failures = Object.keys(MUST_SAY) as Failure[];

const BECAUSE: Readonly<Record<Exclude<Refusal, 'protection'>, RegExp>> = {
  'mobile-missing': /mobileNumber is missing.*\+447700900123/,
  'not-a-mobile': /not a mobile number/,
  'country-not-allowed': /belongs to a country your company has not allowed/,
  'company-number': /your company .* this number .* 24 hours/,
  'company-mistakes': /your company .* wrong codes .* 24 hours/,
  'company-day': /your company’s message budget .* day/,
  'company-minute': /your company’s message budget .* minute/,
};
const reasons = Object.keys(BECAUSE) as (keyof typeof BECAUSE)[];

const all: readonly PublicFailure[] = [
  ...failures.map((failure) => ({ failure, money: 'not-charged' as const })),
  ...reasons.map((because) => ({ failure: 'not-deliverable' as const, because, money: 'not-charged' as const })),
];

for (const shown of all) {
  const { failure, because } = shown;
  test(`${because ?? failure}: sentences that say what to do`, () => {
    const message = failureMessage(shown);
    const isReason = because && because !== 'protection';
    expect(message).toMatch(isReason ? BECAUSE[because] : MUST_SAY[failure]);
    expect(message).toMatch(/^[A-Z].+\.$/);
    expect(message.length).toBeLessThanOrEqual(300);
    expect(message).not.toMatch(/screening|score|risk|fraud|caps?\b|landline|blocked/i);
  });
}

test('no two failures read alike', () => {
  expect(new Set(all.map(failureMessage)).size).toBe(all.length);
});

const MONEY: readonly (readonly [Money, RegExp])[] = [
  ['not-charged', /Nothing was charged/],
  ['refunded', /refunded/],
];
for (const [money, words] of MONEY) {
  test(`${money}: every failure says so, and nothing else about money`, () => {
    for (const shown of all) {
      const message = failureMessage({ ...shown, money });
      expect(message).toMatch(words);
      for (const [other, otherWords] of MONEY) if (other !== money) expect(message).not.toMatch(otherWords);
    }
  });
}

test('in test mode no money is spoken of', () => {
  for (const shown of all) expect(failureMessage({ ...shown, money: 'test' })).not.toMatch(/charged|refund/);
});

test.each([
  ['JE', /Jersey \(JE\).*not part of GB, although they share \+44/],
  ['US', /United States \(US\), a country your company has not allowed\. Nothing/],
])('the country %s is named', (country, words) => {
  const message = failureMessage({
    failure: 'not-deliverable',
    because: 'country-not-allowed',
    country,
    money: 'not-charged',
  });
  expect(message).toMatch(words);
});

test('the cap over all companies reads as a failure whose reason is not shown', () => {
  const shown = { failure: 'not-deliverable', money: 'not-charged' } as const;
  expect(failureMessage({ ...shown, because: 'protection' })).toBe(failureMessage({ ...shown, because: null }));
});
