// Parts of one transaction that share the wallet's book: reports that are reserved and reports that are settled go
// through one round of locks, one write of the books and one commit. Reserving and settling in transactions of their own
// would wait for each other at every busy wallet (docs/decisions/0119).
import type { Tx } from '../lib/sql.ts';
import { type Book, type BookOrder, openBook } from '../wallet/open-book.ts';

export type Part<Result> = {
  /** What the book must be opened for. Everything the part locks besides is locked by now. */
  readonly order: BookOrder;
  /** Moves credits in the book; no statement is sent here. */
  apply(book: Book): void;
  /** Writes the rest. Call it once, after the book is written. */
  write(): Promise<readonly Result[]>;
};

export function emptyPart(): Part<never> {
  return { order: { tenantIds: [] }, apply: () => undefined, write: async () => [] };
}

type Results<Parts extends readonly Part<unknown>[]> = {
  [Place in keyof Parts]: Parts[Place] extends Part<infer Result> ? readonly Result[] : never;
};

/** Opens one book for all parts, lets each move its credits in their order, and writes everything. */
export async function runParts<const Parts extends readonly Part<unknown>[]>(
  tx: Tx,
  parts: Parts,
): Promise<Results<Parts>> {
  const tenantIds = parts.flatMap(({ order }) => order.tenantIds);
  const book =
    tenantIds.length === 0
      ? undefined
      : await openBook(tx, {
          tenantIds,
          holds: parts.flatMap(({ order }) => order.holds ?? []),
          lines: parts.flatMap(({ order }) => order.lines ?? []),
        });
  if (book) for (const part of parts) part.apply(book);
  const [, ...results] = await Promise.all([book?.write(), ...parts.map((part) => part.write())]);
  return results as unknown as Results<Parts>;
}
