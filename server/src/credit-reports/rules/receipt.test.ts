// One message as a table: every state, every proof.
import { expect, test } from 'vitest';
import { applyProof, type Proof, type SendEffect, type SendState } from './receipt.ts';

type Row = readonly [SendState, Record<Proof, readonly [SendState, SendEffect['money']]>];
const over = (state: SendState): Row => [
  state,
  {
    sent: [state, 'none'],
    delivered: ['delivered', 'charge-late'],
    undelivered: [state, 'none'],
    refused: [state, 'none'],
    silent: [state, 'none'],
  },
];
const open = (state: SendState): Row => [
  state,
  {
    sent: [state, 'none'],
    delivered: ['delivered', 'capture'],
    undelivered: ['undelivered', 'void'],
    refused: ['refused', 'void'],
    silent: ['silent', 'void'],
  },
];
const rows: Row[] = [
  open('queued'),
  open('submitted'),
  [
    'delivered',
    {
      sent: ['delivered', 'none'],
      delivered: ['delivered', 'none'],
      undelivered: ['delivered', 'none'],
      refused: ['delivered', 'none'],
      silent: ['delivered', 'none'],
    },
  ],
  over('undelivered'),
  over('refused'),
  over('silent'),
];
for (const [state, proofs] of rows) {
  for (const [proof, [next, money]] of Object.entries(proofs)) {
    test(`${state}, ${proof}: ${next}, ${money}`, () => {
      expect(applyProof(state, proof as Proof)).toEqual({ state: next, money });
    });
  }
}
