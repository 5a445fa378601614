// How likely two rows are one agreement: a sum of integer weights in hundredths of a bit, each with its finding. A
// positive sum means one agreement, a negative sum two. When unsure, the sum must be negative: a duplicate line is a
// nuisance, but a lost agreement loses a claim. match-weights.ts has the weight of each finding.
import type { AccountStatus } from '@trefoil/contract';
import { type ComparableAccount, FAMILY, MONTH_SPAN, UNKNOWN } from './comparable-account.ts';
import { isBeginning } from './lender-registry.ts';
import {
  AMOUNT,
  BALANCE,
  CARD_NUMBER,
  END,
  type Finding,
  LENDER,
  LIMIT,
  NEVER,
  NUMBER,
  PAYMENT,
  PRIOR,
  START,
  STATUS,
  TERM,
  TYPE,
} from './match-weights.ts';

const WENT_BAD = new Set<AccountStatus>(['default', 'transferred']);

function compareLenders(a: ComparableAccount, b: ComparableAccount): Finding {
  // A debt purchaser's record is another agreement about the same debt: the report must show both.
  if (a.isPurchaser !== null && b.isPurchaser !== null && a.isPurchaser !== b.isPurchaser) return LENDER.purchaser;
  const [one, other] = [a.lender.only, b.lender.only];
  if (one === null || other === null) return compareNames(a, b);
  if (one === other) return LENDER.same;
  return one.group !== null && one.group === other.group ? LENDER.group : LENDER.different;
}

function compareNames(a: ComparableAccount, b: ComparableAccount): Finding {
  const { lenders, names } = a.lender;
  const { lenders: otherLenders, names: otherNames } = b.lender;
  if (lenders.length > 0 && otherLenders.length > 0) {
    if (lenders.some((lender) => otherLenders.includes(lender))) return LENDER.perhaps;
    const isGroup = lenders.some(({ group }) => group !== null && otherLenders.some((told) => told.group === group));
    return isGroup ? LENDER.group : LENDER.different;
  }
  if (names.some((name) => otherNames.some((told) => isBeginning(name, told) || isBeginning(told, name)))) {
    return LENDER.sameName;
  }
  const hasSameWord = names.some(([word]) => word !== undefined && otherNames.some(([told]) => word === told));
  if (hasSameWord) return LENDER.firstWord;
  // A debt that went bad is often sold, and a purchaser that is not in the registry looks like any other name.
  return WENT_BAD.has(a.status) || WENT_BAD.has(b.status) ? LENDER.purchaser : LENDER.differentNames;
}

function compareStarts(a: ComparableAccount, b: ComparableAccount): Finding {
  if (a.startDay === 0 || b.startDay === 0) return START.unknown;
  if (a.startSpan > 0 || b.startSpan > 0) {
    const into = a.startSpan > 0 ? b.startDay - a.startDay : a.startDay - b.startDay;
    if (into >= 0 && into <= MONTH_SPAN) return START.sameMonth;
    // From the nearer end of the month.
    const outside = into < 0 ? -into : into - MONTH_SPAN;
    if (outside <= 45) return START.nextMonth;
    return outside <= 62 ? START.twoMonths : START.apart;
  }
  const apart = Math.abs(a.startDay - b.startDay);
  if (apart === 0) return START.sameDay;
  if (apart <= 3) return START.threeDays;
  if (apart <= 31) return START.month;
  if (apart <= 45) return START.sixWeeks;
  return apart <= 62 ? START.twoMonths : START.apart;
}

function compareEnds(a: ComparableAccount, b: ComparableAccount): Finding {
  if (a.endDay === 0 || b.endDay === 0) return END.unknown;
  const apart = Math.abs(a.endDay - b.endDay);
  const slack = a.endSpan > 0 || b.endSpan > 0 ? 31 : 0;
  if (apart <= 3 + slack) return slack === 0 ? END.threeDays : END.near;
  return apart <= 45 + slack ? END.near : END.apart;
}

function compareNumbers(a: ComparableAccount, b: ComparableAccount): Finding {
  const findings = a.isRevolving || b.isRevolving ? CARD_NUMBER : NUMBER;
  if (a.tailOfThree === 0 || b.tailOfThree === 0) return findings.unknown;
  if (a.tailOfThree !== b.tailOfThree) return findings.different;
  if (a.tailOfFour === 0 || b.tailOfFour === 0) return findings.three;
  return a.tailOfFour === b.tailOfFour ? findings.four : findings.different;
}

