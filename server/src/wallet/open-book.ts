// The wallet's book for one transaction: locks the wallets it is opened for, takes holds, captures, voids, refunds and
// charges in the order they are called, knows the exact balance after each, and writes everything in a handful of
// statements however many there were. Nothing else changes a balance.
import assert from 'node:assert/strict';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/sql.ts';
import { entriesOf, type TxKind, walletEffect } from './rules/journal.ts';
import {
  type HoldKey,
  type HoldRow,
  insertBook,
  type LedgerKey,
  type LedgerTxRow,
  listHolds,
  listLedgerTxs,
  lockWallets,
  type NewHold,
  type NewLedgerEntry,
  type NewLedgerTx,
  type WalletRow,
} from './store.ts';

export type { HoldKey } from './store.ts';

/** What the book is opened for: every wallet, every hold and every earlier line the work may touch. */
export type BookOrder = {
  readonly tenantIds: readonly string[];
  readonly holds?: readonly HoldKey[];
  readonly lines?: readonly LedgerKey[];
};

export type Posting = {
  readonly tenantId: string;
  readonly kind: TxKind;
  readonly sourceId: string;
  readonly amount: number;
  readonly creditReportId?: string;
  readonly reversesSeq?: number;
  readonly note?: string;
};

export interface Book {
  balance(tenantId: string): number;
  /** What may still be held or spent. */
  available(tenantId: string): number;
  /** Credits of messages the tenant has sent today, by the database's clock. */
  smsDayCredits(tenantId: string): number;
  countSms(tenantId: string, credits: number): void;
  /** The caller has looked at `available` first; a hold beyond it is a fault and ends the transaction. */
  hold(hold: NewHold): void;
  findHold(key: HoldKey): Readonly<HoldRow> | undefined;
  findLine(key: LedgerKey): LedgerTxRow | undefined;
  /** Charges `amount` of an open hold and gives the rest back. False when the hold is not open any more. */
  capture(key: HoldKey, amount: number, creditReportId: string): boolean;
  /** False when the hold is not open any more. */
  void(key: HoldKey): boolean;
  post(posting: Posting): void;
  /** Writes all of it; the book is closed then. */
  write(): Promise<void>;
}

const CHARGE_KINDS = { report: 'report-charge', sms: 'sms-charge' } as const;

/** Whole credits. Only a hand may take away, by an adjustment, and neither it nor a top-up moves nothing. */
function checkAmount(kind: TxKind, amount: number): void {
  const isByHand = kind === 'top-up' || kind === 'adjust';
  assert(Number.isSafeInteger(amount), 'an amount is no whole number of credits');
  assert(amount > 0 || (amount === 0 && !isByHand) || (amount < 0 && kind === 'adjust'), `no amount for a ${kind}`);
}

const keyOf = ({ tenantId, kind, sourceId }: HoldKey | LedgerKey) => `${tenantId}/${kind}/${sourceId}`;

export async function openBook(tx: Tx, { tenantIds, holds = [], lines = [] }: BookOrder): Promise<Book> {
  // Sent together, run in this order: holds and lines are read once the wallets are locked.
  const [walletRows, holdRows, lineRows] = await Promise.all([
    lockWallets(tx, [...new Set(tenantIds)]),
    holds.length > 0 ? listHolds(tx, holds) : [],
    lines.length > 0 ? listLedgerTxs(tx, lines) : [],
  ]);
  const wallets = new Map(walletRows.map((wallet) => [wallet.tenantId, wallet]));
  const known = new Map(holdRows.map((hold): [string, HoldRow] => [keyOf(hold), hold]));
  const earlier = new Map(lineRows.map((line) => [keyOf(line), line]));
  const newHolds: NewHold[] = [];
  const settledHolds = new Set<HoldRow>();
  const ledgerTxs: NewLedgerTx[] = [];
  const entries: NewLedgerEntry[] = [];
  const changed = new Set<WalletRow>();

  function walletOf(tenantId: string): WalletRow {
    const wallet = wallets.get(tenantId);
    assert(wallet, 'a tenant has no wallet, or the book was not opened for it');
    return wallet;
  }

  function change(tenantId: string, by: { balance?: number; held?: number }): WalletRow {
    const wallet = walletOf(tenantId);
    wallet.balance += by.balance ?? 0;
    wallet.held += by.held ?? 0;
    assert(Number.isSafeInteger(wallet.balance) && Number.isSafeInteger(wallet.held), 'a balance is no safe integer');
    assert(wallet.held >= 0 && wallet.balance >= wallet.held, 'a wallet would fall below what it holds');
    changed.add(wallet);
    return wallet;
  }

  function post({ tenantId, kind, sourceId, amount, creditReportId, reversesSeq, note }: Posting): void {
    checkAmount(kind, amount);
    const wallet = change(tenantId, { balance: walletEffect(kind, amount) });
    wallet.lastSeq += 1;
    ledgerTxs.push({
      tenantId,
      seq: wallet.lastSeq,
      kind,
      sourceId,
      creditReportId: creditReportId ?? null,
      reversesSeq: reversesSeq ?? null,
      balanceAfter: wallet.balance,
      note: note ?? null,
    });
    for (const entry of entriesOf(kind, amount)) entries.push({ tenantId, seq: wallet.lastSeq, ...entry });
  }

  function settle(key: HoldKey, state: 'captured' | 'voided', capturedAmount: number): boolean {
    const hold = known.get(keyOf(key));
    if (hold?.state !== 'open') return false;
    assert(capturedAmount >= 0 && capturedAmount <= hold.amount, 'a capture exceeds its hold');
    hold.state = state;
    hold.capturedAmount = capturedAmount;
    settledHolds.add(hold);
    change(hold.tenantId, { held: -hold.amount });
    return true;
  }

  return {
    balance: (tenantId) => walletOf(tenantId).balance,
    available: (tenantId) => walletOf(tenantId).balance - walletOf(tenantId).held,
    smsDayCredits: (tenantId) => walletOf(tenantId).smsDayCredits,
    countSms(tenantId, credits) {
      walletOf(tenantId).smsDayCredits += credits;
      changed.add(walletOf(tenantId));
    },
    hold(hold) {
      assert(Number.isSafeInteger(hold.amount) && hold.amount >= 0, 'a hold is no whole number of credits');
      change(hold.tenantId, { held: hold.amount });
      newHolds.push(hold);
    },
    findHold: (key) => known.get(keyOf(key)),
    findLine: (key) => earlier.get(keyOf(key)),
    capture(key, amount, creditReportId) {
      if (!settle(key, 'captured', amount)) return false;
      post({ ...key, kind: CHARGE_KINDS[key.kind], amount, creditReportId });
      return true;
    },
    void: (key) => settle(key, 'voided', 0),
    post,
    async write() {
      if (changed.size === 0) return;
      await insertBook(tx, {
        wallets: [...changed],
        newHolds,
        settledHolds: [...settledHolds],
        ledgerTxs,
        entries,
      });
    },
  };
}

/** Refuses what the wallet cannot cover, with the two figures a caller can act on (docs/decisions/0010). */
export function requireFunds(book: Book, tenantId: string, required: number): void {
  const available = book.available(tenantId);
  if (available < required) throw new ServiceError('insufficient-funds', undefined, { required, available });
}
