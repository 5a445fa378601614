// What one bureau knows of a person: the truth without what its lenders do not report, with the errors that lenders and
// bureaus make. It has no format yet: each wire does its own cutting, masking, rounding and coding.
import { addDays, addMonths, dayNumber, lastDayOfMonth, monthNumber } from '../dates.ts';
import { type Random, randomFor } from '../random.ts';
import type { Agreement } from './agreement.ts';
import { agreementsOf } from './agreements.ts';
import { type Identity, identityOf, type PersonName } from './identity.ts';
import { type BureauName, LENDERS, type Lender, type Product } from './lenders.ts';
import { premisesKey, type Residence, residencesOf } from './residences.ts';

/** One account as one bureau holds it. */
export type Row = Omit<Agreement, 'opened' | 'balancePence' | 'holder'> & {
  /** Its place among the person's agreements, from 1: references are derived from it. */
  readonly index: number;
  readonly lenderName: string;
  /** Given in full beside the name, where a bureau has a field for it. */
  readonly legalName: string | null;
  readonly holder: PersonName;
  /** False when the bureau does not know the number. */
  readonly knowsNumber: boolean;
  /** How many last digits the lender lets the bureau show. */
  readonly tailLength: 3 | 4;
  /** A day, or a month (`YYYY-MM`) where the lender gave no more. */
  readonly opened: string | null;
  readonly updated: string;
  readonly balancePence: number | null;
  readonly residence: string | null;
  /** Set by the behaviour of the same name: unknown codes. */
  readonly hasUnknownCodes?: boolean;
  /** Set by the behaviour of the same name: the whole number. */
  readonly isUnmasked?: boolean;
};

export type Search = { readonly by: string; readonly on: string; readonly why: SearchReason };

export type SearchReason = 'quotation' | 'application' | 'identity' | 'own-file' | 'collections';

export type View = {
  readonly identity: Identity;
  readonly residences: readonly Residence[];
  readonly rows: readonly Row[];
  readonly searches: readonly Search[];
};

export type World = { readonly seed: string; readonly asOf: string };

const YEARS_ON_FILE = 6;

export function viewOf({ seed, asOf }: World, bureau: BureauName, number: number): View {
  const identity = identityOf(seed, number);
  const residences = residencesOf(seed, number, asOf);
  const known = knownResidences(randomFor(seed, bureau, 'residences', number), residences);
  const leaves = addMonths(asOf, -YEARS_ON_FILE * 12);
  const rows = agreementsOf(seed, number, asOf, identity.born).flatMap((agreement, place) => {
    const random = randomFor(seed, bureau, 'row', number, place);
    const isMissing = random.chance(0.03);
    if (!agreement.lender.reportsTo.includes(bureau) || isMissing) return [];
    if (agreement.ended && agreement.ended < leaves) return [];
    const residence = residences.find(({ from }) => from <= (agreement.ended ?? asOf)) ?? residences.at(-1);
    const key = known.some((each) => residence && premisesKey(each) === premisesKey(residence)) ? residence : undefined;
    return [rowOf(random, { agreement, bureau, identity, asOf, seed }, place + 1, key ? premisesKey(key) : null)];
  });
  return { identity, residences: known, rows, searches: searchesOf(seed, bureau, number, asOf) };
}

type RowInput = { agreement: Agreement; bureau: BureauName; identity: Identity; asOf: string; seed: string };

function rowOf(random: Random, input: RowInput, index: number, residence: string | null): Row {
  const { agreement, bureau, identity, asOf, seed } = input;
  const { lender, schedule } = agreement;
  // How a lender reports to a bureau is mostly the lender's habit, not the record's.
  const habit = randomFor(seed, bureau, 'habit', lender.id);
  const lagDays = habit.pick([0, 0, 30, 60]);
  const hasEnded = agreement.ended !== null;
  // A bureau that does not know the end yet shows the account as open, with an older update.
  const isLagging = hasEnded && dayNumber(asOf) - dayNumber(agreement.ended) < 90 && random.chance(0.5);
  const updated = updatedAt(agreement, asOf, isLagging ? 90 : lagDays);
  const isPaidByInstalment = schedule !== null && !random.chance(0.06);
  return {
    ...agreement,
    index,
    residence: random.chance(0.9) ? residence : null,
    product: confusedProduct(random, agreement.product),
    lenderName: lenderNameOf(random, habit, lender, bureau),
    legalName: habit.chance(0.6) ? lender.legal : null,
    holder: holderOf(agreement, identity),
    isJoint: agreement.isJoint || agreement.holder === 'partner',
    number: random.chance(0.02)
      ? randomFor(seed, bureau, 'reissued', identity.number, index).digits(10)
      : agreement.number,
    knowsNumber: !random.chance(0.04),
    tailLength: habit.chance(0.3) ? 3 : 4,
    opened: openedAt(random, agreement.opened, bureau),
    ended: isLagging ? null : agreement.ended,
    state: isLagging ? 'open' : agreement.state,
    updated,
    months: agreement.months.filter(({ month }) => month <= updated.slice(0, 7)),
    creditPence: random.chance(0.08) ? null : agreement.creditPence,
    schedule: isPaidByInstalment ? schedule : null,
    termMonths: agreement.termMonths !== null && random.chance(0.015) ? agreement.termMonths + 1 : agreement.termMonths,
    balancePence: random.chance(0.01) ? null : balanceIn(agreement, updated),
  };
}

