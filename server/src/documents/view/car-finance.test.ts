// Car finance where agencies do not say the same: nothing that one of them calls car finance is left out, and what they say
// is compared between agencies only.
import type { AccountRecord, CreditReport } from '@trefoil/contract';
import { expect, test } from 'vitest';
import type { ProvenanceSource } from '../../merge/provenance.ts';
import { SAMPLE } from '../sample.ts';
import { buildView } from './build-view.ts';
import type { Card } from './view.ts';

/** The document of one agreement: its merged line, and what the agencies said of it. */
function documentOf(merged: Partial<AccountRecord>, said: readonly Partial<ProvenanceSource>[]) {
  const report = JSON.parse(SAMPLE.reportText) as CreditReport;
  const [record] = report.consumerData.records;
  const kept = SAMPLE.kept ?? expect.fail();
  const [source] = kept.provenance.records[0]?.sources ?? [];
  if (!record || !source) return expect.fail();
  const sources = said.map((changes, place) => ({ ...source, ref: `ref-${place}`, ...changes }));
  const bureaus = sources.map(({ bureau, ref }) => ({ id: bureau, ref }));
  const reportText = JSON.stringify({ ...report, consumerData: { records: [{ ...record, ...merged, bureaus }] } });
  const provenance = { ...kept.provenance, records: [{ sources, lender: null }] };
  const view = buildView({ ...SAMPLE, reportText, kept: { ...kept, provenance } }, undefined, 'pdf');
  const blocks = view.sections.find(({ id }) => id === 'car-finance')?.blocks ?? [];
  const card = blocks.find((block): block is Card => block.kind === 'card');
  return {
    view,
    card,
    chart: blocks.find((block) => block.kind === 'timeline'),
    rowOf: (label: string) => card?.table?.rows.find(({ cells }) => cells[0] === label),
    factOf: (name: string) => card?.facts.find(({ label }) => label === name)?.value,
  };
}

test('what one agency calls hire purchase is car finance, whatever the merged line calls it, and the kinds differ', () => {
  const { view, card, rowOf } = documentOf({ accountType: 'personal-loan' }, [
    { bureau: 'equifax', accountType: 'personal-loan' },
    { bureau: 'experian', accountType: 'hire-purchase' },
    { bureau: 'transunion', accountType: 'other' },
  ]);
  expect(view.glance.headline).toBe('1 car finance agreement found.');
  expect(JSON.stringify(view)).not.toMatch(/No car finance|No agency that found a file/);
  expect(card).toMatchObject({
    aside: 'Personal loan or hire purchase, open',
    note: expect.stringContaining('suggests PCP'),
  });
  expect(rowOf('Kind')).toEqual({ cells: ['Kind', 'Personal loan', 'Hire purchase', 'Other', 'no'], mark: 'differs' });
});

test('no agency calls it car finance: it is an other account', () => {
  const { view, card } = documentOf({ accountType: 'personal-loan' }, [
    { bureau: 'equifax', accountType: 'personal-loan' },
    { bureau: 'experian', accountType: 'other' },
  ]);
  expect(view.glance.headline).toBe('No car finance agreement is on these files.');
  expect(card).toBeUndefined();
});

test('an agreement that is open runs, also where an agency gives an end: the end is in that agency’s column', () => {
  const said = [
    { bureau: 'equifax', endDate: '2025-03' },
    { bureau: 'experian', endDate: null },
  ] as const;
  const open = documentOf({ accountStatus: 'open' }, said);
  expect(open.factOf('Ended')).toBe('still running');
  expect(open.chart?.bars).toMatchObject([{ end: 'running' }]);
  expect(open.rowOf('Ended')?.cells.slice(0, 3)).toEqual(['Ended', 'Mar 2025', 'not given']);
  // Whether it runs is what the agency is looking into.
  for (const accountStatus of ['settled', 'query'] as const) {
    const ended = documentOf({ accountStatus }, said);
    expect(ended.factOf('Ended')).toBe('March 2025');
    expect(ended.chart?.bars).toMatchObject([{ end: 'known' }]);
  }
});

test('two references of one agency contradict no other agency, unless one of them contradicts what another one says', () => {
  const twice = [
    { bureau: 'equifax', accountStatus: 'open', isJoint: null, accountNumberTail: '886' },
    { bureau: 'equifax', accountStatus: 'settled', isJoint: true, accountNumberTail: '3886' },
  ] as const;
  const alone = documentOf({}, twice);
  expect(alone.rowOf('Status')).toEqual({
    cells: ['Status', 'Open; Settled', 'not on file', 'not on file', '–'],
    mark: null,
  });
  const beside = documentOf({}, [...twice, { bureau: 'experian', accountStatus: 'open', isJoint: true }]);
  expect(beside.rowOf('Status')).toMatchObject({
    cells: ['Status', 'Open; Settled', 'Open', 'not on file', 'no'],
    mark: 'differs',
  });
  expect(beside.rowOf('Joint account')?.cells.at(-1)).toBe('yes');
  expect(beside.rowOf('Number ends')?.cells).toEqual(['Number ends', '886; 3886', '3886', 'not on file', 'yes']);
});
