// How much one file may contain. No consumer has that much credit; a larger reply is a fault or an attack, and reading its
// rows one by one would delay every other request. Counted before a row is read.
import { unintelligible } from './bureau-fault.ts';

const ROWS_MAX = { accounts: 2_000, addresses: 200, searches: 2_000 } as const;

type Sections = Readonly<Record<keyof typeof ROWS_MAX, number>>;

export function checkFileLimits(rows: Sections): void {
  if (rows.accounts > ROWS_MAX.accounts) unintelligible('too many accounts');
  if (rows.addresses > ROWS_MAX.addresses) unintelligible('too many addresses');
  if (rows.searches > ROWS_MAX.searches) unintelligible('too many searches');
}
