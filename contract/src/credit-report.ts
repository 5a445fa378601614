// The clean report a tenant receives. Interface, "creditReport". Every field is always present
// (docs/decisions/0014-presence.md).
import { type Static, Type } from 'typebox';
import { Instant, oneOf, orNull } from './schema.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, BUREAUS, COMPANY_TYPES } from './vocabulary.ts';

const nullableText = (description: string) => orNull(Type.String(), { description });

export const Money = Type.Object(
  {
    amount: Type.Integer({ description: 'Pence, for pounds.' }),
    currency: Type.String({ description: 'Currency code, such as GBP.' }),
  },
  { description: 'An amount of money.' },
);

const nullableMoney = (description: string) => orNull(Money, { description });

export const ReportUkAddress = Type.Object({
  subBuildingName: nullableText('Flat or unit.'),
  buildingName: nullableText('Building name.'),
  buildingNumber: nullableText('House or building number.'),
  thoroughfare: nullableText('Street name.'),
  district: nullableText('District or locality.'),
  townOrCity: nullableText('Town or city.'),
  county: nullableText('County.'),
  country: nullableText('Country code.'),
  postcode: nullableText('Postcode, upper case with one space.'),
});

export const Residency = Type.Object({
  addressId: Type.String({ description: 'Stable for the same premises, whichever bureau named it.' }),
  address: Type.Object({
    type: Type.Literal('uk'),
    ukAddress: ReportUkAddress,
    addressLine1: Type.String({ description: 'All display lines in one text.' }),
    lines: Type.Array(Type.String(), { description: 'Display lines in postal order.' }),
  }),
  yearsAtAddress: orNull(Type.Integer(), { description: 'Whole years at the address.' }),
  monthsAtAddress: orNull(Type.Integer(), { description: 'Months beyond the whole years, 0 to 11.' }),
  isCurrent: Type.Boolean({ description: 'Whether the consumer lives there now.' }),
});

export const AccountRecord = Type.Object({
  title: nullableText('Title on the record.'),
  firstName: nullableText('First name on the record.'),
  lastName: nullableText('Last name on the record.'),
  accountNumber: nullableText('Masked except for the last digits.'),
  accountType: oneOf(ACCOUNT_TYPES, { description: 'Kind of account. PCP agreements appear as hire-purchase.' }),
  accountStatus: oneOf(ACCOUNT_STATUSES, { description: 'State of the account.' }),
  companyType: oneOf(COMPANY_TYPES, { description: 'Kind of lender.' }),
  companyName: nullableText('Lender name.'),
  numberOfPayments: orNull(Type.Integer(), { description: 'Number of instalments.' }),
  repaymentPeriod: orNull(Type.Integer(), { description: 'Length of the agreement in months.' }),
  payment: nullableMoney('Regular instalment.'),
  startBalance: nullableMoney('Balance at the start.'),
  balance: nullableMoney('Balance now.'),
  startDate: orNull(Type.String({ format: 'date' }), { description: 'YYYY-MM-DD.' }),
  bureaus: Type.Array(
    Type.Object({
      id: oneOf(BUREAUS, { description: 'Bureau that reported the account.' }),
      ref: Type.String({ description: "The bureau's own reference." }),
    }),
  ),
});

export const CreditReport = Type.Object({
  person: Type.Object({
    title: nullableText('Title.'),
    firstName: Type.String(),
    lastName: Type.String(),
    dateOfBirth: Type.String({ format: 'date', description: 'YYYY-MM-DD.' }),
  }),
  residencies: Type.Array(Residency),
  consumerData: Type.Object({ records: Type.Array(AccountRecord) }),
  previousSearches: Type.Object({
    providers: Type.Array(
      Type.Object({
        companyName: Type.String(),
        records: Type.Array(Type.Object({ date: Instant('When the search was made.') })),
      }),
    ),
  }),
});

export type CreditReport = Static<typeof CreditReport>;
export type AccountRecord = Static<typeof AccountRecord>;
export type Residency = Static<typeof Residency>;
export type ReportUkAddress = Static<typeof ReportUkAddress>;
export type Money = Static<typeof Money>;
