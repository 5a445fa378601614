// The journal: every kind of transaction, its two accounts, its effect on the wallet; always zero in sum.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Account, entriesOf, type TxKind, walletEffect } from './journal.ts';

const rows: [TxKind, number, [Account, number], [Account, number], number][] = [
  // kind, amount, added to, taken from, effect on the wallet
  ['top-up', 500, ['wallet', 500], ['funding', -500], 500],
  ['adjust', 30, ['wallet', 30], ['adjust', -30], 30],
  ['adjust', -30, ['wallet', -30], ['adjust', 30], -30],
  ['report-charge', 2_000, ['revenue:report', 2_000], ['wallet', -2_000], -2_000],
  ['report-refund', 600, ['wallet', 600], ['revenue:report', -600], 600],
  ['sms-charge', 40, ['revenue:sms', 40], ['wallet', -40], -40],
  ['sms-writeoff', 40, ['revenue:sms', 40], ['writeoff', -40], 0],
];
for (const [kind, amount, to, from, effect] of rows) {
  test(`${kind} of ${amount}: ${to[0]} ${to[1]}, ${from[0]} ${from[1]}, wallet ${effect}`, () => {
    expect(entriesOf(kind, amount)).toEqual([
      { account: to[0], amount: to[1] },
      { account: from[0], amount: from[1] },
    ]);
    expect(walletEffect(kind, amount)).toBe(effect);
  });
}

test('every kind, every safe amount: two different accounts, whole credits, zero in sum, and no negative zero', () => {
  const kinds = [...new Set(rows.map(([kind]) => kind))];
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.maxSafeInteger(), (kind, amount) => {
      const [to, from] = entriesOf(kind, amount);
      expect(to.account).not.toBe(from.account);
      expect(BigInt(to.amount) + BigInt(from.amount)).toBe(0n);
      for (const entry of [to, from]) {
        expect(Number.isSafeInteger(entry.amount)).toBe(true);
        if (amount === 0) expect(Object.is(entry.amount, 0)).toBe(true);
      }
      expect([to, from].filter(({ account }) => account === 'wallet').length).toBe(kind === 'sms-writeoff' ? 0 : 1);
    }),
  );
});
