// The double-entry journal: which two accounts a transaction moves credits between. Amounts are whole credits, signed
// from the account's view, and every transaction sums to zero.
export type TxKind = 'top-up' | 'adjust' | 'report-charge' | 'report-refund' | 'sms-charge' | 'sms-writeoff';

export type Account = 'wallet' | 'funding' | 'revenue:report' | 'revenue:sms' | 'writeoff' | 'adjust';

/** [the account that gains the amount, the account that loses it] */
const ACCOUNTS: Readonly<Record<TxKind, readonly [Account, Account]>> = {
  'top-up': ['wallet', 'funding'],
  adjust: ['wallet', 'adjust'],
  'report-charge': ['revenue:report', 'wallet'],
  'report-refund': ['wallet', 'revenue:report'],
  'sms-charge': ['revenue:sms', 'wallet'],
  // Delivered after its hold was released, and no funds are left: we bear the loss, and the journal records it.
  'sms-writeoff': ['revenue:sms', 'writeoff'],
};

export type Entry = { readonly account: Account; readonly amount: number };

export function entriesOf(kind: TxKind, amount: number): readonly [Entry, Entry] {
  const [to, from] = ACCOUNTS[kind];
  return [
    { account: to, amount },
    { account: from, amount: 0 - amount },
  ];
}

/** The transaction's effect on the wallet. */
export function walletEffect(kind: TxKind, amount: number): number {
  return entriesOf(kind, amount).find(({ account }) => account === 'wallet')?.amount ?? 0;
}
