// The scores of the fields on records small enough to calculate by hand.
import type { AccountRecord } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { addFields, noFieldScore } from './fields.ts';
import { generateReport, type LabelledRow } from './generate.ts';

/** The rows of one agreement of a generated report, as one record with the values of its first row. */
function recordOf(rows: readonly LabelledRow[]) {
  const { account } = rows[0] as LabelledRow;
  const money = (pence: number | null) => (pence === null ? null : { amount: pence, currency: 'GBP' });
  const record = {
    ...account,
    payment: money(account.paymentPence),
    startBalance: money(account.startBalancePence),
    balance: money(account.balancePence),
  } as unknown as AccountRecord;
  return { members: rows.map(({ bureau, account: { ref } }) => ({ bureau, ref })), record };
}

const report = generateReport(5, 'standard', 0);
const byAgreement = [...Map.groupBy(report.rows, ({ label }) => label.agreement).values()];

test('capitals are wrong only where a bureau told mixed case', () => {
  const inCapitals = byAgreement.flatMap((rows) => rows.find(({ bureau }) => bureau === 'equifax') ?? []);
  const alone = noFieldScore();
  addFields(alone, report, { records: inCapitals.map((row) => recordOf([row])) });
  expect(alone.lastName).toEqual({ known: 0, right: 0 });
  expect(alone.accountType.known).toBe(inCapitals.length);
  const besideMixed = byAgreement.filter(
    (rows) => rows[0]?.bureau === 'equifax' && rows.at(-1)?.bureau === 'transunion',
  );
  const together = noFieldScore();
  addFields(together, report, { records: besideMixed.map(recordOf) });
  expect(together.lastName.known).toBeGreaterThan(0);
  expect(together.lastName.right).toBe(0);
});

test('what the best row told is right', () => {
  const records = byAgreement
    .map((rows) => recordOf(rows.toReversed()))
    .filter(({ members }) => members[0]?.bureau === 'transunion');
  const score = noFieldScore();
  addFields(score, report, { records });
  expect(score.lastName.right).toBe(score.lastName.known);
  expect(score.payment.right).toBeGreaterThan(0);
});

test('a record of two agreements, and one without contents, are left out', () => {
  const [first = [], second = []] = byAgreement;
  const score = noFieldScore();
  const { members } = recordOf(first);
  addFields(score, report, { records: [recordOf([...first, ...second]), { members }] });
  expect(score).toEqual(noFieldScore());
});
