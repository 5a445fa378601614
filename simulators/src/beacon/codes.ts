// Beacon's code tables: digits for kinds, letters for states. `D` means dormant here.
import type { MonthStatus, State } from '../people/agreement.ts';
import type { Product, Sector } from '../people/lenders.ts';
import type { SearchReason } from '../people/view.ts';

export const TYPE_CODES: Readonly<Record<Product, string>> = {
  'hire-purchase': '011',
  lease: '012',
  'personal-loan': '021',
  'secured-loan': '022',
  'student-loan': '023',
  'home-credit': '024',
  'credit-card': '031',
  'store-card': '032',
  'charge-card': '033',
  'mail-order': '034',
  'pay-later': '035',
  mortgage: '041',
  'current-account': '051',
  'basic-account': '051',
  mobile: '061',
  broadband: '062',
  energy: '071',
  water: '072',
  insurance: '081',
  rent: '091',
};

/** Some lenders report every agreement with a balloon as this. */
export const CONDITIONAL_SALE = '013';

export const COMPANY_CODES: Readonly<Record<Sector, string>> = {
  bank: '01',
  'building-society': '02',
  'credit-union': '03',
  'card-issuer': '04',
  retailer: '05',
  'mail-order': '06',
  'motor-finance': '07',
  'finance-house': '08',
  telecoms: '09',
  utility: '10',
  insurer: '11',
  'debt-purchaser': '12',
  'public-sector': '13',
};

export const STATE_CODES: Readonly<Record<State, string>> = {
  open: 'A',
  behind: 'B',
  settled: 'S',
  closed: 'C',
  default: '8',
  arrangement: 'M',
  dormant: 'D',
  sold: 'T',
  'voluntary-termination': 'V',
  repossessed: 'R',
  'partially-settled': 'P',
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
  default: '8',
  settled: 'S',
  arrangement: 'M',
  terminated: 'V',
  repossessed: 'R',
  dormant: 'D',
  query: 'Q',
  unclassified: 'U',
  'not-reported': '.',
};

export const SEARCH_CODES: Readonly<Record<SearchReason, string>> = {
  quotation: 'Q',
  application: 'A',
  identity: 'I',
  'own-file': 'O',
  collections: 'D',
};

/** In no table of WIRE.md. */
export const UNKNOWN = { type: '777', company: '77', state: 'Y', month: 'Y', search: 'Y' } as const;

export const RETURN_CODES = {
  '0000': '',
  '0100': 'NO TRACE',
  '0210': 'REQUEST NOT READABLE',
  '0211': 'VALUE MISSING OR WRONG',
  '0401': 'KEY NOT KNOWN',
  '0429': 'TOO MANY REQUESTS',
  '0451': 'TEMPORARILY UNAVAILABLE',
  '0900': 'MAINTENANCE',
  '0999': 'INTERNAL ERROR',
} as const;

export type ReturnCode = keyof typeof RETURN_CODES;
