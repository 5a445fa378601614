// Albion's code tables. They belong to Albion alone: other bureaus use the same letters for other meanings.
import type { AccountStatus, AccountType, CompanyType, SEARCH_TYPES } from '@trefoil/contract';

export const ACCOUNT_TYPES: ReadonlyMap<string, AccountType> = new Map<string, AccountType>([
  ['HP', 'hire-purchase'],
  ['CC', 'credit-card'],
  ['MG', 'mortgage'],
  ['UL', 'personal-loan'],
  ['SL', 'secured-loan'],
  ['SC', 'store-card'],
  ['CH', 'charge-card'],
  ['CA', 'current-account'],
  ['BK', 'current-account'],
  ['DP', 'buy-now-pay-later'],
  ['MO', 'mail-order'],
  ['HC', 'home-credit'],
  ['ST', 'student-loan'],
  ['LS', 'lease'],
  ['TM', 'communications'],
  ['MU', 'communications'],
  ['UT', 'utility'],
  ['IN', 'insurance'],
  ['RN', 'rental'],
  // A budget account has no closer kind.
  ['BD', 'other'],
]);

export const ACCOUNT_STATUSES: ReadonlyMap<string, AccountStatus> = new Map<string, AccountStatus>([
  ['O', 'open'],
  ['1', 'arrears'],
  ['2', 'arrears'],
  ['3', 'arrears'],
  ['4', 'arrears'],
  ['5', 'arrears'],
  ['6', 'arrears'],
  ['S', 'settled'],
  ['C', 'closed'],
  ['D', 'default'],
  ['P', 'arrangement'],
  ['N', 'dormant'],
  ['T', 'transferred'],
  ['V', 'voluntary-termination'],
  ['R', 'repossessed'],
  ['K', 'partially-settled'],
  ['Q', 'query'],
  ['U', 'unknown'],
]);

export const COMPANY_TYPES: ReadonlyMap<string, CompanyType> = new Map<string, CompanyType>([
  ['BK', 'bank'],
  ['BS', 'building-society'],
  // Motor finance too: Albion has no separate code for it.
  ['FH', 'finance-house'],
  ['CI', 'credit-card-issuer'],
  ['RT', 'retailer'],
  ['MO', 'mail-order'],
  ['TC', 'telecoms'],
  ['UT', 'utility'],
  ['IN', 'insurer'],
  ['DP', 'debt-purchaser'],
  ['CU', 'credit-union'],
  ['PS', 'public-sector'],
  ['OT', 'other'],
]);

/** Months between two payments, as a fraction of whole numbers. */
export const FREQUENCIES: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['W', [12, 52]],
  ['2W', [12, 26]],
  ['M', [1, 1]],
  ['Q', [3, 1]],
  ['Y', [12, 1]],
]);

export const SEARCH_REASONS: ReadonlySet<string> = new Set(['QS', 'CA', 'ID', 'OW', 'DC', 'AM']);

/** The consumer asks for their own file, through us. */
export const PURPOSES: Record<(typeof SEARCH_TYPES)[number], string> = { pcp: 'OW' };

/** What a fault means to us. An unlisted fault is a refusal. */
export const FAULTS: ReadonlyMap<string, 'throttled' | 'refused' | 'request-refused'> = new Map([
  ['3001', 'refused'],
  ['3002', 'request-refused'],
  ['3003', 'request-refused'],
  ['3004', 'refused'],
  ['3012', 'throttled'],
  ['3017', 'refused'],
  ['3021', 'request-refused'],
  ['3022', 'request-refused'],
  ['3030', 'refused'],
  ['3099', 'refused'],
]);
