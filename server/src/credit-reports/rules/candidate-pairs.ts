// Which pairs of rows are worth comparing. Up to a usual file's size, all of them; beyond, only rows that stand near
// each other in some sorted order, so that the work grows with the rows and not with their square.
import type { ComparableAccount } from './comparable-account.ts';

const ALL_PAIRS_MAX = 200;
/** How many neighbours each row is compared with in each order. */
const WINDOW = 24;

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

/** Visits each pair once, the lower index first. */
export function visitCandidatePairs(rows: readonly ComparableAccount[], visit: (a: number, b: number) => void): void {
  if (rows.length <= ALL_PAIRS_MAX) {
    for (let a = 0; a < rows.length; a++) for (let b = a + 1; b < rows.length; b++) visit(a, b);
    return;
  }
  const seen = new Set<number>();
  for (const keyOf of KEYS) {
    for (const block of inBlocks(rows, keyOf)) {
      block.sort((a, b) => (rows[a]?.start?.number ?? 0) - (rows[b]?.start?.number ?? 0) || a - b);
      for (let position = 0; position < block.length; position++) {
        const last = Math.min(block.length, position + 1 + WINDOW);
        for (let next = position + 1; next < last; next++) {
          const [x, y] = [block[position] as number, block[next] as number];
          const [a, b] = x < y ? [x, y] : [y, x];
          const id = a * rows.length + b;
          if (seen.has(id)) continue;
          seen.add(id);
          visit(a, b);
        }
      }
    }
  }
}
