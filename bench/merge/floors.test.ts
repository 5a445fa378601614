// A small run of the benchmark on held-out people, so that a change that makes the matcher worse is seen at once. The
// floors leave room for chance in so few people; the gates themselves are judged by the full run (README.md).
import { expect, test } from 'vitest';
import { loadMatcher } from './matcher.ts';
import type { Profile } from './noise.ts';
import { runProfile } from './run.ts';

const PEOPLE = 600;
const SEED = 1_000_777;

const floors: [Profile, { precision: number; recall: number; wholeReportExact: number }][] = [
  ['standard', { precision: 0.9993, recall: 0.998, wholeReportExact: 0.985 }],
  ['harsh', { precision: 0.997, recall: 0.994, wholeReportExact: 0.955 }],
  ['adversarial', { precision: 0.995, recall: 0.988, wholeReportExact: 0.915 }],
];

test.each(floors)(
  '%s: not below the floors, no hire purchase swallowed, every row exactly once',
  async (profile, floor) => {
    const { shares, score } = runProfile(await loadMatcher(), { profile, seed: SEED, people: PEOPLE });
    for (const [name, least] of Object.entries(floor)) {
      const { value } = shares[name as keyof typeof floor];
      expect(value, `${name} ${value}`).toBeGreaterThanOrEqual(least);
    }
    expect(score).toMatchObject({ hirePurchaseLost: 0, reportsNotPreserved: 0 });
  },
);
