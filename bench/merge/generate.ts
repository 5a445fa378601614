// One labelled person: a pure function of seed, profile and index. The label of a row is its true agreement;
// references and row order are drawn separately, so neither reveals it.
import { BUREAUS, type Bureau } from '@trefoil/contract';
import type { BureauAccount, SourcedFile } from '../../server/src/bureaus/port.ts';
import { type Agreement, MONTHS_KEPT, ordinaryAgreements } from './agreements.ts';
import { duplicateOf, type View, viewOf } from './bureau-view.ts';
import { addMonths, REPORT_DAY } from './calendar.ts';
import type { NameForm } from './lender-names.ts';
import { type Noise, noiseOf, PROFILES, type Profile } from './noise.ts';
import { makePerson, type Person } from './people.ts';
import { Random } from './random.ts';
import { withStories } from './stories.ts';

export type Label = { readonly agreement: number; readonly isDuplicate: boolean; readonly nameForm: NameForm };
export type LabelledRow = { readonly bureau: Bureau; readonly account: BureauAccount; readonly label: Label };

export type LabelledReport = {
  readonly index: number;
  readonly person: Person;
  /** Everything truly held, even what no bureau shows; a label is an index into this list. */
  readonly agreements: readonly Agreement[];
  readonly rows: readonly LabelledRow[];
  readonly files: readonly SourcedFile[];
};

const JOINT_KINDS: readonly string[] = [
  'mortgage',
  'current-account',
  'personal-loan',
  'secured-loan',
  'hire-purchase',
];

function coverageOf(bureau: Bureau, noise: Noise): number {
  return { equifax: noise.coverageEquifax, experian: noise.coverageExperian, transunion: noise.coverageTransunion }[
    bureau
  ];
}

function isForgotten({ endDay }: Agreement): boolean {
  return endDay !== null && addMonths(endDay, MONTHS_KEPT) < REPORT_DAY;
}

function newRef(random: Random, bureau: Bureau): string {
  if (bureau === 'equifax') return `A-${random.digits(5)}-${random.digits(3)}`;
  if (bureau === 'experian') return `B${random.digits(5)}.${random.digits(2)}`;
  return `c-${random.digits(5)}-${random.pick([...'abcdefghjk'])}${random.pick([...'abcdefghjk'])}`;
}

type Labelled = { view: View; label: Label };

function rowsAt(
  random: Random,
  bureau: Bureau,
  { person, agreements }: { person: Person; agreements: readonly Agreement[] },
  noise: Noise,
): Labelled[] {
  // Coverage by lender: if a lender does not report to this bureau, all its agreements are missing there.
  const covered = new Map<string, boolean>();
  const rows: Labelled[] = [];
  for (const [index, agreement] of agreements.entries()) {
    const { id } = agreement.lender;
    if (!covered.has(id)) covered.set(id, random.chance(coverageOf(bureau, noise)));
    if (covered.get(id) !== true || random.chance(noise.recordMissing) || isForgotten(agreement)) continue;
    const draw = { random, bureau, agreement, person, noise };
    const view = viewOf(draw);
    rows.push({ view, label: { agreement: index, isDuplicate: false, nameForm: view.nameForm } });
    if (random.chance(noise.duplicateInBureau)) {
      const again = duplicateOf(draw, view);
      rows.push({ view: again, label: { agreement: index, isDuplicate: true, nameForm: again.nameForm } });
    }
  }
  return random.shuffled(rows);
}

function withRefs(random: Random, bureau: Bureau, rows: readonly Labelled[]): LabelledRow[] {
  const used = new Set<string>();
  return rows.map(({ view, label }) => {
    let ref = newRef(random, bureau);
    while (used.has(ref)) ref = newRef(random, bureau);
    used.add(ref);
    return { bureau, account: { ref, ...view.row }, label };
  });
}

export function generateReport(seed: number, profile: Profile, index: number): LabelledReport {
  const noise = noiseOf(profile);
  const random = new Random(seed, PROFILES.indexOf(profile), index);
  const person = makePerson(random, noise);
  const agreements = withStories(random, ordinaryAgreements(random), noise).map((agreement) => ({
    ...agreement,
    isJoint: person.partner !== null && JOINT_KINDS.includes(agreement.accountType) && random.chance(40),
  }));
  const byBureau = BUREAUS.map((bureau) => {
    const rows = withRefs(random, bureau, rowsAt(random, bureau, { person, agreements }, noise));
    const file = { accounts: rows.map(({ account }) => account), addresses: [], searches: [] };
    return { rows, source: { bureau, file } };
  });
  return {
    ...{ index, person, agreements, rows: byBureau.flatMap(({ rows }) => rows) },
    files: random.shuffled(byBureau.map(({ source }) => source)),
  };
}
