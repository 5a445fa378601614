// What each agency reports about one agreement, and whether they agree. It has a column only for an agency with a file:
// "not on file" about an agency that found no file, or that did not answer, would be wrong.

import type { ProvenanceSource } from '../../merge/provenance.ts';
import { column } from './blocks.ts';
import { shortDay } from './dates.ts';
import { type Differs, datesDiffer, eitherDiffers, statusesDiffer, sumsDiffer, wordsDiffer } from './disagreement.ts';
import type { Account, Material } from './material.ts';
import { money, payments } from './money.ts';
import type { Row, Table } from './view.ts';
import { DASH, NOT_GIVEN, STATUS_WORDS, TYPE_WORDS } from './words.ts';

const NOT_ON_FILE = 'not on file';

type Line = {
  readonly label: string;
  /** Null: this agency does not say. */
  readonly say: (source: ProvenanceSource) => string | null;
  /** Of one agency's reference and another's. */
  readonly differs: (pair: readonly ProvenanceSource[]) => Differs;
};

const SUMS = ['startBalancePence', 'paymentPence', 'balloonPence'] as const;
type SumField = (typeof SUMS)[number];

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

const sum = (field: SumField) => (source: ProvenanceSource) =>
  source[field] === null ? null : money(source[field], source.moneyStepPence);

const sums = (field: SumField) => (sources: readonly ProvenanceSource[]) =>
  sumsDiffer(
    sources.flatMap(({ [field]: pence, moneyStepPence }) =>
      pence === null ? [] : [{ pence, stepPence: moneyStepPence }],
    ),
  );

const nameOf = ({ title, firstName, lastName }: ProvenanceSource) =>
  [title, firstName, lastName].filter(Boolean).join(' ') || null;

/** A title and capitals are no different name. */
const comparable = ({ firstName, lastName }: Pick<ProvenanceSource, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ').toUpperCase() || null;

const never = (): Differs => null;

const tailOf = ({ accountNumberTail }: ProvenanceSource) => accountNumberTail?.slice(-4) || null;

/** An agency may give fewer digits of the number than another. */
const numbersDiffer = ([a, b]: readonly string[]): Differs =>
  a === undefined || b === undefined ? null : !a.endsWith(b) && !b.endsWith(a);

const date = (field: 'startDate' | 'endDate'): Pick<Line, 'say' | 'differs'> => ({
  say: ({ [field]: day }) => (day === null ? null : shortDay(day)),
  differs: (sources) => datesDiffer(present(sources.map(({ [field]: day }) => day))),
});

const LINES: readonly Line[] = [
  { label: 'Lender, as written', say: ({ companyName }) => companyName || null, differs: never },
  { label: 'Agency’s reference', say: ({ ref }) => ref, differs: never },
  {
    label: 'Kind',
    say: ({ accountType }) => TYPE_WORDS[accountType],
    // An agency that has no word for it contradicts no other.
    differs: (pair) => wordsDiffer(pair.map(({ accountType }) => accountType).filter((kind) => kind !== 'other')),
  },
  {
    label: 'Number ends',
    say: tailOf,
    differs: (pair) => numbersDiffer(present(pair.map(tailOf))),
  },
  {
    label: 'Joint account',
    say: ({ isJoint }) => (isJoint === null ? null : isJoint ? 'yes' : 'no'),
    differs: (pair) => wordsDiffer(present(pair.map(({ isJoint }) => isJoint)).map(String)),
  },
  { label: 'Name on the account', say: nameOf, differs: (sources) => wordsDiffer(present(sources.map(comparable))) },
  { label: 'Started', ...date('startDate') },
  { label: 'Ended', ...date('endDate') },
  { label: 'Amount of credit', say: sum('startBalancePence'), differs: sums('startBalancePence') },
  {
    label: 'Regular payment',
    say: (source) => {
      const amount = sum('paymentPence')(source);
      return amount === null ? null : payments(amount, source.numberOfPayments);
    },
    differs: (sources) =>
      eitherDiffers(
        sums('paymentPence')(sources),
        wordsDiffer(present(sources.map(({ numberOfPayments }) => numberOfPayments))),
      ),
  },
  { label: 'Final payment', say: sum('balloonPence'), differs: sums('balloonPence') },
  {
    // Each agency tells the balance of another day: two balances are never a contradiction.
    label: 'Balance, and when told',
    say: ({ balancePence, moneyStepPence, updatedDate }) =>
      balancePence === null
        ? null
        : `${money(balancePence, moneyStepPence)}, ${updatedDate === null ? 'no date' : shortDay(updatedDate)}`,
    differs: never,
  },
  {
    label: 'Status',
    say: ({ accountStatus }) => STATUS_WORDS[accountStatus],
    differs: (sources) => statusesDiffer(sources.map(({ accountStatus }) => accountStatus)),
  },
];

/** Two references of one agency that differ are no two agencies that contradict each other. */
function agenciesDiffer(sources: readonly ProvenanceSource[], differs: Line['differs']): Differs {
  const pairs = sources.flatMap((a, place) =>
    sources.slice(place + 1).flatMap((b) => (a.bureau === b.bureau ? [] : [differs([a, b])])),
  );
  return pairs.reduce(eitherDiffers, null);
}

const SAME = { true: 'no', false: 'yes', null: DASH } as const;

function toRow({ label, say, differs }: Line, sources: readonly ProvenanceSource[], { found }: Material): Row | null {
  if (sources.every((source) => say(source) === null)) return null;
  const cells = found.map(({ id }) => {
    const own = sources.filter(({ bureau }) => bureau === id);
    if (own.length === 0) return NOT_ON_FILE;
    // An agency may hold an agreement twice; where both say the same, it is said once.
    return [...new Set(own.map((source) => say(source) ?? NOT_GIVEN))].join('; ');
  });
  const isDifferent = agenciesDiffer(sources, differs);
  return { cells: [label, ...cells, SAME[`${isDifferent}`]], mark: isDifferent === true ? 'differs' : null };
}

/** Null if what the agencies said was not kept. */
export function agencyTable({ sources }: Account, number: number, material: Material): Table | null {
  if (sources === null || sources.length === 0) return null;
  const { found, report } = material;
  const own = comparable(report.person);
  const hasOtherName = sources.some((source) => comparable(source) !== own);
  const lines = LINES.filter(({ say }) => say !== nameOf || hasOtherName);
  const share = (1 - 0.225 - 0.1) / Math.max(1, found.length);
  return {
    kind: 'table',
    caption: `What each agency reports on agreement ${number}`,
    columns: [
      column('What each agency reports', 0.225),
      ...found.map(({ name }) => column(name, share)),
      column('Same?', 0.1),
    ],
    rows: lines.flatMap((line) => toRow(line, sources, material) ?? []),
  };
}
