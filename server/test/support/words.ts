// The words that tests of live reports share: prices, patience, names, numbers and codes.
import type { InboxMessage } from './live.ts';

/** The default prices in credits. */
export const PRICE = { report: 200, bureau: 600, sms: 40 } as const;
/** What a report of three bureaus costs. */
export const P = PRICE.report + 3 * PRICE.bureau;
/** What a message costs. */
export const S = PRICE.sms;
/** Of a tenant that can pay for what a test asks. */
export const FUNDS = 10_000;

export const BUREAUS = ['albion', 'beacon', 'cygnet'] as const;

let lastNumber = 0;
/** A number of a test's own; the digit chooses what the simulated carrier does with it. */
export function newMobile(digit: number): string {
  lastNumber += 1;
  return `+447700900${digit}${String(lastNumber % 100).padStart(2, '0')}`;
}
/** A number of a test's own that gets no receipt unless the test asks for one. */
export const quietMobile = () => newMobile(3);

let lastPerson = 0;
/** A family name of a test's own, so that a rule at a simulator meets this test alone. */
export function newName(): string {
  lastPerson += 1;
  return `Larksworth${String.fromCharCode(97 + (lastPerson % 26), 97 + Math.trunc(lastPerson / 26))}`;
}

export const codeIn = ({ body }: InboxMessage) => /^\d{6}/.exec(body)?.[0] ?? '';
/** Six digits that are none of these. */
export const wrongCode = (...codes: string[]) =>
  ['000000', '111111', '222222', '333333'].find((each) => !codes.includes(each)) ?? '';