function knownResidences(random: Random, residences: readonly Residence[]): Residence[] {
  return residences.flatMap((residence, index) => {
    const isKnown = index === 0 || random.chance(0.9);
    const from = addDays(residence.from, random.chance(0.6) ? 0 : random.int(0, 60));
    const isSane = residence.to === null || from < residence.to;
    return isKnown ? [{ ...residence, from: isSane ? from : residence.from }] : [];
  });
}

function lenderNameOf(random: Random, habit: Random, lender: Lender, bureau: BureauName): string {
  const former = lender.former[0];
  if (former && random.chance(0.03)) return former;
  if (bureau === 'cygnet') return lender.trading;
  const style = habit.weighted([
    ['trading', 60],
    ['legal', 28],
    ['both', 12],
  ] as const);
  if (style === 'trading') return lender.trading;
  return style === 'legal' || lender.legal === lender.trading ? lender.legal : `${lender.legal} T/A ${lender.trading}`;
}

function holderOf({ holder }: Agreement, { name, partner, formerFamily }: Identity): PersonName {
  if (holder === 'partner') return partner;
  if (holder === 'former-name' && formerFamily) return { ...name, title: 'Miss', family: formerFamily };
  return name;
}

/** Some lenders report hire purchase as a loan, or the other way round. */
function confusedProduct(random: Random, product: Product): Product {
  const isConfused = random.chance(0.015);
  if (isConfused && product === 'hire-purchase') return 'personal-loan';
  return isConfused && product === 'personal-loan' ? 'hire-purchase' : product;
}

function openedAt(random: Random, opened: string, bureau: BureauName): string {
  const bend = random.weighted([
    ['same', 925],
    ['days', 40],
    ['weeks', 15],
    ['first', 20],
  ] as const);
  const isMonthOnly = random.chance(bureau === 'albion' ? 0 : 0.05);
  const day = bendDay(random, opened, bend);
  return isMonthOnly ? day.slice(0, 7) : day;
}

function bendDay(random: Random, opened: string, bend: 'same' | 'days' | 'weeks' | 'first'): string {
  switch (bend) {
    case 'same':
      return opened;
    case 'days':
      return addDays(opened, random.pick([-3, -2, -1, 1, 2, 3]));
    case 'weeks':
      return addDays(opened, random.int(4, 28));
    case 'first':
      return `${opened.slice(0, 7)}-01`;
  }
}

/** The month end of the last update; a finished account gets no updates after its end. */
function updatedAt({ opened, ended }: Agreement, asOf: string, lagDays: number): string {
  const newest = lastDayOfMonth(monthNumber(addDays(asOf, -lagDays)) - 1);
  const final = ended ? lastDayOfMonth(monthNumber(ended)) : newest;
  const updated = final < newest ? final : newest;
  return updated < opened ? opened : updated;
}

function balanceIn({ months, balancePence }: Agreement, updated: string): number {
  return months.find(({ month }) => month === updated.slice(0, 7))?.balancePence ?? balancePence;
}

const SEARCHERS = LENDERS.filter(({ sector }) =>
  ['bank', 'motor-finance', 'card-issuer', 'finance-house'].includes(sector),
);

function searchesOf(seed: string, bureau: BureauName, number: number, asOf: string): readonly Search[] {
  const random = randomFor(seed, 'searches', number);
  const sees = randomFor(seed, bureau, 'searches', number);
  return Array.from({ length: random.int(1, 7) }, () => {
    const { trading, legal } = random.pick(SEARCHERS);
    const on = addDays(asOf, -random.int(3, 720));
    const why = random.weighted([
      ['quotation', 50],
      ['application', 30],
      ['identity', 12],
      ['own-file', 5],
      ['collections', 3],
    ] as const);
    return { by: sees.chance(0.3) && bureau !== 'cygnet' ? legal : trading, on, why };
  })
    .filter(() => sees.chance(0.5))
    .toSorted((a, b) => (a.on > b.on ? -1 : a.on < b.on ? 1 : a.by < b.by ? -1 : 1));
}
