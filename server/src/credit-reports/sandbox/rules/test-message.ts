// The messages of a test challenge: nothing is sent, and `testOptions.receipt` says what the carrier would report. Pure.
import type { ChallengeSend, TestReceipt } from '@trefoil/contract';

const STATES: Readonly<Record<TestReceipt, ChallengeSend['state']>> = {
  delivered: 'delivered',
  undelivered: 'undelivered',
  refused: 'refused',
  never: 'submitted',
};

export const stateOf = (receipt: TestReceipt = 'delivered'): ChallengeSend['state'] => STATES[receipt];

/** A receipt comes at once, or never. */
export function testSend(sentAt: Date, receipt: TestReceipt | undefined): ChallengeSend {
  const at = sentAt.toISOString();
  return { state: stateOf(receipt), sentAt: at, settledAt: receipt === 'never' ? null : at };
}

const DIGITS_SHOWN = 4;

/** As account numbers are shown: only the last digits. */
export function maskNumber(e164: string): string {
  const digits = e164.slice(1);
  return digits.slice(-DIGITS_SHOWN).padStart(digits.length, '*');
}
