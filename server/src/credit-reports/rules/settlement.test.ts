// The state table of docs/decisions/0050-when-the-report-is-charged.md as a test: every pair of a state and an ending,
// including the impossible ones.
import { expect, test } from 'vitest';
import { type Effects, type Ending, effectsOf, type OpenStatus, priceOfAnswered } from './settlement.ts';

const STATES: readonly OpenStatus[] = ['pending', 'challenged', 'fetching'];
const ENDINGS: readonly Ending[] = ['complete', 'challenge', 'blocked', 'failed', 'expired'];

const charged = ['report.completed', 'wallet.charged'] as const;
const refunded = ['report.failed', 'wallet.refunded'] as const;
const rows: [OpenStatus, Ending, Effects][] = [
  ['pending', 'complete', { status: 'complete', money: 'capture', firstSend: 'void', events: charged }],
  [
    'pending',
    'challenge',
    {
      status: 'challenged',
      money: 'capture',
      firstSend: 'keep',
      events: ['report.challenged', 'wallet.charged', 'challenge.sent'],
    },
  ],
  ['pending', 'blocked', { status: 'blocked', money: 'void', firstSend: 'void', events: ['report.blocked'] }],
  ['pending', 'failed', { status: 'failed', money: 'void', firstSend: 'void', events: ['report.failed'] }],
  ['challenged', 'failed', { status: 'failed', money: 'refund-all', firstSend: 'keep', events: refunded }],
  [
    'challenged',
    'expired',
    { status: 'expired', money: 'refund-all', firstSend: 'keep', events: ['report.expired', 'wallet.refunded'] },
  ],
  [
    'fetching',
    'complete',
    { status: 'complete', money: 'refund-unanswered', firstSend: 'keep', events: ['report.completed'] },
  ],
  ['fetching', 'failed', { status: 'failed', money: 'refund-all', firstSend: 'keep', events: refunded }],
];
for (const [from, ending, effects] of rows) {
  test(`${from}, ${ending}: ${effects.status}, ${effects.money}, first message ${effects.firstSend}`, () => {
    expect(effectsOf(from, ending)).toEqual(effects);
  });
}

for (const from of STATES) {
  for (const ending of ENDINGS) {
    if (rows.some(([state, end]) => state === from && end === ending)) continue;
    test(`${from}, ${ending}: not in the table, so it throws and moves nothing`, () => {
      expect(() => effectsOf(from, ending)).toThrow(`a ${from} report cannot end as ${ending}`);
    });
  }
}

test('an ending that gives credits back says so, and only a capture says that the wallet was charged', () => {
  for (const [from, ending] of rows) {
    const { money, events } = effectsOf(from, ending);
    expect(events.includes('wallet.refunded')).toBe(money === 'refund-all');
    expect(events.includes('wallet.charged')).toBe(money === 'capture');
  }
});

const prices = [
  // amount, per bureau, unanswered, price
  [2_000, 600, 0, 2_000],
  [2_000, 600, 1, 1_400],
  [2_000, 600, 2, 800],
  [800, 600, 0, 800],
  [0, 0, 2, 0],
  [200, 0, 2, 200],
] as const;
for (const [amount, perBureau, unanswered, price] of prices) {
  test(`${amount} held, ${perBureau} a bureau, ${unanswered} unanswered: ${price}`, () => {
    expect(priceOfAnswered({ amount, perBureau }, unanswered)).toBe(price);
  });
}
