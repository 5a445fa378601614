import { expect, test } from 'vitest';
import { neededFactor } from './step-up.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

const rows = [
  // has a factor, has followed a link, minutes since sign-in, minutes since the second factor, what is needed
  [false, true, 0, undefined, 'none'],
  [false, true, 10, undefined, 'none'],
  [false, true, 10.001, undefined, 'password'],
  [false, false, 0, undefined, 'link'],
  [true, false, 0, undefined, 'second-factor'],
  // A link is for a first factor alone.
  [true, true, 0, undefined, 'second-factor'],
  [true, false, 0, 10, 'none'],
  [true, false, 0, 10.001, 'second-factor'],
  [true, false, 600, 1, 'none'],
  // The factor was removed in between.
  [false, false, 0, 1, 'link'],
  [false, true, 600, 1, 'password'],
] as const;
for (const [hasFactor, hasLink, signedIn, proved, expected] of rows) {
  test(`${hasFactor ? 'a' : 'no'} factor, ${hasLink ? 'a' : 'no'} link, signed in ${signedIn} min ago, proved ${proved} min ago: ${expected}`, () => {
    const secondFactorAt = proved === undefined ? undefined : ago(proved);
    expect(neededFactor({ hasFactor, hasLink, authenticatedAt: ago(signedIn), secondFactorAt }, NOW)).toBe(expected);
  });
}
