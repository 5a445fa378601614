// The closed word lists of the wire. An unknown bureau code becomes `other` or `unknown`; it never drops a record
// (docs/decisions/0015).
export const BUREAUS = ['equifax', 'experian', 'transunion'] as const;
export type Bureau = (typeof BUREAUS)[number];

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
