// The report of a person who does not exist, for test mode: a pure function of scenario and request, so that the same
// request always gets the same report. It must read no clock and draw no random number. All lenders are invented.
import type {
  AccountRecord,
  Bureau,
  CreditReport,
  GenerateRequest,
  ReportUkAddress,
  Residency,
} from '@trefoil/contract';
import { displayLines, joinLines } from '../../../merge/addresses/address-lines.ts';
import { addressId, hash64 } from '../../../merge/addresses/premises.ts';
import { UK_ADDRESS_FIELDS } from '../../../merge/addresses/uk-address-fields.ts';
import { mergeResidencies } from '../../../merge/merge-residencies.ts';
import type { Scenario } from './scenario.ts';

/** The part of a generate request that appears in its report. Postcodes are already normalised. */
export type SyntheticRequest = Pick<
  GenerateRequest,
  'title' | 'firstName' | 'lastName' | 'dateOfBirth' | 'addresses' | 'bureaus'
>;

type Address = SyntheticRequest['addresses'][number]['ukAddress'];

type Account = Pick<AccountRecord, 'accountType' | 'companyType' | 'startDate'> & {
  readonly companyName: string;
  /** The lowest opening balance; a person's own is up to half as much higher. */
  readonly leastStartPence: number;
  /** Monthly instalments; a card has none. */
  readonly instalments?: { readonly count: number; readonly chargePercent: number };
  /** A bureau that this lender does not report to; ignored when it is the only bureau asked. */
  readonly absentFrom?: Bureau;
};

const PCP: Account = {
  accountType: 'hire-purchase',
  companyType: 'motor-finance',
  companyName: 'Brackenfell Motor Finance',
  startDate: '2023-09-18',
  leastStartPence: 14_000_00,
  instalments: { count: 49, chargePercent: 16 },
};
const SECOND_CAR: Account = {
  accountType: 'hire-purchase',
  companyType: 'finance-house',
  companyName: 'Thistledown Vehicle Credit',
  startDate: '2024-02-05',
  leastStartPence: 9_000_00,
  instalments: { count: 60, chargePercent: 24 },
};
const CARD: Account = {
  accountType: 'credit-card',
  companyType: 'credit-card-issuer',
  companyName: 'Marlpit Cards',
  startDate: '2018-05-21',
  leastStartPence: 1_800_00,
  absentFrom: 'transunion',
};
const MORTGAGE: Account = {
  accountType: 'mortgage',
  companyType: 'building-society',
  companyName: 'Ludforth Building Society',
  startDate: '2019-11-01',
  leastStartPence: 140_000_00,
  instalments: { count: 300, chargePercent: 60 },
};
const PAST_PCP: Account = { ...PCP, startDate: '2016-06-13', leastStartPence: 11_000_00 };
const PAST_CARD: Account = { ...CARD, startDate: '2012-10-03', leastStartPence: 1_200_00 };

const ACCOUNTS: Readonly<Record<Scenario, readonly Account[]>> = {
  'no-records': [],
  'single-pcp': [PCP],
  mixed: [PCP, CARD, MORTGAGE],
  'all-settled': [PAST_PCP, PAST_CARD],
  default: [PCP, SECOND_CAR, CARD, MORTGAGE],
};

// A report lists bureaus in this order, whatever their order in the request.
const BUREAU_ORDER = ['equifax', 'experian', 'transunion'] as const satisfies readonly Bureau[];

export function synthesiseReport(scenario: Scenario, request: SyntheticRequest): CreditReport {
  const { title = null, firstName, lastName, dateOfBirth } = request;
  const person = seedOf(firstName, lastName, dateOfBirth);
  const status = scenario === 'all-settled' ? 'settled' : 'open';
  return {
    person: { title, firstName, lastName, dateOfBirth },
    residencies: synthesiseResidencies(request.addresses),
    consumerData: {
      records: ACCOUNTS[scenario].map((account, index) => ({
        title,
        firstName,
        lastName,
        ...synthesiseAccount(account, status, `${person}|${scenario}|${index}`),
        bureaus: bureausOf(account, request.bureaus).map((id) => ({ id, ref: refOf(id, person, index) })),
      })),
    },
    previousSearches: { providers: scenario === 'no-records' ? [] : synthesiseSearches(person) },
  };
}

/** No bureau found the person: what the live merge makes of no file at all. */
export function synthesiseUntraced(request: SyntheticRequest): CreditReport {
  const { title = null, firstName, lastName, dateOfBirth } = request;
  return {
    person: { title, firstName, lastName, dateOfBirth },
    residencies: mergeResidencies(request, []),
    consumerData: { records: [] },
    previousSearches: { providers: [] },
  };
}