/** Equal within the two bureaus' precision: whole pounds are rounded up or down, so two of them may differ by one. */
export function isSameAmount(a: number, b: number, stepA: number, stepB: number): boolean {
  return Math.abs(a - b) < Math.max(stepA, stepB) || (stepA === stepB && Math.abs(a - b) <= stepA && stepA > 1);
}

function compareStartBalances(a: ComparableAccount, b: ComparableAccount): Finding {
  const findings = a.isRevolving || b.isRevolving ? LIMIT : AMOUNT;
  if (a.startBalance === UNKNOWN || b.startBalance === UNKNOWN) return findings.unknown;
  return isSameAmount(a.startBalance, b.startBalance, a.moneyStep, b.moneyStep) ? findings.same : findings.different;
}

function comparePayments(a: ComparableAccount, b: ComparableAccount): Finding {
  if (a.payment === UNKNOWN || b.payment === UNKNOWN) return PAYMENT.unknown;
  return isSameAmount(a.payment, b.payment, a.moneyStep, b.moneyStep) ? PAYMENT.same : PAYMENT.different;
}

function compareTerms(a: ComparableAccount, b: ComparableAccount): Finding {
  const hasCounts = a.numberOfPayments !== UNKNOWN && b.numberOfPayments !== UNKNOWN;
  const x = hasCounts ? a.numberOfPayments : a.repaymentMonths;
  const y = hasCounts ? b.numberOfPayments : b.repaymentMonths;
  if (x === UNKNOWN || y === UNKNOWN) return TERM.unknown;
  if (x === y) return TERM.same;
  return Math.abs(x - y) === 1 ? TERM.oneApart : TERM.different;
}

function compareTypes(a: ComparableAccount, b: ComparableAccount): Finding {
  if (a.family === FAMILY.unknown || b.family === FAMILY.unknown) return TYPE.unknown;
  if (a.type === b.type) return TYPE.same;
  return a.family === b.family ? TYPE.family : TYPE.different;
}

function compareStatuses(a: ComparableAccount, b: ComparableAccount): Finding {
  return a.isClosed === b.isClosed ? STATUS.agrees : STATUS.lags;
}

/** Balances this small are left-overs of rounding and interest. */
const PENNIES = 100;

function compareBalances(a: ComparableAccount, b: ComparableAccount): Finding {
  if (a.balance === UNKNOWN || b.balance === UNKNOWN) return BALANCE.unknown;
  const low = Math.min(a.balance, b.balance);
  const high = Math.max(a.balance, b.balance);
  if (high <= PENNIES) return BALANCE.zero;
  if (low <= PENNIES) return BALANCE.oneZero;
  const apart = (high - low) * 100;
  if (apart <= high * 2) return BALANCE.same;
  if (apart <= high * 10) return BALANCE.near;
  if (apart <= high * 25) return BALANCE.similar;
  return apart <= high * 50 ? BALANCE.unlike : BALANCE.far;
}

const UNLIKE: readonly Finding[] = [BALANCE.unlike, BALANCE.far, BALANCE.oneZero];

/** Findings that can identify an agreement: without one of them, two rows merely do not contradict each other. */
const IDENTIFYING: readonly Finding[] = [
  NUMBER.four,
  NUMBER.three,
  AMOUNT.same,
  LIMIT.same,
  PAYMENT.same,
  START.sameDay,
  START.threeDays,
  START.sameMonth,
  START.month,
  START.nextMonth,
  START.sixWeeks,
  START.twoMonths,
  END.threeDays,
];

/** Whether two rows without rivals have enough in common to be one: a lender and an identifying finding. */
export function sayEnough(a: ComparableAccount, b: ComparableAccount): boolean {
  const found = explainPair(a, b);
  return !found.includes(LENDER.differentNames) && IDENTIFYING.some((finding) => found.includes(finding));
}

/**
 * A number may be wrong, a limit changed and a balance old, but all three at once look like two cards. If a third
 * bureau agrees with one of the rows, it is still more likely that one bureau has everything wrong.
 */
