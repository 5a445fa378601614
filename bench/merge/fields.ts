// How many fields of the merged records are right, where a bureau knew the right value. Pure. Scores only records whose
// rows all belong to one agreement, so that a false match counts once, in the other figures.
import type { AccountRecord } from '@trefoil/contract';
import type { BureauAccount } from '../../server/src/bureaus/port.ts';
import type { Agreement } from './agreements.ts';
import { balanceOn } from './balances.ts';
import { dateOf, REPORT_DAY } from './calendar.ts';
import type { LabelledReport } from './generate.ts';
import type { Person, PersonName } from './people.ts';
import { type MergeOutput, type Share, share } from './score.ts';

/** A stand-in for the matcher may leave out the contents of its records: then no field is scored. */
export type RecordsOutput = {
  readonly records: readonly (MergeOutput['records'][number] & { readonly record?: AccountRecord })[];
};

type Value = string | number | null;
type Rule = {
  /** Every right value: a joint account may have either name. */
  readonly truths: (agreement: Agreement, person: Person) => readonly Value[];
  readonly shown: (record: AccountRecord) => Value;
  readonly told: (account: BureauAccount) => Value;
};

/** The names an agreement may have, as people write them. */
function holdersOf({ isJoint, startDay }: Agreement, { name, partner, former }: Person): readonly PersonName[] {
  return [
    name,
    ...(isJoint && partner ? [partner] : []),
    ...(former && startDay < former.changedDay ? [{ ...name, lastName: former.lastName }] : []),
  ];
}

const isOpen = ({ endDay }: Agreement) => endDay === null || endDay > REPORT_DAY;

function statusOf(agreement: Agreement) {
  if (!isOpen(agreement)) return agreement.endStatus;
  return agreement.endStatus === 'default' && agreement.balance.kind === 'fixed' ? 'default' : 'open';
}

const RULES = {
  title: {
    truths: (agreement, person) => holdersOf(agreement, person).map(({ title }) => title),
    shown: ({ title }) => title,
    told: ({ title }) => title,
  },
  firstName: {
    truths: (agreement, person) => holdersOf(agreement, person).map(({ firstName }) => firstName),
    shown: ({ firstName }) => firstName,
    told: ({ firstName }) => firstName,
  },
  lastName: {
    truths: (agreement, person) => holdersOf(agreement, person).map(({ lastName }) => lastName),
    shown: ({ lastName }) => lastName,
    told: ({ lastName }) => lastName,
  },
  payment: {
    truths: ({ paymentPence }) => [paymentPence],
    shown: ({ payment }) => payment?.amount ?? null,
    told: ({ paymentPence }) => paymentPence,
  },
  startBalance: {
    truths: ({ startBalancePence }) => [startBalancePence],
    shown: ({ startBalance }) => startBalance?.amount ?? null,
    told: ({ startBalancePence }) => startBalancePence,
  },
  balance: {
    truths: (agreement) => [isOpen(agreement) ? balanceOn(agreement, REPORT_DAY) : agreement.owedAfterEndPence],
    shown: ({ balance }) => balance?.amount ?? null,
    told: ({ balancePence }) => balancePence,
  },
  startDate: {
    truths: ({ startDay }) => [dateOf(startDay)],
    shown: ({ startDate }) => startDate,
    told: ({ startDate }) => startDate,
  },
  accountType: {
    truths: ({ accountType }) => [accountType],
    shown: ({ accountType }) => accountType,
    told: ({ accountType }) => accountType,
  },
  accountStatus: {
    truths: (agreement) => [statusOf(agreement)],
    shown: ({ accountStatus }) => accountStatus,
    told: ({ accountStatus }) => accountStatus,
  },
  companyType: {
    truths: ({ lender }) => [lender.companyType],
    shown: ({ companyType }) => companyType,
    told: ({ companyType }) => companyType,
  },
} as const satisfies Record<string, Rule>;

export type Field = keyof typeof RULES;
export const FIELDS = Object.keys(RULES) as Field[];

/** The records for which a bureau gave a right value, and how many of them show one. */
export type FieldScore = Record<Field, { known: number; right: number }>;

export function noFieldScore(): FieldScore {
  return Object.fromEntries(FIELDS.map((field) => [field, { known: 0, right: 0 }])) as FieldScore;
}

/** Adds one report's score to the sum. */
export function addFields(sum: FieldScore, report: LabelledReport, { records }: RecordsOutput): void {
  const rows = new Map(report.rows.map((row) => [`${row.bureau} ${row.account.ref}`, row]));
  for (const { members, record } of records) {
    const own = members.flatMap(({ bureau, ref }) => rows.get(`${bureau} ${ref}`) ?? []);
    const agreement = report.agreements[own[0]?.label.agreement ?? -1];
    if (!record || !agreement || own.some(({ label }) => label.agreement !== own[0]?.label.agreement)) continue;
    for (const field of FIELDS) {
      const { truths, shown, told }: Rule = RULES[field];
      const right: readonly Value[] = truths(agreement, report.person).filter((value) => value !== null);
      if (!own.some(({ account }) => right.includes(told(account)))) continue;
      sum[field].known += 1;
      if (right.includes(shown(record))) sum[field].right += 1;
    }
  }
}

export function fieldShares(score: FieldScore): Record<Field, Share> {
  const shares = FIELDS.map((field) => [field, share(score[field].right, score[field].known)]);
  return Object.fromEntries(shares) as Record<Field, Share>;
}