function synthesiseResidencies(addresses: SyntheticRequest['addresses']): Residency[] {
  const saysCurrent = addresses.map(({ type }) => type.trim().toLowerCase() === 'current');
  const noneSaysCurrent = !saysCurrent.includes(true);
  return addresses.map(({ ukAddress }, index) => {
    const shown = showAddress(ukAddress);
    const id = addressId(shown);
    const lines = displayLines(shown);
    return {
      addressId: id,
      address: { type: 'uk', ukAddress: shown, addressLine1: joinLines(lines), lines },
      yearsAtAddress: pick(`${id}|years`, 1, 9),
      monthsAtAddress: pick(`${id}|months`, 0, 11),
      isCurrent: saysCurrent[index] === true || (noneSaysCurrent && index === 0),
    };
  });
}

function showAddress(address: Address): ReportUkAddress {
  return Object.fromEntries(UK_ADDRESS_FIELDS.map((field) => [field, address[field] ?? null])) as ReportUkAddress;
}

function synthesiseAccount(account: Account, status: 'open' | 'settled', seed: string) {
  const { accountType, companyType, companyName, startDate, leastStartPence, instalments } = account;
  // Whole pounds, as credit agreements are.
  const startPence = leastStartPence + pick(`${seed}|start`, 0, leastStartPence / 200) * 100;
  const repaidPence = Math.floor((startPence * pick(`${seed}|repaid`, 10, 60)) / 100);
  // Rounded up, so that the instalments together never fall short of the credit.
  const payment = instalments && Math.ceil((startPence * (100 + instalments.chargePercent)) / 100 / instalments.count);
  return {
    accountNumber: `******${digits(pick(`${seed}|number`, 0, 9_999), 4)}`,
    accountType,
    accountStatus: status,
    companyType,
    companyName,
    numberOfPayments: instalments?.count ?? null,
    repaymentPeriod: instalments?.count ?? null,
    payment: payment === undefined ? null : gbp(payment),
    startBalance: gbp(startPence),
    balance: gbp(status === 'settled' ? 0 : startPence - repaidPence),
    startDate,
  };
}

function bureausOf(account: Account, asked: readonly Bureau[]): Bureau[] {
  const inOrder = BUREAU_ORDER.filter((id) => asked.includes(id));
  const reporting = inOrder.filter((id) => id !== account.absentFrom);
  return reporting.length > 0 ? reporting : inOrder;
}

/** In each bureau's own style. The file number depends on the person, the tail on the record: no two refs are equal. */
function refOf(bureau: Bureau, person: string, index: number): string {
  switch (bureau) {
    case 'equifax':
      return `A-${pick(`${person}|equifax`, 10_000, 99_999)}-${digits(index + 1, 3)}`;
    case 'experian':
      return `B${pick(`${person}|experian`, 1_000, 9_999)}.${digits(index + 1, 2)}`;
    case 'transunion':
      return `c-${pick(`${person}|transunion`, 1_000, 9_999)}-a${String.fromCharCode(97 + index)}`;
    default:
      return bureau satisfies never;
  }
}

function synthesiseSearches(person: string): CreditReport['previousSearches']['providers'] {
  return [
    { companyName: 'Kestrel Bank', records: [searchIn('2025-03', person), searchIn('2024-08', person)] },
    { companyName: 'Thistledown Vehicle Credit', records: [searchIn('2024-01', person)] },
  ];
}

/** A day that every month has, during working hours. */
function searchIn(month: string, person: string): { date: string } {
  const seed = `${person}|search|${month}`;
  const day = digits(pick(`${seed}|day`, 1, 28), 2);
  const hour = digits(pick(`${seed}|hour`, 9, 17), 2);
  const minute = digits(pick(`${seed}|minute`, 0, 59), 2);
  return { date: `${month}-${day}T${hour}:${minute}:00.000Z` };
}

function gbp(pence: number): { amount: number; currency: string } {
  return { amount: pence, currency: 'GBP' };
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Differences in case and spacing do not make another person or another house. */
function seedOf(...parts: readonly string[]): string {
  return parts.map((part) => part.normalize('NFC').replace(/\s+/g, ' ').trim().toUpperCase()).join('\n');
}

/** A whole number from `least` to `most`, always the same for the same seed. */
function pick(seed: string, least: number, most: number): number {
  // The low bits of this hash mix poorly, so the high ones choose.
  return least + Number((hash64(seed) >> 24n) % BigInt(most - least + 1));
}
