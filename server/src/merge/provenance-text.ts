// The provenance as text: what is sealed beside a report, and what `provenance.json` of its evidence has. Each bureau's row is
// a list of values, whose names stand once before all rows: with the names in every row, half of the text would be
// names, and every report pays for its length (docs/decisions/0219-provenance.md).
import type { Provenance, ProvenanceSource } from './provenance.ts';

/** In the order of `toRow`. */
const FIELDS = [
  ...(['bureau', 'ref', 'accountType', 'accountStatus', 'companyType', 'companyName', 'otherCompanyNames'] as const),
  ...(['title', 'firstName', 'lastName', 'accountNumberTail', 'startDate', 'endDate', 'updatedDate'] as const),
  ...(['numberOfPayments', 'repaymentPeriodMonths', 'paymentPence', 'startBalancePence', 'balancePence'] as const),
  ...(['balloonPence', 'moneyStepPence', 'isJoint'] as const),
] as const;

type Values<Names extends readonly (keyof ProvenanceSource)[]> = {
  readonly [Place in keyof Names]: ProvenanceSource[Names[Place]];
};

/** One by one: for 36 rows that takes 4 µs, and looking the values up by their names 260. */
const toRow = (source: ProvenanceSource): Values<typeof FIELDS> => [
  source.bureau,
  source.ref,
  source.accountType,
  source.accountStatus,
  source.companyType,
  source.companyName,
  source.otherCompanyNames,
  source.title,
  source.firstName,
  source.lastName,
  source.accountNumberTail,
  source.startDate,
  source.endDate,
  source.updatedDate,
  source.numberOfPayments,
  source.repaymentPeriodMonths,
  source.paymentPence,
  source.startBalancePence,
  source.balancePence,
  source.balloonPence,
  source.moneyStepPence,
  source.isJoint,
];

export function writeProvenance({ type, salt, searched, bureaus, records }: Provenance): string {
  return JSON.stringify({
    ...{ type, salt, searched, bureaus },
    fields: FIELDS,
    records: records.map(({ sources, lender }) => ({ sources: sources.map(toRow), lender })),
  });
}

type Written = Omit<Provenance, 'records'> & {
  readonly fields: readonly string[];
  readonly records: readonly {
    readonly sources: readonly (readonly unknown[])[];
    readonly lender: Provenance['records'][number]['lender'];
  }[];
};

/** Only for a text that `writeProvenance` wrote. The names are those of the text. */
export function readProvenance(text: string): Provenance {
  const { type, salt, searched, bureaus, fields, records } = JSON.parse(text) as Written;
  const toSource = (row: readonly unknown[]) =>
    Object.fromEntries(fields.map((name, place) => [name, row[place]])) as unknown as ProvenanceSource;
  return {
    ...{ type, salt, searched, bureaus },
    records: records.map(({ sources, lender }) => ({ sources: sources.map(toSource), lender })),
  };
}
