// The wallet's ledger for one transaction. It locks the wallets it is opened for; applies holds, captures, voids,
// refunds and charges in the order of the calls; knows the exact balance after each; and writes everything in a handful
// of statements, however many there were. Nothing else changes a balance.
import assert from 'node:assert/strict';
import { appendEvents, type NewEvent } from '../events/append-events.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { entriesOf, type TxKind, walletEffect } from './rules/journal.ts';
import { lowAfter } from './rules/low-balance.ts';
import {
  type HoldKey,
  type HoldRow,
  insertLedgerRows,
  type LedgerKey,
  type LedgerTxRow,
  listHolds,
  listLedgerTxs,
  lockFreeWallets,
  lockWallets,
  type NewHold,
  type NewLedgerEntry,
  type NewLedgerTx,
  type WalletRow,
} from './store.ts';

export type { HoldKey } from './store.ts';

/** What the ledger opens: every wallet, every hold and every earlier line that the work may touch. */
export type LedgerOrder = {
  readonly tenantIds: readonly string[];
  readonly holds?: readonly HoldKey[];
  readonly lines?: readonly LedgerKey[];
  /** False: wallets that another transaction has locked stay closed, and the rest goes on without them. True by default. */
  readonly mayWait?: boolean;
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

type SmsUses = { readonly dayCredits: number; readonly dayMessages: number; readonly minuteMessages: number };

export interface LedgerSession {
  /** False when another transaction has locked the wallet; then the caller may ask nothing else about it here. */
  isOpen(tenantId: string): boolean;
  balance(tenantId: string): number;
  /** The credits that may still be held or spent. */
  available(tenantId: string): number;
  /** What the tenant's messages have used of the current day and minute, by the database's clock. */
  smsUses(tenantId: string): SmsUses;
  countSms(tenantId: string, credits: number): void;
  /** The caller must check `available` first; a hold beyond it is a fault and ends the transaction. */
  hold(hold: NewHold): void;
  findHold(key: HoldKey): Readonly<HoldRow> | undefined;
  findLine(key: LedgerKey): LedgerTxRow | undefined;
  /** Charges `amount` of an open hold and releases the rest. False when the hold is no longer open. */
  capture(key: HoldKey, amount: number, creditReportId: string): boolean;
  /** False when the hold is no longer open. */
  void(key: HoldKey): boolean;
  post(posting: Posting): void;
  /** Writes all changes; after that the ledger is closed. */
  write(): Promise<void>;
}

const CHARGE_KINDS = { report: 'report-charge', sms: 'sms-charge' } as const;

const isByHand = (kind: TxKind) => kind === 'top-up' || kind === 'adjust';

/** Whole credits. Only an adjustment may be negative, and neither it nor a top-up may be zero. */
function checkAmount(kind: TxKind, amount: number): void {
  assert(Number.isSafeInteger(amount), 'an amount is no whole number of credits');
  assert(
    amount > 0 || (amount === 0 && !isByHand(kind)) || (amount < 0 && kind === 'adjust'),
    `no amount for a ${kind}`,
  );
}

const keyOf = ({ tenantId, kind, sourceId }: HoldKey | LedgerKey) => `${tenantId}/${kind}/${sourceId}`;

export async function openLedger(tx: Tx, order: LedgerOrder): Promise<LedgerSession> {
  const { tenantIds, holds = [], lines = [], mayWait = true } = order;
  const lock = mayWait ? lockWallets : lockFreeWallets;
  // Pipelined: PostgreSQL runs them in this order. It reads holds and lines once the wallets are locked.
  const [walletRows, holdRows, lineRows] = await Promise.all([
    lock(tx, [...new Set(tenantIds)]),
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
  const events: NewEvent[] = [];

  function walletOf(tenantId: string): WalletRow {
    const wallet = wallets.get(tenantId);
    assert(wallet, 'a tenant has no wallet, or the ledger was not opened for it');
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
    const effect = walletEffect(kind, amount);
    const wallet = change(tenantId, { balance: effect });
    wallet.lastSeq += 1;
    noteLow(wallet, effect, kind);
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

  /** Under the wallet's lock, so that of many charges at once one makes the wallet low. */
  function noteLow(wallet: WalletRow, effect: number, kind: TxKind): void {
    const { tenantId, balance, lowBalanceCredits: threshold } = wallet;
    const state = { threshold, toldFor: wallet.lowCredits };
    const { toldFor, isNews } = lowAfter(state, { balance, effect, isByHand: isByHand(kind) });
    wallet.lowCredits = toldFor;
    if (!isNews || threshold === null) return;
    wallet.isNewlyLow = true;
    events.push({
      tenantId,
      type: 'wallet.low',
      subjectId: tenantId,
      creditReportId: null,
      amount: threshold,
      balance,
    });
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
    isOpen: (tenantId) => wallets.has(tenantId),
    balance: (tenantId) => walletOf(tenantId).balance,
    available: (tenantId) => walletOf(tenantId).balance - walletOf(tenantId).held,
    smsUses(tenantId) {
      const { smsDayCredits, smsDayMessages, smsMinuteMessages } = walletOf(tenantId);
      return { dayCredits: smsDayCredits, dayMessages: smsDayMessages, minuteMessages: smsMinuteMessages };
    },
    countSms(tenantId, credits) {
      const wallet = walletOf(tenantId);
      wallet.smsDayCredits += credits;
      wallet.smsDayMessages += 1;
      wallet.smsMinuteMessages += 1;
      changed.add(wallet);
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
      // Sent together; few transactions have an event of their own here.
      await Promise.all([
        insertLedgerRows(tx, {
          wallets: [...changed],
          newHolds,
          settledHolds: [...settledHolds],
          ledgerTxs,
          entries,
        }),
        appendEvents(tx, events),
      ]);
    },
  };
}

/**
 * Throws if the wallet cannot cover the amount, with the two figures that a caller can act on
 * (docs/decisions/0010-insufficient-funds.md).
 */
export function requireFunds(ledger: LedgerSession, tenantId: string, required: number): void {
  const available = ledger.available(tenantId);
  if (available < required)
    throw new ServiceError('insufficient-funds', undefined, { fields: { required, available } });
}
