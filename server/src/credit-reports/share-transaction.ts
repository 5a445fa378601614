// Parts of one transaction that share the wallet's book: reports that are reserved and reports that are settled go
// through one round of locks, one write of the books and one commit. Reserving and settling in transactions of their own
// would wait for each other at every busy wallet (docs/decisions/0119).
import { type AuditEntry, openChains } from '../audit/append-audit.ts';
import type { Tx } from '../lib/sql.ts';
import { type Book, type BookOrder, openBook } from '../wallet/open-book.ts';

export type Part<Result> = {
  /** What the book must be opened for. Known before anything is locked, so rather too much than too little. */
  readonly order: BookOrder;
  /** Whose audit chains it adds to. */
  readonly audited: readonly string[];
  /** The part's own locks, which are sent before the wallets'. */
  readonly ready: Promise<void>;
  /** Moves credits in the book; no statement is sent here. Returns what the audit chains are to tell. */
  apply(book: Book): readonly AuditEntry[];
  /** Writes the rest: sends all of it before it waits for any answer. Call it once. */
  write(): Promise<readonly Result[]>;
};

export function emptyPart(): Part<never> {
  return {
    order: { tenantIds: [] },
    audited: [],
    ready: Promise.resolve(),
    apply: () => [],
    write: async () => [],
  };
}

type Results<Parts extends readonly Part<unknown>[]> = {
  [Place in keyof Parts]: Parts[Place] extends Part<infer Result> ? readonly Result[] : never;
};

/**
 * Opens one book for all parts, lets each move its credits in their order, and writes everything. All locks travel
 * together and all writes travel together: `sent` is called when the last statement is on its way.
 */
export async function runParts<const Parts extends readonly Part<unknown>[]>(
  tx: Tx,
  parts: Parts,
  sent: () => void = () => undefined,
): Promise<Results<Parts>> {
  const tenantIds = parts.flatMap(({ order }) => order.tenantIds);
  const [book, chains] = await Promise.all([
    openBook(tx, {
      tenantIds,
      holds: parts.flatMap(({ order }) => order.holds ?? []),
      lines: parts.flatMap(({ order }) => order.lines ?? []),
    }),
    openChains(
      tx,
      parts.flatMap(({ audited }) => audited),
    ),
    ...parts.map(({ ready }) => ready),
  ]);
  const entries = parts.flatMap((part) => part.apply(book));
  const writing = Promise.all([book.write(), chains.append(entries), ...parts.map((part) => part.write())]);
  sent();
  const [, , ...results] = await writing;
  return results as unknown as Results<Parts>;
}
