// Beacon's code tables. They belong to Beacon alone: its `D` means dormant, where other bureaus mean default.
import type { AccountStatus, AccountType, CompanyType, SEARCH_TYPES } from '@trefoil/contract';

export const ACCOUNT_TYPES: ReadonlyMap<string, AccountType> = new Map<string, AccountType>([
  ['011', 'hire-purchase'],
  ['012', 'lease'],
  ['013', 'hire-purchase'],
  ['021', 'personal-loan'],
  ['022', 'secured-loan'],
  ['023', 'student-loan'],
  ['024', 'home-credit'],
  ['031', 'credit-card'],
  ['032', 'store-card'],
  ['033', 'charge-card'],
  ['034', 'mail-order'],
  ['035', 'buy-now-pay-later'],
  ['041', 'mortgage'],
  ['051', 'current-account'],
  ['061', 'communications'],
  ['062', 'communications'],
  ['071', 'utility'],
  ['072', 'utility'],
  ['081', 'insurance'],
  ['091', 'rental'],
  ['099', 'other'],
]);

export const ACCOUNT_STATUSES: ReadonlyMap<string, AccountStatus> = new Map<string, AccountStatus>([
  ['A', 'open'],
  ['B', 'arrears'],
  ['S', 'settled'],
  ['C', 'closed'],
  ['8', 'default'],
  ['M', 'arrangement'],
  ['D', 'dormant'],
  ['T', 'transferred'],
  ['V', 'voluntary-termination'],
  ['R', 'repossessed'],
  ['P', 'partially-settled'],
  ['Q', 'query'],
  ['U', 'unknown'],
]);

export const COMPANY_TYPES: ReadonlyMap<string, CompanyType> = new Map<string, CompanyType>([
  ['01', 'bank'],
  ['02', 'building-society'],
  ['03', 'credit-union'],
  ['04', 'credit-card-issuer'],
  ['05', 'retailer'],
  ['06', 'mail-order'],
  ['07', 'motor-finance'],
  ['08', 'finance-house'],
  ['09', 'telecoms'],
  ['10', 'utility'],
  ['11', 'insurer'],
  ['12', 'debt-purchaser'],
  ['13', 'public-sector'],
  ['99', 'other'],
]);

export const FREQUENCIES: ReadonlySet<string> = new Set(['W', 'F', 'M', 'Q', 'A']);
export const SEARCH_REASONS: ReadonlySet<string> = new Set(['Q', 'A', 'I', 'O', 'D', 'X']);

/** Owed, in the holder's favour, limit, final payment, at default. */
export const BALANCE_KINDS = ['C', 'K', 'L', 'F', 'D'] as const;
export type BalanceKind = (typeof BALANCE_KINDS)[number];

/** The consumer asks for their own file, through us. */
export const PURPOSES: Record<(typeof SEARCH_TYPES)[number], string> = { pcp: 'O' };

/** What a return code other than "file" and "no trace" means to us. An unlisted code is a refusal. */
export const RETURN_CODES: ReadonlyMap<string, 'throttled' | 'refused' | 'request-refused'> = new Map([
  ['0210', 'request-refused'],
  ['0211', 'request-refused'],
  ['0401', 'refused'],
  ['0429', 'throttled'],
  ['0451', 'refused'],
  ['0900', 'refused'],
  ['0999', 'refused'],
]);
