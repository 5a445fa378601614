// Behaviours that change a bureau's data, before any wire writes it.
import { amountOf, type Behaviours } from './behaviours.ts';
import type { Row, View } from './people/view.ts';

/** Added to the place of a duplicated row. */
const COPY_INDEX = 900;

export function spoilView(view: View, behaviours: Behaviours): View {
  let rows: readonly Row[] = view.rows;
  const many = amountOf(behaviours, 'many', 300);
  if (many !== undefined && rows.length > 0) {
    rows = Array.from({ length: Math.min(many, 100_000) }, (_, place) => copyOf(view.rows, place));
  }
  if (behaviours.has('duplicate-rows')) rows = duplicated(rows, behaviours.get('duplicate-rows') === 'same');
  if (behaviours.has('unmasked')) rows = rows.map((row) => ({ ...row, isUnmasked: true, knowsNumber: true }));
  if (behaviours.has('negative-money')) rows = rows.map(negative);
  if (behaviours.has('unknown-codes'))
    rows = rows.map((row, place) => (place === 0 ? { ...row, hasUnknownCodes: true } : row));
  return { ...view, rows };
}

/** A further account: like one of the person's, with its own reference, number and credit. */
function copyOf(rows: readonly Row[], place: number): Row {
  const row = rows[place % rows.length];
  if (!row) throw new RangeError('no account to copy');
  if (place < rows.length) return row;
  const creditPence = row.creditPence === null ? null : row.creditPence + place * 100;
  return { ...row, index: 1000 + place, number: String(10_000_000 + place * 37), creditPence };
}

function duplicated(rows: readonly Row[], isSameReference: boolean): readonly Row[] {
  const [first, ...rest] = rows;
  if (!first) return rows;
  return [first, { ...first, index: isSameReference ? first.index : first.index + COPY_INDEX }, ...rest];
}

function negative(row: Row): Row {
  const { creditPence, schedule } = row;
  return {
    ...row,
    creditPence: creditPence === null ? -12_345_00 : -creditPence,
    schedule: schedule && { ...schedule, pence: -schedule.pence },
  };
}
