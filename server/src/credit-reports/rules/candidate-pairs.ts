// Which pairs of rows are worth comparing. Up to a usual file's size, all of them; beyond, only rows that stand near
// each other in some sorted order, so that the work grows with the rows and not with their square.
import type { ComparableAccount } from './comparable-account.ts';

const ALL_PAIRS_MAX = 200;
/** How many neighbours each row is compared with in each order. */
const WINDOW = 12;

const pounds = (pence: number | null) => (pence === null ? undefined : String(Math.floor(pence / 100)));

/** Rows of one agreement share at least one of these, or start on nearly the same day. */
const KEYS: readonly ((row: ComparableAccount) => string | undefined)[] = [
  (row) => row.lenders[0]?.id ?? row.names[0]?.[0],
  (row) => row.account.accountNumberTail?.slice(-3),
  (row) => pounds(row.account.startBalancePence),
  (row) => pounds(row.account.paymentPence),
  () => 'all',
];

function inBlocks(rows: readonly ComparableAccount[], keyOf: (row: ComparableAccount) => string | undefined) {
  const blocks = new Map<string, number[]>();
  rows.forEach((row, index) => {
    const key = keyOf(row);
    if (key === undefined) return;
    const block = blocks.get(key);
    if (block) block.push(index);
    else blocks.set(key, [index]);
  });
  return blocks.values();
}

/** Starts further apart than this are never one agreement, a month counted for those that tell only the month; sorted by start, so are all that follow. */
const DAYS_APART_MAX = 92;

/** Visits every candidate pair, some of them more than once: forgetting is cheaper than remembering millions. */
export function visitCandidatePairs(rows: readonly ComparableAccount[], visit: (a: number, b: number) => void): void {
  if (rows.length <= ALL_PAIRS_MAX) {
    for (let a = 0; a < rows.length; a++) for (let b = a + 1; b < rows.length; b++) visit(a, b);
    return;
  }
  const starts = rows.map(({ start }) => start?.number ?? 0);
  const startOf = (row: number) => starts[row] as number;
  for (const keyOf of KEYS) {
    for (const block of inBlocks(rows, keyOf)) {
      block.sort((a, b) => startOf(a) - startOf(b) || a - b);
      for (let position = 0; position < block.length; position++) {
        const a = block[position] as number;
        const last = Math.min(block.length, position + 1 + WINDOW);
        for (let next = position + 1; next < last; next++) {
          const b = block[next] as number;
          // A row without a start stands first and may belong to any that follows.
          if (startOf(a) > 0 && startOf(b) - startOf(a) > DAYS_APART_MAX) break;
          visit(Math.min(a, b), Math.max(a, b));
        }
      }
    }
  }
}
