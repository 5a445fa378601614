// The closed word lists of the wire. An unknown bureau code becomes `other` or `unknown`; it never drops a record
// (docs/decisions/0015-vocabularies.md).
export const BUREAUS = ['equifax', 'experian', 'transunion'] as const;
export type Bureau = (typeof BUREAUS)[number];

export const BUREAU_OUTCOMES = ['ok', 'no-trace', 'unavailable'] as const;

/** How many of the bureaus asked found the person of a complete report: all of them, some, or none. */
export const COVERAGE_STATUSES = ['traced', 'partly-traced', 'not-traced'] as const;

/** The status of a report in a list: the interface's words, plus one for a report without an outcome yet. */
export const REPORT_STATUSES = ['complete', 'authentication-required', 'blocked', 'failed', 'in-progress'] as const;
export type ShownStatus = (typeof REPORT_STATUSES)[number];

/** Where a report was requested; more may be added. */
export const REPORT_SOURCES = ['api', 'console'] as const;
export type ReportSource = (typeof REPORT_SOURCES)[number];

/**
 * Why a report failed; more may be added. `not-deliverable` is a code that could not be delivered for a reason that is not
 * told; the reasons from `mobile-missing` to `company-minute` are told.
 */
export const FAILURE_REASONS = [
  'screening-unavailable',
  'device-not-verified',
  'mobile-missing',
  'not-a-mobile',
  'country-not-allowed',
  'company-number',
  'company-mistakes',
  'company-day',
  'company-minute',
  'not-deliverable',
  'no-bureau-answered',
  'interrupted',
  'reservation-late',
  'attempts-used',
  'expired',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** The kinds of lines in a wallet's statement. */
export const ENTRY_KINDS = ['top-up', 'adjust', 'report-charge', 'report-refund', 'sms-charge'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The state of a challenge's message. The last four are final unless a late receipt arrives. */
export const SEND_STATES = ['queued', 'submitted', 'delivered', 'undelivered', 'refused', 'silent'] as const;

/** The limits that `GET …/limits` lists; more may be added. */
export const LIMIT_NAMES = [
  'requests',
  'sms-messages-day',
  'sms-credits-day',
  'sms-messages-minute',
  'invitations-day',
  'webhook-attempts-minute',
  'webhook-replays-day',
  'webhook-endpoints-day',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

export const FORMATS = ['json', 'csv'] as const;

export const DOCUMENT_FORMATS = ['html', 'pdf'] as const;

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
