// A small run of the benchmark on held-out people, so that a change that makes the matcher worse shows at once. The
// floors allow for chance in so few people; the full run decides the gates themselves (README.md).
import { expect, test } from 'vitest';
import type { Field } from './fields.ts';
import { loadMatcher } from './matcher.ts';
import type { Profile } from './noise.ts';
import { runProfile } from './run.ts';

const PEOPLE = 600;
const SEED = 1_000_777;

/** Of the records for which a bureau gave the right value, the share that shows it, in per cent. */
const fieldFloors: Record<Field, Record<Profile, number>> = {
  title: { standard: 99, harsh: 98, adversarial: 96.5 },
  firstName: { standard: 95.5, harsh: 91.5, adversarial: 90.5 },
  lastName: { standard: 98, harsh: 96.5, adversarial: 94 },
  payment: { standard: 99.8, harsh: 99.8, adversarial: 99.8 },
  startBalance: { standard: 97, harsh: 96, adversarial: 95 },
  balance: { standard: 97.5, harsh: 96.5, adversarial: 92 },
  startDate: { standard: 92, harsh: 80, adversarial: 80 },
  accountType: { standard: 99.3, harsh: 98, adversarial: 98 },
  accountStatus: { standard: 99.6, harsh: 99.6, adversarial: 99.3 },
  companyType: { standard: 99.8, harsh: 99.8, adversarial: 99.5 },
};

const floors: [Profile, { precision: number; recall: number; wholeReportExact: number }][] = [
  ['standard', { precision: 0.9993, recall: 0.998, wholeReportExact: 0.985 }],
  ['harsh', { precision: 0.997, recall: 0.994, wholeReportExact: 0.955 }],
  ['adversarial', { precision: 0.995, recall: 0.988, wholeReportExact: 0.915 }],
];

test.each(floors)(
  '%s: not below the floors, field by field too, no hire purchase swallowed, every row exactly once',
  async (profile, floor) => {
    const { shares, score, fields } = runProfile(await loadMatcher(), { profile, seed: SEED, people: PEOPLE });
    for (const [name, least] of Object.entries(floor)) {
      const { value } = shares[name as keyof typeof floor];
      expect(value, `${name} ${value}`).toBeGreaterThanOrEqual(least);
    }
    for (const [field, { value, interval }] of Object.entries(fields)) {
      expect(value * 100, field).toBeGreaterThanOrEqual(fieldFloors[field as Field][profile]);
      expect(interval[0], `${field} was scored`).toBeGreaterThan(0);
    }
    expect(score).toMatchObject({ hirePurchaseLost: 0, reportsNotPreserved: 0 });
  },
);