export function differsInEverything(a: ComparableAccount, b: ComparableAccount): boolean {
  return (
    a.isRevolving &&
    compareNumbers(a, b) === NUMBER.different &&
    compareStartBalances(a, b) === LIMIT.different &&
    UNLIKE.includes(compareBalances(a, b))
  );
}

type Compare = (a: ComparableAccount, b: ComparableAccount) => Finding;

/** The cheap comparisons that can return "never" come first. */
const COMPARISONS: readonly Compare[] = [
  compareTypes,
  compareStarts,
  compareLenders,
  compareNumbers,
  compareStartBalances,
  comparePayments,
  compareTerms,
  compareEnds,
  compareBalances,
  compareStatuses,
];

/** The weight of one finding about these two rows. */
export function weightOf({ across, within }: Finding, a: ComparableAccount, b: ComparableAccount): number {
  return a.bureau === b.bureau ? within : across;
}

/** Same lender, same day, and no contradiction. */
const COPY_MIN = 500;

/** Far below any sum of findings without a "never". */
const RULED_OUT = NEVER / 2;

const mostOf = (findings: Record<string, Finding>) =>
  Math.max(...Object.values(findings).flatMap(({ across, within }) => [across, within]));

/** The most that the remaining comparisons of a score can still add. */
const REST_MAX = [LENDER, NUMBER, TERM, END, BALANCE, STATUS].reduce((sum, findings) => sum + mostOf(findings), 0);

/**
 * Written out instead of a loop over `COMPARISONS`: called one by one, the comparisons take four times as long. A pair
 * that cannot reach `least` returns early with NEVER: most candidates of a long report are such pairs.
 */
export function scorePair(a: ComparableAccount, b: ComparableAccount, least = NEVER): number {
  const isWithin = a.bureau === b.bureau;
  const first = weigh(PRIOR, isWithin) + weigh(compareTypes(a, b), isWithin) + weigh(compareStarts(a, b), isWithin);
  if (first < RULED_OUT) return NEVER;
  const second = first + weigh(compareStartBalances(a, b), isWithin) + weigh(comparePayments(a, b), isWithin);
  if (second + REST_MAX < least) return NEVER;
  const total = second + scoreRest(a, b, isWithin);
  return total < RULED_OUT ? NEVER : total;
}

function scoreRest(a: ComparableAccount, b: ComparableAccount, isWithin: boolean): number {
  return (
    weigh(compareLenders(a, b), isWithin) +
    weigh(compareNumbers(a, b), isWithin) +
    weigh(compareTerms(a, b), isWithin) +
    weigh(compareEnds(a, b), isWithin) +
    weigh(compareBalances(a, b), isWithin) +
    weigh(compareStatuses(a, b), isWithin)
  );
}

const weigh = ({ within, across }: Finding, isWithin: boolean) => (isWithin ? within : across);

/** The parts of the same sum, for people who check a match. */
export function explainPair(a: ComparableAccount, b: ComparableAccount): Finding[] {
  return [PRIOR, ...COMPARISONS.map((compare) => compare(a, b))];
}

/**
 * Whether two rows of one bureau have the same content except for the number. `otherBureaus` is how many other bureaus
 * have exactly one such agreement. One is enough if the number is only missing, or if the rest is the same deal to the
 * pound. Otherwise two are needed, since twins exist and a lost agreement is the worst case.
 */
export function looksCopied(original: ComparableAccount, copy: ComparableAccount, otherBureaus: number): boolean {
  const found = explainPair(original, copy);
  const others = found.filter(({ field }) => field !== 'number' && field !== 'prior');
  if (others.some(({ within }) => within === NEVER)) return false;
  if (others.reduce((sum, { within }) => sum + within, 0) < COPY_MIN) return false;
  if (!found.includes(NUMBER.different)) return otherBureaus >= 1;
  const isHirePurchase = copy.type === 'hire-purchase';
  const agreements = [AMOUNT.same, PAYMENT.same, TERM.same].filter((finding) => found.includes(finding)).length;
  const isSameDeal =
    agreements >= 2 && (!isHirePurchase || (found.includes(AMOUNT.same) && found.includes(STATUS.agrees)));
  return otherBureaus >= (isSameDeal ? 1 : 2);
}
