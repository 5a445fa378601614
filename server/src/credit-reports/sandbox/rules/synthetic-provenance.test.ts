import type { BureauResult } from '@trefoil/contract';
import { BUREAUS } from '@trefoil/contract';
import { expect, test } from 'vitest';
import type { Scenario } from './scenario.ts';
import { synthesiseProvenance } from './synthetic-provenance.ts';
import { type SyntheticRequest, synthesiseReport, synthesiseUntraced } from './synthetic-report.ts';

const ada: SyntheticRequest = {
  ...{ title: 'Ms', firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09' },
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '14', townOrCity: 'Ludforth', postcode: 'HR10 2AB' } }],
  bureaus: [...BUREAUS],
};
const AT = { request: ada, salt: 'ab'.repeat(16), answeredAt: '2026-03-01T10:00:00.000Z' };
const SCENARIOS: readonly Scenario[] = ['no-records', 'single-pcp', 'mixed', 'all-settled', 'default'];
const allOk = (): BureauResult[] => BUREAUS.map((bureau) => ({ bureau, outcome: 'ok' }));

test.each(SCENARIOS)(
  '%s: each bureau says what the report says, but for one disagreement and one final payment',
  (scenario) => {
    const report = synthesiseReport(scenario, ada);
    const { records } = report.consumerData;
    const provenance = synthesiseProvenance(report, allOk(), AT);
    expect(provenance.records.map(({ sources }) => sources.map(({ bureau, ref }) => ({ id: bureau, ref })))).toEqual(
      records.map(({ bureaus }) => bureaus),
    );
    let [differing, finalPayments] = [0, 0];
    provenance.records.forEach(({ sources, lender }, place) => {
      const record = records[place];
      expect(lender?.trading).toBe(record?.companyName);
      for (const source of sources) {
        if (source.startBalancePence !== record?.startBalance?.amount) differing += 1;
        if (source.balloonPence !== null) finalPayments += 1;
        expect(source.endDate === null).toBe(record?.accountStatus !== 'settled');
        expect(source).toMatchObject({
          ...{ firstName: 'Ada', lastName: 'Example', accountType: record?.accountType, startDate: record?.startDate },
          ...{ accountStatus: record?.accountStatus, numberOfPayments: record?.numberOfPayments },
          paymentPence: record?.payment?.amount ?? null,
          balancePence: record?.balance?.amount,
          accountNumberTail: record?.accountNumber?.slice(-4),
        });
      }
    });
    const hasCars = records.length > 0 ? 1 : 0;
    expect([differing, finalPayments]).toEqual([hasCars, hasCars]);
    expect(synthesiseProvenance(report, allOk(), AT)).toEqual(provenance);
  },
);

test('a single bureau cannot disagree with itself', () => {
  const report = synthesiseReport('single-pcp', { ...ada, bureaus: ['experian'] });
  const { records } = synthesiseProvenance(report, [{ bureau: 'experian', outcome: 'ok' }], AT);
  expect(records[0]?.sources).toHaveLength(1);
  expect(records[0]?.sources[0]?.startBalancePence).toBe(report.consumerData.records[0]?.startBalance?.amount);
});

test('a settled agreement ended when its term was over', () => {
  const report = synthesiseReport('all-settled', ada);
  const ends = synthesiseProvenance(report, allOk(), AT).records.map(({ sources }) => sources[0]?.endDate);
  expect(ends).toEqual(['2020-07-13', '2018-10-03']);
});

test('found, found nobody and did not answer are told apart', () => {
  const results: BureauResult[] = [
    { bureau: 'equifax', outcome: 'no-trace' },
    { bureau: 'experian', outcome: 'unavailable' },
  ];
  const { bureaus, records } = synthesiseProvenance(synthesiseUntraced(ada), results, AT);
  expect(records).toEqual([]);
  expect(bureaus).toEqual([
    { ...results[0], accounts: null, answeredAt: AT.answeredAt, replySha256: null },
    { ...results[1], accounts: null, answeredAt: null, replySha256: null },
  ]);
});
