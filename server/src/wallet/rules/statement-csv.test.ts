import type { WalletEntry } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { CSV_HEADER, toCsvLine } from './statement-csv.ts';

const entry: WalletEntry = {
  id: '7',
  kind: 'adjust',
  amount: -25,
  balanceAfter: 975,
  creditReportId: null,
  reversesId: null,
  note: null,
  createdAt: '2026-03-01T09:00:00.000Z',
  amountPounds: '-0.025',
  balanceAfterPounds: '0.975',
  externalReference: null,
  bureauCount: null,
};

test('a line has the columns of the header, empty where there is nothing', () => {
  expect(CSV_HEADER).toBe(
    'id,kind,amount,balanceAfter,creditReportId,reversesId,note,createdAt,amountPounds,balanceAfterPounds,externalReference,bureauCount\r\n',
  );
  expect(toCsvLine(entry)).toBe('7,adjust,-25,975,,,,2026-03-01T09:00:00.000Z,-0.025,0.975,,\r\n');
});

const texts = [
  ['invoice 17', 'invoice 17'],
  ['said "no", twice', '"said ""no"", twice"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['+44 7700 900123', "'+44 7700 900123"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  ['a;=1', '"a;=1"'],
  ['a\t=1', '"a\t=1"'],
  ['＝1', "'＝1"],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ['a=1', 'a=1'],
] as const;
for (const [text, cell] of texts) {
  test(`the note and the reference ${JSON.stringify(text)} are written ${JSON.stringify(cell)}`, () => {
    expect(toCsvLine({ ...entry, note: text, externalReference: text })).toBe(
      `7,adjust,-25,975,,,${cell},2026-03-01T09:00:00.000Z,-0.025,0.975,${cell},\r\n`,
    );
  });
}
