// Cygnet's words: product groups, states, sectors. They belong to Cygnet, even where another bureau's look alike.
import type { MonthStatus, State } from '../people/agreement.ts';
import type { Product, Sector } from '../people/lenders.ts';
import type { SearchReason } from '../people/view.ts';

export const GROUPS = [
  'vehicleFinance',
  'cards',
  'homeLoans',
  'loans',
  'banking',
  'retail',
  'household',
  'other',
] as const;

export type Group = (typeof GROUPS)[number];

export const PRODUCTS: Readonly<Record<Product, readonly [Group, string]>> = {
  'hire-purchase': ['vehicleFinance', 'HIRE_PURCHASE'],
  lease: ['vehicleFinance', 'LEASE'],
  'credit-card': ['cards', 'CREDIT_CARD'],
  'store-card': ['cards', 'STORE_CARD'],
  'charge-card': ['cards', 'CHARGE_CARD'],
  mortgage: ['homeLoans', 'MORTGAGE'],
  'secured-loan': ['homeLoans', 'SECOND_CHARGE'],
  'personal-loan': ['loans', 'PERSONAL'],
  'student-loan': ['loans', 'STUDENT'],
  'home-credit': ['loans', 'DOORSTEP'],
  'current-account': ['banking', 'CURRENT'],
  'basic-account': ['banking', 'BASIC'],
  'mail-order': ['retail', 'CATALOGUE'],
  'pay-later': ['retail', 'PAY_LATER'],
  mobile: ['household', 'MOBILE'],
  broadband: ['household', 'BROADBAND'],
  energy: ['household', 'ENERGY'],
  water: ['household', 'WATER'],
  insurance: ['household', 'INSURANCE'],
  rent: ['household', 'RENT'],
};

export const SECTORS: Readonly<Record<Sector, string>> = {
  bank: 'bank',
  'building-society': 'mutual',
  'finance-house': 'finance-house',
  'motor-finance': 'finance-house',
  'card-issuer': 'card-issuer',
  retailer: 'retail',
  'mail-order': 'catalogue',
  telecoms: 'telecoms',
  utility: 'energy-water',
  insurer: 'insurance',
  'debt-purchaser': 'collections',
  'credit-union': 'credit-union',
  'public-sector': 'government',
};

export const STATES: Readonly<Record<State, string>> = {
  open: 'OPEN',
  behind: 'LATE',
  settled: 'SETTLED',
  closed: 'CLOSED',
  default: 'DEFAULTED',
  arrangement: 'ARRANGEMENT',
  dormant: 'DORMANT',
  sold: 'SOLD',
  'voluntary-termination': 'VOLUNTARY_TERMINATION',
  repossessed: 'REPOSSESSED',
  'partially-settled': 'PARTIALLY_SETTLED',
  query: 'DISPUTED',
  unclassified: 'UNKNOWN',
};

export const MONTHS: Readonly<Record<MonthStatus, string>> = {
  current: 'CURRENT',
  'late-1': 'LATE_1',
  'late-2': 'LATE_2',
  'late-3': 'LATE_3',
  'late-4': 'LATE_4',
  'late-5': 'LATE_5',
  'late-6': 'LATE_6PLUS',
  default: 'DEFAULT',
  settled: 'SETTLED',
  arrangement: 'ARRANGEMENT',
  terminated: 'TERMINATED',
  repossessed: 'REPOSSESSED',
  dormant: 'DORMANT',
  query: 'DISPUTED',
  unclassified: 'NEW',
  'not-reported': 'NO_DATA',
};

export const PURPOSES: Readonly<Record<SearchReason, string>> = {
  quotation: 'quotation',
  application: 'application',
  identity: 'identity',
  'own-file': 'ownFile',
  collections: 'collections',
};

/** In no table of WIRE.md. */
export const UNKNOWN = {
  group: 'subscriptions',
  product: 'VEHICLE_SUBSCRIPTION',
  sector: 'marketplace',
  state: 'FROZEN',
  month: 'PAUSED',
  purpose: 'benchmarking',
} as const;

export const PROBLEMS = {
  'subject-not-traced': [404, 'Subject not traced'],
  'enquiry-unknown': [404, 'No such enquiry'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  unauthenticated: [401, 'Token missing, unknown or expired'],
  'invalid-request': [400, 'Invalid request'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'too-many-requests': [429, 'Too many requests'],
  unavailable: [503, 'Temporarily unavailable'],
  maintenance: [503, 'Maintenance'],
  internal: [500, 'Internal error'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemName = keyof typeof PROBLEMS;
