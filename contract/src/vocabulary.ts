// The closed word lists of the wire. An unknown bureau code becomes `other` or `unknown`; it never drops a record
// (docs/decisions/0015).
export const BUREAUS = ['equifax', 'experian', 'transunion'] as const;
export type Bureau = (typeof BUREAUS)[number];

export const BUREAU_OUTCOMES = ['ok', 'no-trace', 'unavailable'] as const;

/** How a list shows a report: the words of the interface, and one for a report that has no outcome yet. */
export const REPORT_STATUSES = ['complete', 'authentication-required', 'blocked', 'failed', 'in-progress'] as const;
export type ShownStatus = (typeof REPORT_STATUSES)[number];

/** Lines of a wallet's statement. */
export const ENTRY_KINDS = ['top-up', 'adjust', 'report-charge', 'report-refund', 'sms-charge'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const PRICE_SOURCES = ['list', 'tenant'] as const;

export const SEARCH_TYPES = ['pcp'] as const;

export const CHALLENGE_STATUSES = ['challenge', 'allow', 'block'] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

export const ACCOUNT_TYPES = [
  'hire-purchase',
  'credit-card',
  'mortgage',
  'personal-loan',
  'secured-loan',
  'store-card',
  'charge-card',
  'current-account',
  'mail-order',
  'home-credit',
  'student-loan',
  'lease',
  'communications',
  'utility',
  'insurance',
  'rental',
  'buy-now-pay-later',
  'other',
] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

export const ACCOUNT_STATUSES = [
  'open',
  'settled',
  'closed',
  'default',
  'arrears',
  'arrangement',
  'dormant',
  'transferred',
  'voluntary-termination',
  'repossessed',
  'partially-settled',
  'query',
  'unknown',
] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const COMPANY_TYPES = [
  'bank',
  'building-society',
  'finance-house',
  'motor-finance',
  'credit-card-issuer',
  'retailer',
  'mail-order',
  'telecoms',
  'utility',
  'insurer',
  'debt-purchaser',
  'credit-union',
  'public-sector',
  'other',
] as const;
export type CompanyType = (typeof COMPANY_TYPES)[number];
