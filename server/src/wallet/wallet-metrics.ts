// The metrics of money. No label names a tenant or a wallet.
import { Counter, type Registry } from 'prom-client';
import { beginAtZero } from '../lib/metrics.ts';
import type { TxKind } from './rules/journal.ts';

export type WalletMetrics = ReturnType<typeof createWalletMetrics>;

const KINDS: readonly TxKind[] = ['top-up', 'adjust', 'report-charge', 'report-refund', 'sms-charge', 'sms-writeoff'];

export function createWalletMetrics(registry: Registry) {
  const registers = [registry];
  return {
    ledgerLines: beginAtZero(
      new Counter({
        name: 'trefoil_ledger_lines_total',
        help: 'Lines of the ledger that this process counted into the days of their wallets, by kind',
        labelNames: ['kind'],
        registers,
      }),
      { kind: KINDS },
    ),
    ledgerCredits: beginAtZero(
      new Counter({
        name: 'trefoil_ledger_credits_total',
        help: 'Credits that those lines moved into or out of wallets, without their sign, by kind',
        labelNames: ['kind'],
        registers,
      }),
      { kind: KINDS },
    ),
  };
}
