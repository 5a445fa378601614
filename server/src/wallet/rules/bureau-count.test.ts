import { expect, test } from 'vitest';
import { bureauCount, type ReportFacts } from './bureau-count.ts';

const [BASE, EACH] = [200, 600];
const facts = (asked: number, answered: number, charged: number, each = EACH): ReportFacts => ({
  asked,
  answered,
  heldCredits: BASE + asked * each,
  chargedCredits: BASE + charged * each,
  perBureauCredits: each,
});

const rows: [string, Parameters<typeof bureauCount>, number | null][] = [
  ['at once, all answered', ['report-charge', -2_000, facts(3, 3, 3)], 3],
  ['at once, one did not answer', ['report-charge', -1_400, facts(3, 2, 2)], 2],
  ['one asked', ['report-charge', -800, facts(1, 1, 1)], 1],
  ['after a challenge: charged for all', ['report-charge', -2_000, facts(3, 1, 3)], 3],
  ['and the rest refunded', ['report-refund', 1_200, facts(3, 1, 3)], 2],
  ['none answered: all refunded', ['report-refund', 2_000, facts(3, 0, 3)], 3],
  ['bureaus without a price', ['report-charge', -200, facts(3, 2, 3, 0)], 2],
  ['a message', ['sms-charge', -40, facts(3, 3, 3)], null],
  ['a top-up', ['top-up', 5_000, undefined], null],
  ['no bureau was asked yet', ['report-charge', -2_000, undefined], null],
];
for (const [name, parameters, count] of rows) {
  test(`${name}: ${count}`, () => {
    expect(bureauCount(...parameters)).toBe(count);
  });
}
