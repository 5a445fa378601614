// Other accounts, addresses on file and earlier searches. A report without any file has none of these sections: an empty
// list would read like an empty file.
import { column, paragraph, row } from './blocks.ts';
import { lenderOf } from './car-finance.ts';
import { durationWords, longDay, shortDay } from './dates.ts';
import { type Material, numberEnd, reportedBy } from './material.ts';
import { money } from './money.ts';
import type { Column, Section } from './view.ts';
import { NOT_GIVEN, STATUS_WORDS, TYPE_WORDS } from './words.ts';

const LINES_MAX = 100;

type List = {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly none: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  readonly things: string;
  readonly linesMax: number;
};

function toSection({ id, title, caption, none, columns, rows, things, linesMax }: List): Section {
  if (rows.length === 0) {
    return { id, title, blocks: [paragraph(none)] };
  }
  return {
    ...{ id, title },
    blocks: [
      { kind: 'table', caption, columns, rows: rows.slice(0, linesMax).map(row) },
      ...(rows.length > linesMax
        ? [
            paragraph(
              `Listed: ${linesMax} of ${rows.length.toLocaleString('en-GB')} ${things}. The report’s data have all of them.`,
              'quiet',
            ),
          ]
        : []),
    ],
  };
}

function otherAccounts(material: Material): Section {
  const { others, accountsInAll, carFinanceInAll } = material;
  const left = accountsInAll - carFinanceInAll - others.length;
  return toSection({
    ...{ id: 'other-accounts', title: 'Other accounts', caption: 'Accounts that are not car finance' },
    none: left > 0 ? 'This document has no room for them: the report’s data have all of them.' : 'None on file.',
    columns: [
      column('Lender', 0.235),
      column('Kind', 0.16),
      column('Number ends', 0.125),
      column('Started', 0.125),
      column('Status', 0.105),
      column('Balance', 0.12, 'end'),
      column('Reported by', 0.13),
    ],
    rows: others.map((account) => {
      const { record } = account;
      return [
        lenderOf(account),
        TYPE_WORDS[record.accountType],
        numberEnd(record) ?? NOT_GIVEN,
        record.startDate === null ? NOT_GIVEN : shortDay(record.startDate),
        STATUS_WORDS[record.accountStatus],
        record.balance === null ? NOT_GIVEN : money(record.balance.amount),
        reportedBy(account, material),
      ];
    }),
    things: 'accounts',
    // The material has no more than the document lists.
    linesMax: Number.POSITIVE_INFINITY,
  });
}

const addresses = ({ report: { residencies } }: Material): Section =>
  toSection({
    ...{ id: 'addresses', title: 'Addresses on file', caption: 'Addresses the agencies hold' },
    none: 'None on file.',
    columns: [column('Address', 0.64), column('Time there', 0.22), column('Current?', 0.14)],
    rows: residencies.map(({ address, yearsAtAddress, monthsAtAddress, isCurrent }) => [
      address.lines.join(', '),
      durationWords(yearsAtAddress, monthsAtAddress) ?? NOT_GIVEN,
      isCurrent ? 'Current' : 'Previous',
    ]),
    ...{ things: 'addresses', linesMax: LINES_MAX },
  });

function searches({ report: { previousSearches } }: Material): Section {
  const made = previousSearches.providers.flatMap(({ companyName, records }) =>
    records.map(({ date }) => ({ companyName, date })),
  );
  return toSection({
    ...{ id: 'searches', title: 'Earlier searches', caption: 'Companies that looked at a file' },
    none: 'None on file.',
    columns: [column('Company that looked at a file', 0.64), column('Date', 0.36)],
    rows: made
      .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
      .map(({ companyName, date }) => [companyName, longDay(date)]),
    ...{ things: 'searches', linesMax: LINES_MAX },
  });
}

export const listSections = (material: Material): Section[] =>
  material.found.length === 0 ? [] : [otherAccounts(material), addresses(material), searches(material)];
