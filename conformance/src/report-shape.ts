// The creditReport of the interface as shapes. Every field is always there; null where the bureaus did not say
// (decision 14).
import {
  count,
  date,
  exactly,
  filledText,
  flag,
  instant,
  integer,
  list,
  object,
  oneOf,
  orNull,
  pattern,
  text,
} from './shape.ts';

const ACCOUNT_TYPES = [
  ...['hire-purchase', 'credit-card', 'mortgage', 'personal-loan', 'secured-loan', 'store-card', 'charge-card'],
  ...['current-account', 'mail-order', 'home-credit', 'student-loan', 'lease', 'communications', 'utility'],
  ...['insurance', 'rental', 'buy-now-pay-later', 'other'],
];
const ACCOUNT_STATUSES = [
  ...['open', 'settled', 'closed', 'default', 'arrears', 'arrangement', 'dormant', 'transferred'],
  ...['voluntary-termination', 'repossessed', 'partially-settled', 'query', 'unknown'],
];
const COMPANY_TYPES = [
  ...['bank', 'building-society', 'finance-house', 'motor-finance', 'credit-card-issuer', 'retailer', 'mail-order'],
  ...['telecoms', 'utility', 'insurer', 'debt-purchaser', 'credit-union', 'public-sector', 'other'],
];

export const money = object({
  amount: integer,
  currency: pattern('a currency code', /^[A-Z]{3}$/),
});

/** At most four digits show, all of them at the end, behind at least one mask character. */
export const maskedNumber = pattern('a masked number that ends in at most 4 digits', /^\D+\d{0,4}$/);

const ukAddress = object({
  subBuildingName: orNull(text),
  buildingName: orNull(text),
  buildingNumber: orNull(text),
  thoroughfare: orNull(text),
  district: orNull(text),
  townOrCity: orNull(text),
  county: orNull(text),
  country: orNull(text),
  postcode: orNull(text),
});

const residency = object({
  addressId: filledText,
  address: object({ type: exactly('uk'), ukAddress, addressLine1: filledText, lines: list(filledText) }),
  yearsAtAddress: orNull(count),
  monthsAtAddress: orNull(count),
  isCurrent: flag,
});

const accountRecord = object({
  title: orNull(text),
  firstName: orNull(text),
  lastName: orNull(text),
  accountNumber: orNull(maskedNumber),
  accountType: oneOf(...ACCOUNT_TYPES),
  accountStatus: oneOf(...ACCOUNT_STATUSES),
  companyType: oneOf(...COMPANY_TYPES),
  companyName: orNull(text),
  numberOfPayments: orNull(integer),
  repaymentPeriod: orNull(integer),
  payment: orNull(money),
  startBalance: orNull(money),
  balance: orNull(money),
  startDate: orNull(date),
  bureaus: list(object({ id: oneOf('equifax', 'experian', 'transunion'), ref: text })),
});

export const creditReportShape = object({
  person: object({ title: orNull(text), firstName: text, lastName: text, dateOfBirth: date }),
  residencies: list(residency),
  consumerData: object({ records: list(accountRecord) }),
  previousSearches: object({
    providers: list(object({ companyName: text, records: list(object({ date: instant })) })),
  }),
});
