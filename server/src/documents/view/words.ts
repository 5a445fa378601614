// The fixed words of documents: agencies, kinds and states of accounts, counts and lists.
import type { AccountStatus, AccountType, Bureau } from '@trefoil/contract';

export const AGENCY_NAMES: Readonly<Record<Bureau, string>> = {
  equifax: 'Equifax',
  experian: 'Experian',
  transunion: 'TransUnion',
};

/** The order in which every document names the agencies. */
export const AGENCIES = Object.keys(AGENCY_NAMES) as readonly Bureau[];

export const TYPE_WORDS: Readonly<Record<AccountType, string>> = {
  'hire-purchase': 'Hire purchase',
  'credit-card': 'Credit card',
  mortgage: 'Mortgage',
  'personal-loan': 'Personal loan',
  'secured-loan': 'Secured loan',
  'store-card': 'Store card',
  'charge-card': 'Charge card',
  'current-account': 'Current account',
  'mail-order': 'Mail order',
  'home-credit': 'Home credit',
  'student-loan': 'Student loan',
  lease: 'Lease',
  communications: 'Phone or broadband',
  utility: 'Utility',
  insurance: 'Insurance',
  rental: 'Rental',
  'buy-now-pay-later': 'Buy now pay later',
  other: 'Other',
};

export const STATUS_WORDS: Readonly<Record<AccountStatus, string>> = {
  open: 'Open',
  settled: 'Settled',
  closed: 'Closed',
  default: 'Default',
  arrears: 'Arrears',
  arrangement: 'Arrangement',
  dormant: 'Dormant',
  transferred: 'Transferred',
  'voluntary-termination': 'Voluntary termination',
  repossessed: 'Repossessed',
  'partially-settled': 'Partially settled',
  query: 'Query',
  unknown: 'Not known',
};

const RUNNING: ReadonlySet<AccountStatus> = new Set(['open', 'arrears', 'arrangement', 'dormant']);
export const isRunning = (status: AccountStatus) => RUNNING.has(status);

/** What this document calls car finance: no agency says what was bought. */
export const CAR_FINANCE: ReadonlySet<AccountType> = new Set(['hire-purchase', 'lease']);

export const NOT_GIVEN = 'not given';
export const NOT_KEPT = 'not kept';
/** Nothing to compare, or nothing to count. */
export const DASH = '–';

export const list = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

export const count = (number: number, one: string, many = `${one}s`) =>
  `${number === 0 ? 'no' : number.toLocaleString('en-GB')} ${number === 1 ? one : many}`;

export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
