// The console's words for the API's words. Total maps: a new value of the API does not compile until it has a word here.
import type { components } from '@trefoil/sdk';
import type { Role, Scope } from './roles.ts';

type Schemas = components['schemas'];
type AccountRecord = Schemas['AccountRecord'];
type BureauResult = Schemas['BureauResult'];
export type BureauId = BureauResult['bureau'];
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';
type State = { readonly label: string; readonly tone: Tone };

export const BUREAUS: Record<BureauId, string> = {
  equifax: 'Equifax',
  experian: 'Experian',
  transunion: 'TransUnion',
};
export const BUREAU_MARKS: Record<BureauId, string> = { equifax: 'EQ', experian: 'EX', transunion: 'TU' };

export const BUREAU_OUTCOMES: Record<BureauResult['outcome'], string> = {
  ok: 'Answered',
  'no-trace': 'Has no file for this person',
  unavailable: 'Did not answer, not charged',
};

export const STATUSES: Record<Schemas['CreditReportItem']['status'], State> = {
  complete: { label: 'Complete', tone: 'good' },
  'authentication-required': { label: 'Waiting for code', tone: 'warn' },
  blocked: { label: 'Blocked', tone: 'quiet' },
  failed: { label: 'Failed', tone: 'bad' },
  'in-progress': { label: 'In progress', tone: 'info' },
};

export const ROLES: Record<Role, { readonly label: string; readonly can: string }> = {
  owner: { label: 'Owner', can: 'Everything' },
  admin: { label: 'Admin', can: 'Everything, but cannot make people owner or finance' },
  finance: { label: 'Finance', can: 'Wallet and audit log; reports without their content' },
  developer: { label: 'Developer', can: 'Reports, API credentials and webhooks' },
  analyst: { label: 'Analyst', can: 'Read reports and the wallet' },
  caseworker: { label: 'Caseworker', can: 'Ask for reports and read them' },
};

/** A right that no operation asks for yet has no words. */
export const SCOPES: Record<Exclude<Scope, 'wallet:write'>, string> & Partial<Record<Scope, string>> = {
  'reports:write': 'Request reports',
  'reports:read': 'Read reports',
  'wallet:read': 'Read the wallet',
  'credentials:write': 'Read credentials',
  'webhooks:write': 'Manage webhooks',
  'events:read': 'Read events',
  'members:write': 'Read people',
  'audit:read': 'Read the audit log',
  'settings:write': 'Change settings',
  'subjects:write': 'Find and export consumers',
};

export const ENTRY_KINDS: Record<Schemas['WalletEntry']['kind'], string> = {
  'top-up': 'Top-up',
  adjust: 'Adjustment',
  'report-charge': 'Report',
  'report-refund': 'Refund',
  'sms-charge': 'Text message',
};

export const ACCOUNT_TYPES: Record<AccountRecord['accountType'], string> = {
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
  'buy-now-pay-later': 'Buy now, pay later',
  other: 'Other',
};

/** The same agreements run, and the same are car finance, as in a report's PDF. */
export const ACCOUNT_STATUSES: Record<AccountRecord['accountStatus'], State & { readonly isOpen: boolean }> = {
  open: { label: 'Open', tone: 'info', isOpen: true },
  settled: { label: 'Settled', tone: 'good', isOpen: false },
  closed: { label: 'Closed', tone: 'quiet', isOpen: false },
  default: { label: 'Default', tone: 'bad', isOpen: false },
  arrears: { label: 'In arrears', tone: 'bad', isOpen: true },
  arrangement: { label: 'Arrangement', tone: 'warn', isOpen: true },
  dormant: { label: 'Dormant', tone: 'quiet', isOpen: true },
  transferred: { label: 'Transferred', tone: 'quiet', isOpen: false },
  'voluntary-termination': { label: 'Voluntary termination', tone: 'quiet', isOpen: false },
  repossessed: { label: 'Repossessed', tone: 'bad', isOpen: false },
  'partially-settled': { label: 'Partially settled', tone: 'warn', isOpen: false },
  query: { label: 'Query', tone: 'warn', isOpen: true },
  unknown: { label: 'Not known', tone: 'quiet', isOpen: false },
};

export const isCarFinance = ({ accountType }: Pick<AccountRecord, 'accountType'>) =>
  accountType === 'hire-purchase' || accountType === 'lease';

export const SENDS: Record<Schemas['ChallengeSend']['state'], string> = {
  queued: 'On its way',
  submitted: 'On its way',
  delivered: 'Delivered',
  undelivered: 'Not delivered',
  refused: 'Refused by the carrier',
  silent: 'No word from the carrier',
};

type Item = Schemas['CreditReportItem'];

export const SOURCES: Record<Item['source'], string> = { api: 'API', console: 'Console' };

export const DELIVERY_STATES: Record<Schemas['WebhookDelivery']['state'], State> = {
  pending: { label: 'Pending', tone: 'warn' },
  waiting: { label: 'Waiting', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** Why a report failed, in a few words under its outcome. */
export const FAILURES: Record<NonNullable<Item['failureReason']>, string> = {
  'screening-unavailable': 'Screening did not answer',
  'device-not-verified': 'The device was not verified',
  'mobile-missing': 'No mobile number for the code',
  'not-a-mobile': 'Not a mobile number',
  'country-not-allowed': 'Country of the number not allowed',
  'company-number': 'Too many codes to this number',
  'company-mistakes': 'Too many wrong codes for this number',
  'company-day': 'Limit of texts of the day reached',
  'company-minute': 'Limit of texts of the minute reached',
  'not-deliverable': 'The code could not be sent',
  'no-bureau-answered': 'No bureau answered',
  interrupted: 'Interrupted on our side',
  'reservation-late': 'Too busy to begin in time',
  'attempts-used': 'Code entered wrong three times',
  expired: 'The code expired',
};
