// What the statement of a month says: totals, lines in London time, references, and when it lists only a part.
import type { WalletEntry, WalletMonth } from '@trefoil/contract';
import { expect, test } from 'vitest';
import type { WalletStatement } from '../../wallet/read-statement.ts';
import { buildStatementView } from './statement-view.ts';
import type { Table } from './view.ts';

const MONTH: WalletMonth = {
  ...{ month: '2026-03', startsAt: '2026-03-01T00:00:00.000Z', endsAt: '2026-03-31T23:00:00.000Z' },
  ...{ opening: 1_234_567, topUps: 50_000, adjustments: -5, reports: -4_000, refunds: 2_000, messages: -16 },
  ...{ closing: 1_282_546, count: 1 },
};
const ENTRY: WalletEntry = {
  ...{ id: '7', kind: 'report-charge', amount: -2_000, balanceAfter: 1_232_567, reversesId: null, note: null },
  ...{ creditReportId: '019e83d2-7a41-7c38-9b1e-5f0c2d9a6e11', createdAt: '2026-03-29T01:30:00.000Z' },
  ...{ amountPounds: '-2.00', balanceAfterPounds: '1232.567', externalReference: null, bureauCount: 3 },
};

const viewOf = (changes: Partial<WalletStatement> = {}) =>
  buildStatementView({ tenantName: 'Example Ltd', month: MONTH, isOver: true, lines: [ENTRY], ...changes });
const cellsOf = (view: ReturnType<typeof viewOf>, section: number) =>
  view.sections[section]?.blocks
    .filter((block): block is Table => block.kind === 'table')
    .flatMap(({ rows }) => rows.map(({ cells }) => cells));
const wordsOf = (view: ReturnType<typeof viewOf>) =>
  view.sections[1]?.blocks.flatMap((block) => (block.kind === 'paragraph' ? [block.text] : []));

test('opening, the total of each kind and closing, in pounds to the tenth of a penny and in credits', () => {
  const view = viewOf();
  expect([view.title, view.subject, view.glance.headline]).toEqual([
    'Wallet statement',
    'Example Ltd',
    'Closing balance £1,282.546',
  ]);
  expect(view.prepared).toBe('March 2026, UK time. Amounts are pounds; 1,000 credits are £1.');
  expect(cellsOf(view, 0)).toEqual([
    ['Opening balance', '£1,234.567', '1,234,567'],
    ['Top-ups', '+£50.00', '+50,000'],
    ['Adjustments', '−£0.005', '−5'],
    ['Reports', '−£4.00', '−4,000'],
    ['Refunds', '+£2.00', '+2,000'],
    ['Text messages', '−£0.016', '−16'],
    ['Closing balance', '£1,282.546', '1,282,546'],
  ]);
});

test('a line has the time of London after the change of the clock, and the best reference that there is', () => {
  const lines: WalletEntry[] = [
    { ...ENTRY, createdAt: '2026-03-29T00:59:59.999Z', bureauCount: 1, externalReference: 'case\u202e 12' },
    ENTRY,
    { ...ENTRY, kind: 'top-up', amount: 50_000, creditReportId: null, bureauCount: null, note: 'invoice 9' },
    { ...ENTRY, kind: 'adjust', amount: 0, creditReportId: null, bureauCount: null },
    { ...ENTRY, kind: 'sms-charge', amount: -16, bureauCount: null },
    { ...ENTRY, kind: 'report-refund', amount: 600, bureauCount: 2 },
  ];
  expect(cellsOf(viewOf({ lines, month: { ...MONTH, count: 6 } }), 1)).toEqual([
    ['29 Mar, 00:59', 'Report, 1 bureau', 'case 12', '−£2.00', '−2,000', '£1,232.567'],
    ['29 Mar, 02:30', 'Report, 3 bureaus', ENTRY.creditReportId, '−£2.00', '−2,000', '£1,232.567'],
    ['29 Mar, 02:30', 'Top-up', 'invoice 9', '+£50.00', '+50,000', '£1,232.567'],
    ['29 Mar, 02:30', 'Adjustment', '–', '£0.00', '0', '£1,232.567'],
    ['29 Mar, 02:30', 'Text message', ENTRY.creditReportId, '−£0.016', '−16', '£1,232.567'],
    ['29 Mar, 02:30', 'Refund, 2 bureaus', ENTRY.creditReportId, '+£0.60', '+600', '£1,232.567'],
  ]);
});

test('a month with more lines than it lists says so; one with all of them does not', () => {
  expect(wordsOf(viewOf({ month: { ...MONTH, count: 100_000 } }))).toEqual([
    'Only the first 1 of 100,000 lines are listed here. The totals count every line, and the CSV export has every line.',
  ]);
  expect(wordsOf(viewOf())).toEqual([]);
});

test('a month without lines says that nothing moved', () => {
  const view = viewOf({ lines: [], month: { ...MONTH, count: 0 } });
  expect([wordsOf(view), cellsOf(view, 1)]).toEqual([['Nothing moved in March 2026.'], []]);
});

test('the current month says that it is not over; its file is dated by its lines and not by the clock', () => {
  const view = viewOf({ isOver: false });
  expect(view.prepared).toContain('The month is not over: this is its state after 1 line.');
  expect(view.glance.headline).toBe('Balance so far £1,282.546');
  expect([view.datedAt, viewOf({ isOver: false, lines: [] }).datedAt]).toEqual([ENTRY.createdAt, MONTH.startsAt]);
  expect(viewOf().datedAt).toBe(MONTH.endsAt);
});
