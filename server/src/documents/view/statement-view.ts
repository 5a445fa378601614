// From a month of the wallet to everything that its statement shows. Pure: the same lines give the same view.
import type { EntryKind, WalletEntry, WalletMonth } from '@trefoil/contract';
import type { WalletStatement } from '../../wallet/read-statement.ts';
import { toPounds } from '../../wallet/rules/pounds.ts';
import { column, paragraph, row } from './blocks.ts';
import { atLondon, longDay, shortDay } from './dates.ts';
import { withPlainLetters } from './letters.ts';
import type { Block, Section, View } from './view.ts';

const TITLE = 'Wallet statement';
const COUNT = new Intl.NumberFormat('en-GB');

/** A real minus sign, so that columns line up. */
const count = (number: number) => COUNT.format(number).replace('-', '−');
const credits = (number: number) => (number > 0 ? `+${count(number)}` : count(number));

/** Exact: tenths of a penny are shown where there are any. */
function pounds(amount: number): string {
  const [whole = '0', decimals = '00'] = toPounds(Math.abs(amount)).split('.');
  return `${amount < 0 ? '−' : ''}£${COUNT.format(Number(whole))}.${decimals}`;
}
const signedPounds = (amount: number) => (amount > 0 ? `+${pounds(amount)}` : pounds(amount));

const lineWord = (number: number) => `${count(number)} ${number === 1 ? 'line' : 'lines'}`;

const KINDS: Readonly<Record<EntryKind, string>> = {
  'top-up': 'Top-up',
  adjust: 'Adjustment',
  'report-charge': 'Report',
  'report-refund': 'Refund',
  'sms-charge': 'Text message',
};

function whatOf({ kind, bureauCount }: WalletEntry): string {
  if (bureauCount === null) return KINDS[kind];
  return `${KINDS[kind]}, ${bureauCount} ${bureauCount === 1 ? 'bureau' : 'bureaus'}`;
}

function totalsSection(month: WalletMonth, isOver: boolean): Section {
  const moved = [
    ['Top-ups', month.topUps],
    ['Adjustments', month.adjustments],
    ['Reports', month.reports],
    ['Refunds', month.refunds],
    ['Text messages', month.messages],
  ] as const;
  return {
    ...{ id: 'totals', title: 'Totals' },
    blocks: [
      {
        ...{ kind: 'table', caption: 'What the month began and ended with, and what moved it' },
        columns: [column('What', 0.5), column('Amount', 0.25, 'end'), column('Credits', 0.25, 'end')],
        rows: [
          row(['Opening balance', pounds(month.opening), count(month.opening)]),
          ...moved.map(([what, amount]) => row([what, signedPounds(amount), credits(amount)])),
          row([isOver ? 'Closing balance' : 'Balance so far', pounds(month.closing), count(month.closing)]),
        ],
      },
    ],
  };
}

/** About two lines of its column; the CSV export has all of a longer one. Otherwise 1,000 lines could be 200 pages. */
const REFERENCE_MAX = 64;

function shorten(text: string): string {
  const letters = [...text];
  return letters.length > REFERENCE_MAX ? `${letters.slice(0, REFERENCE_MAX - 1).join('')}…` : text;
}

function lineRow(entry: WalletEntry) {
  const { amount, balanceAfter, creditReportId, createdAt, externalReference, note } = entry;
  const { day, time } = atLondon(new Date(createdAt));
  const [date, month] = shortDay(day).split(' ');
  return row([
    `${date} ${month}, ${time}`,
    whatOf(entry),
    shorten(externalReference ?? note ?? creditReportId ?? '–'),
    ...[signedPounds(amount), credits(amount), pounds(balanceAfter)],
  ]);
}

function linesSection({ month, lines }: WalletStatement): Section {
  const blocks: Block[] = [];
  if (lines.length < month.count) {
    const first = `Only the first ${count(lines.length)} of ${lineWord(month.count)} are listed here.`;
    blocks.push(paragraph(`${first} The totals count every line, and the CSV export has every line.`, 'strong'));
  }
  if (lines.length === 0) blocks.push(paragraph(`Nothing moved in ${longDay(month.month)}.`));
  else {
    blocks.push({
      ...{ kind: 'table', caption: 'Lines of the month, oldest first' },
      columns: [
        ...[column('When', 0.13), column('What', 0.17), column('Reference', 0.33)],
        ...[column('Amount', 0.12, 'end'), column('Credits', 0.11, 'end'), column('Balance', 0.14, 'end')],
      ],
      rows: lines.map(lineRow),
    });
  }
  return { id: 'lines', title: 'Lines, oldest first', blocks };
}

export function buildStatementView(statement: WalletStatement): View {
  const { tenantName, month, isOver, lines } = statement;
  const name = longDay(month.month);
  const state = isOver ? '' : ` The month is not over: this is its state after ${lineWord(month.count)}.`;
  return withPlainLetters<View>({
    ...{ language: 'en-GB', title: TITLE, notice: null, subject: tenantName },
    prepared: `${name}, UK time. Amounts are pounds; 1,000 credits are £1.${state}`,
    glance: {
      headline: `${isOver ? 'Closing balance' : 'Balance so far'} ${pounds(month.closing)}`,
      points: [`Opening balance ${pounds(month.opening)}`, `${lineWord(month.count)} in ${name}`],
    },
    sections: [totalsSection(month, isOver), linesSection(statement)],
    footer: `${TITLE}, ${name}. Confidential.`,
    pageWords: 'Page {page} of {pages}',
    datedAt: isOver ? month.endsAt : (lines.at(-1)?.createdAt ?? month.startsAt),
  });
}
