import { expect, test } from 'vitest';
import { neededFactor } from './step-up.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

const rows = [
  // has a factor, minutes since sign-in, minutes since the second factor, what is needed
  [false, 0, undefined, 'none'],
  [false, 10, undefined, 'none'],
  [false, 10.001, undefined, 'password'],
  [true, 0, undefined, 'second-factor'],
  [true, 0, 10, 'none'],
  [true, 0, 10.001, 'second-factor'],
  [true, 600, 1, 'none'],
  // The factor was removed in between.
  [false, 600, 1, 'password'],
] as const;
for (const [hasFactor, signedIn, proved, expected] of rows) {
  test(`${hasFactor ? 'a' : 'no'} factor, signed in ${signedIn} min ago, proved ${proved} min ago: ${expected}`, () => {
    const secondFactorAt = proved === undefined ? undefined : ago(proved);
    expect(neededFactor({ hasFactor, authenticatedAt: ago(signedIn), secondFactorAt }, NOW)).toBe(expected);
  });
}
