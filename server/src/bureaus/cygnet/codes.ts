// Cygnet's code tables. They belong to Cygnet alone.
import type { AccountStatus, AccountType, CompanyType, SEARCH_TYPES } from '@trefoil/contract';

/** Always present, even as empty lists. The product decides the account type, not the group. */
export const GROUPS: readonly string[] = [
  'vehicleFinance',
  'cards',
  'homeLoans',
  'loans',
  'banking',
  'retail',
  'household',
  'other',
];

export const ACCOUNT_TYPES: ReadonlyMap<string, AccountType> = new Map<string, AccountType>([
  ['HIRE_PURCHASE', 'hire-purchase'],
  ['CONDITIONAL_SALE', 'hire-purchase'],
  ['LEASE', 'lease'],
  ['CREDIT_CARD', 'credit-card'],
  ['STORE_CARD', 'store-card'],
  ['CHARGE_CARD', 'charge-card'],
  ['MORTGAGE', 'mortgage'],
  ['SECOND_CHARGE', 'secured-loan'],
  ['PERSONAL', 'personal-loan'],
  ['STUDENT', 'student-loan'],
  ['DOORSTEP', 'home-credit'],
  ['CURRENT', 'current-account'],
  ['BASIC', 'current-account'],
  ['CATALOGUE', 'mail-order'],
  ['PAY_LATER', 'buy-now-pay-later'],
  ['MOBILE', 'communications'],
  ['BROADBAND', 'communications'],
  ['ENERGY', 'utility'],
  ['WATER', 'utility'],
  ['INSURANCE', 'insurance'],
  ['RENT', 'rental'],
  ['UNSPECIFIED', 'other'],
]);

export const ACCOUNT_STATUSES: ReadonlyMap<string, AccountStatus> = new Map<string, AccountStatus>([
  ['OPEN', 'open'],
  ['LATE', 'arrears'],
  ['SETTLED', 'settled'],
  ['CLOSED', 'closed'],
  ['DEFAULTED', 'default'],
  ['ARRANGEMENT', 'arrangement'],
  ['DORMANT', 'dormant'],
  ['SOLD', 'transferred'],
  ['VOLUNTARY_TERMINATION', 'voluntary-termination'],
  ['REPOSSESSED', 'repossessed'],
  ['PARTIALLY_SETTLED', 'partially-settled'],
  ['DISPUTED', 'query'],
  ['UNKNOWN', 'unknown'],
]);

export const COMPANY_TYPES: ReadonlyMap<string, CompanyType> = new Map<string, CompanyType>([
  ['bank', 'bank'],
  ['mutual', 'building-society'],
  // Motor finance too: Cygnet has no separate word for it.
  ['finance-house', 'finance-house'],
  ['card-issuer', 'credit-card-issuer'],
  ['retail', 'retailer'],
  ['catalogue', 'mail-order'],
  ['telecoms', 'telecoms'],
  ['energy-water', 'utility'],
  ['insurance', 'insurer'],
  ['collections', 'debt-purchaser'],
  ['credit-union', 'credit-union'],
  ['government', 'public-sector'],
  ['other', 'other'],
]);

/** Months between two payments, as a fraction of whole numbers. */
export const INTERVALS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['P1W', [12, 52]],
  ['P2W', [12, 26]],
  ['P1M', [1, 1]],
  ['P3M', [3, 1]],
  ['P1Y', [12, 1]],
]);

export const SEARCH_REASONS: ReadonlySet<string> = new Set([
  'quotation',
  'application',
  'identity',
  'ownFile',
  'collections',
]);

/** The consumer asks for their own file, through us. */
export const PURPOSES: Record<(typeof SEARCH_TYPES)[number], string> = { pcp: 'ownFile' };

/** What the last segment of a problem's type means to us. An unlisted problem is a refusal. */
export const PROBLEMS: ReadonlyMap<
  string,
  'no-trace' | 'unauthenticated' | 'throttled' | 'refused' | 'request-refused'
> = new Map([
  ['subject-not-traced', 'no-trace'],
  ['enquiry-unknown', 'refused'],
  ['not-found', 'refused'],
  ['method-not-allowed', 'refused'],
  ['unauthenticated', 'unauthenticated'],
  ['invalid-request', 'request-refused'],
  ['unsupported-media-type', 'request-refused'],
  ['too-many-requests', 'throttled'],
  ['unavailable', 'refused'],
  ['maintenance', 'refused'],
  ['internal', 'refused'],
]);
