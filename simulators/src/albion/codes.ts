// Albion's code tables. They belong to Albion alone: the same letter has another meaning at another bureau.
import type { MonthStatus, State } from '../people/agreement.ts';
import type { Product, Sector } from '../people/lenders.ts';
import type { SearchReason } from '../people/view.ts';

export const TYPE_CODES: Readonly<Record<Product, string>> = {
  'hire-purchase': 'HP',
  lease: 'LS',
  'personal-loan': 'UL',
  'secured-loan': 'SL',
  'student-loan': 'ST',
  'home-credit': 'HC',
  'credit-card': 'CC',
  'store-card': 'SC',
  'charge-card': 'CH',
  'mail-order': 'MO',
  'pay-later': 'DP',
  mortgage: 'MG',
  'current-account': 'CA',
  'basic-account': 'BK',
  mobile: 'TM',
  broadband: 'MU',
  energy: 'UT',
  water: 'UT',
  insurance: 'IN',
  rent: 'RN',
};

export const ORGANISATION_CODES: Readonly<Record<Sector, string>> = {
  bank: 'BK',
  'building-society': 'BS',
  'finance-house': 'FH',
  'motor-finance': 'FH',
  'card-issuer': 'CI',
  retailer: 'RT',
  'mail-order': 'MO',
  telecoms: 'TC',
  utility: 'UT',
  insurer: 'IN',
  'debt-purchaser': 'DP',
  'credit-union': 'CU',
  'public-sector': 'PS',
};

/** `behind` is sent as the number of months. */
export const STATE_CODES: Readonly<Record<Exclude<State, 'behind'>, string>> = {
  open: 'O',
  settled: 'S',
  closed: 'C',
  default: 'D',
  arrangement: 'P',
  dormant: 'N',
  sold: 'T',
  'voluntary-termination': 'V',
  repossessed: 'R',
  'partially-settled': 'K',
  query: 'Q',
  unclassified: 'U',
};

export const MONTH_CODES: Readonly<Record<MonthStatus, string>> = {
  current: '0',
  'late-1': '1',
  'late-2': '2',
  'late-3': '3',
  'late-4': '4',
  'late-5': '5',
  'late-6': '6',
  default: 'D',
  settled: 'S',
  arrangement: 'P',
  terminated: 'V',
  repossessed: 'R',
  dormant: 'N',
  query: 'Q',
  unclassified: 'U',
  'not-reported': '.',
};

export const SEARCH_CODES: Readonly<Record<SearchReason, string>> = {
  quotation: 'QS',
  application: 'CA',
  identity: 'ID',
  'own-file': 'OW',
  collections: 'DC',
};

/** In no table of WIRE.md. */
export const UNKNOWN = { type: 'ZQ', organisation: 'ZZ', state: 'W', month: 'Z', search: 'ZX' } as const;

export const FAULTS = {
  '3001': { retry: '0', text: 'AUTHENTICATION FAILED' },
  '3002': { retry: '0', text: 'REQUEST NOT READABLE' },
  '3003': { retry: '0', text: 'VALUE MISSING OR WRONG' },
  '3004': { retry: '0', text: 'NONCE ALREADY USED' },
  '3012': { retry: '1', text: 'TOO MANY REQUESTS' },
  '3017': { retry: '1', text: 'TEMPORARILY UNAVAILABLE' },
  '3021': { retry: '0', text: 'NO PICK LIST OPEN' },
  '3022': { retry: '0', text: 'PREMISES NOT OFFERED' },
  '3030': { retry: '1', text: 'MAINTENANCE' },
  '3099': { retry: '0', text: 'INTERNAL ERROR' },
} as const;

export type FaultCode = keyof typeof FAULTS;
