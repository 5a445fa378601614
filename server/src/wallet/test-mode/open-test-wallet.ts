// The test wallet for one transaction: what open-ledger.ts is for live mode, without holds, because test mode settles in the transaction that
// begins (docs/decisions/0287-money-in-test-mode.md). Nothing else changes its balance, and it knows no table of live mode.
import assert from 'node:assert/strict';
import { TEST_CREDITS } from '@trefoil/contract';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import { ServiceError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { lowAfter } from '../rules/low-balance.ts';
import { insertTestLines, lockTestWallet, type TestLine, type TestLineKey } from './test-wallet-store.ts';

type Line = Omit<TestLineKey, 'tenantId'> &
  Partial<Pick<TestLine, 'creditReportId' | 'reversesSeq' | 'bureauCount' | 'perBureau'>> &
  Pick<TestLine, 'amount'>;

export interface TestWallet {
  balance(): number;
  /** `amount` is the effect on the wallet. The caller must check the balance first; one below zero is a fault. */
  post(line: Line): void;
  /** Throws insufficient-funds, as live mode does. */
  requireFunds(required: number): void;
  /** Writes the lines, and the events about the wallet alone: those of reports are the caller's, and come after them. */
  write(): Promise<void>;
}

const BY_HAND = { 'top-up': 'wallet.topped-up', adjust: 'wallet.adjusted' } as const;
const NOTES = { 'top-up': 'The first credits of the test wallet', adjust: 'The test wallet was reset' } as const;

const isByHand = (kind: Line['kind']): kind is keyof typeof BY_HAND => Object.hasOwn(BY_HAND, kind);

/** Locks the wallet. The first time it gets its credits. */
export async function openTestWallet(tx: Tx, tenantId: string): Promise<TestWallet> {
  const wallet = await lockTestWallet(tx, tenantId);
  const lines: TestLine[] = [];
  const events: NewEvent[] = [];
  const ofWallet = { tenantId, creditReportId: null, isTest: true } as const;

  function post(line: Line): void {
    const { kind, amount, sourceId } = line;
    wallet.balance += amount;
    wallet.lastSeq += 1;
    assert(Number.isSafeInteger(wallet.balance) && wallet.balance >= 0, 'a test wallet would fall below zero');
    const none = { creditReportId: null, reversesSeq: null, bureauCount: null, perBureau: null };
    const note = isByHand(kind) ? NOTES[kind] : null;
    lines.push({ ...none, ...line, tenantId, seq: wallet.lastSeq, balanceAfter: wallet.balance, note });
    if (isByHand(kind)) events.push({ ...ofWallet, type: BY_HAND[kind], subjectId: sourceId, amount });
    noteLow(amount, isByHand(kind));
  }

  /** Once for a threshold, as of a live wallet, but without a mail. */
  function noteLow(effect: number, byHand: boolean): void {
    const { balance, lowBalanceCredits: threshold } = wallet;
    const state = { threshold, toldFor: wallet.lowCredits };
    const { toldFor, isNews } = lowAfter(state, { balance, effect, isByHand: byHand });
    wallet.lowCredits = toldFor;
    if (!isNews || threshold === null) return;
    events.push({ ...ofWallet, type: 'wallet.low', subjectId: tenantId, amount: threshold, balance });
  }

  if (wallet.lastSeq === 0) post({ kind: 'top-up', sourceId: newId(), amount: TEST_CREDITS });
  return {
    balance: () => wallet.balance,
    post,
    requireFunds(required) {
      const available = wallet.balance;
      if (available < required)
        throw new ServiceError('insufficient-funds', undefined, { fields: { required, available } });
    },
    async write() {
      if (lines.length === 0) return;
      await Promise.all([insertTestLines(tx, wallet, lines), appendEvents(tx, events)]);
    },
  };
}
