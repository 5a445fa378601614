// Steps of one transaction that share the wallet's ledger: reservations and settlements of reports go through one round
// of locks, one ledger write and one commit. In separate transactions they would wait for each other at every busy
// wallet (docs/decisions/0119-group-commit.md).
import { type AuditEntry, openChains } from '../audit/append-audit.ts';
import type { HELD } from '../lib/batch/batch.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { type LedgerOrder, type LedgerSession, openLedger } from '../wallet/open-ledger.ts';

export type TransactionStep<Result> = {
  /** What the ledger must open. Fixed before anything is locked, so it lists too much rather than too little. */
  readonly order: LedgerOrder;
  /** The tenants whose audit chains it adds to. */
  readonly audited: readonly string[];
  /** The step's own locks, sent before those on wallets. */
  readonly ready: Promise<void>;
  /** Moves credits in the ledger, only of open wallets; it sends no statement. Returns the rows for the audit chains. */
  apply(ledger: LedgerSession): readonly AuditEntry[];
  /** Writes the rest: sends everything before it awaits any answer. HELD for items that need a wallet that is not open. */
  write(): Promise<readonly (Result | typeof HELD)[]>;
};

export function emptyStep(): TransactionStep<never> {
  return {
    order: { tenantIds: [] },
    audited: [],
    ready: Promise.resolve(),
    apply: () => [],
    write: async () => [],
  };
}

/** Audit rows without any other change. */
export function openNotes(entries: readonly AuditEntry[]): TransactionStep<'noted'> {
  if (entries.length === 0) return emptyStep();
  return {
    ...emptyStep(),
    audited: entries.map(({ tenantId }) => tenantId),
    apply: () => entries,
    write: async () => entries.map(() => 'noted'),
  };
}

type Results<Steps extends readonly TransactionStep<unknown>[]> = {
  [Place in keyof Steps]: Steps[Place] extends TransactionStep<infer Result>
    ? readonly (Result | typeof HELD)[]
    : never;
};

export type StepsOptions = {
  /** Called when the last statement is being sent, and never when a step failed to send its own. */
  readonly sent?: () => void;
  /** As in the ledger; true by default. */
  readonly mayWait?: boolean;
};

/**
 * Opens one ledger for all steps, lets each move its credits in order, and writes everything. All locks are pipelined
 * together, and so are all writes with the commit (`sent`).
 */
export async function runSteps<const Steps extends readonly TransactionStep<unknown>[]>(
  tx: Tx,
  steps: Steps,
  { sent = () => undefined, mayWait = true }: StepsOptions = {},
): Promise<Results<Steps>> {
  const tenantIds = steps.flatMap(({ order }) => order.tenantIds);
  const [ledger, chains] = await Promise.all([
    openLedger(tx, {
      tenantIds,
      holds: steps.flatMap(({ order }) => order.holds ?? []),
      lines: steps.flatMap(({ order }) => order.lines ?? []),
      mayWait,
    }),
    openChains(
      tx,
      steps.flatMap(({ audited }) => audited),
    ),
    ...steps.map(({ ready }) => ready),
  ]);
  const entries = steps.flatMap((step) => step.apply(ledger));
  let hasFailed = false;
  // Runs after every promise that can fail without a database answer has failed, and before the statements are sent,
  // which happens a tick later: the commit must not go out with half of the writes.
  process.nextTick(() => {
    if (!hasFailed) sent();
  });
  const writing = Promise.all([ledger.write(), chains.append(entries), ...steps.map((step) => step.write())]);
  writing.catch(() => {
    hasFailed = true;
  });
  const [, , ...results] = await writing;
  return results as unknown as Results<Steps>;
}
