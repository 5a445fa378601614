// How likely two rows are one agreement: a sum of integer weights in hundredths of a bit, each with its finding.
// Positive speaks for one agreement, negative for two. When unsure the sum must come out negative: a doubled line is a
// nuisance, a swallowed agreement loses a claim. What each finding weighs stands in match-weights.ts.
import type { AccountStatus } from '@trefoil/contract';
import type { ComparableAccount, Day } from './comparable-account.ts';
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

const isRevolving = ({ family }: ComparableAccount) => family === 'revolving' || family === 'current-account';

function compareLenders(a: ComparableAccount, b: ComparableAccount): Finding {
  // A debt purchaser's record is another agreement about the same debt: both must be seen.
  if (a.isPurchaser !== null && b.isPurchaser !== null && a.isPurchaser !== b.isPurchaser) return LENDER.purchaser;
  const [one] = a.lenders;
  const [other] = b.lenders;
  if (one && other) {
    const isSure = a.lenders.length === 1 && b.lenders.length === 1;
    if (isSure && one === other) return LENDER.same;
    if (a.lenders.some((lender) => b.lenders.includes(lender))) return LENDER.perhaps;
    const isGroup = a.lenders.some(({ group }) => group !== null && b.lenders.some((lender) => lender.group === group));
    return isGroup ? LENDER.group : LENDER.different;
  }
  if (a.names.some((name) => b.names.some((told) => isBeginning(name, told) || isBeginning(told, name)))) {
    return LENDER.sameName;
  }
  const hasSameWord = a.names.some(([word]) => word !== undefined && b.names.some(([told]) => word === told));
  if (hasSameWord) return LENDER.firstWord;
  // A debt that went bad is often sold, and a purchaser that nobody registered looks like any other name.
  return WENT_BAD.has(a.account.accountStatus) || WENT_BAD.has(b.account.accountStatus)
    ? LENDER.purchaser
    : LENDER.differentNames;
}

function compareStarts(a: Day | null, b: Day | null): Finding {
  if (!a || !b) return START.unknown;
  const apart = Math.abs(a.number - b.number);
  if (a.isMonthOnly || b.isMonthOnly) {
    const [month, other] = a.isMonthOnly ? [a, b] : [b, a];
    const into = other.number - month.number;
    if (into >= 0 && into <= 30) return START.sameMonth;
    // From the nearer end of the month.
    const outside = into < 0 ? -into : into - 30;
    if (outside <= 45) return START.nextMonth;
    return outside <= 62 ? START.twoMonths : START.apart;
  }
  if (apart === 0) return START.sameDay;
  if (apart <= 3) return START.threeDays;
  if (apart <= 31) return START.month;
  if (apart <= 45) return START.sixWeeks;
  return apart <= 62 ? START.twoMonths : START.apart;
}

function compareEnds(a: Day | null, b: Day | null): Finding {
  if (!a || !b) return END.unknown;
  const apart = Math.abs(a.number - b.number);
  const slack = a.isMonthOnly || b.isMonthOnly ? 31 : 0;
  if (apart <= 3 + slack) return slack === 0 ? END.threeDays : END.near;
  return apart <= 45 + slack ? END.near : END.apart;
}

function compareNumbers(one: ComparableAccount, other: ComparableAccount): Finding {
  const findings = isRevolving(one) || isRevolving(other) ? CARD_NUMBER : NUMBER;
  const [a, b] = [one.account.accountNumberTail, other.account.accountNumberTail];
  if (a === null || b === null) return findings.unknown;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < 3) return findings.unknown;
  if (!long.endsWith(short)) return findings.different;
  return short.length >= 4 ? findings.four : findings.three;
}

/** Equal as far as the two bureaus tell it: whole pounds come rounded up or down, so two of them may differ by one. */
export function isSameAmount(a: number, b: number, stepA: number, stepB: number): boolean {
  return Math.abs(a - b) < Math.max(stepA, stepB) || (stepA === stepB && Math.abs(a - b) <= stepA && stepA > 1);
}

type Field = 'startBalancePence' | 'paymentPence';

function compareAmounts(a: ComparableAccount, b: ComparableAccount, field: Field, findings: typeof AMOUNT): Finding {
  const [x, y] = [a.account[field], b.account[field]];
  if (x === null || y === null) return findings.unknown;
  return isSameAmount(x, y, a.account.moneyStepPence, b.account.moneyStepPence) ? findings.same : findings.different;
}

function compareTerms({ account: a }: ComparableAccount, { account: b }: ComparableAccount): Finding {
  const hasCounts = a.numberOfPayments !== null && b.numberOfPayments !== null;
  const x = hasCounts ? a.numberOfPayments : a.repaymentPeriodMonths;
  const y = hasCounts ? b.numberOfPayments : b.repaymentPeriodMonths;
  if (x === null || y === null) return TERM.unknown;
  if (x === y) return TERM.same;
  return Math.abs(x - y) === 1 ? TERM.oneApart : TERM.different;
}

function compareTypes(a: ComparableAccount, b: ComparableAccount): Finding {
  if (a.family === 'unknown' || b.family === 'unknown') return TYPE.unknown;
  if (a.account.accountType === b.account.accountType) return TYPE.same;
  return a.family === b.family ? TYPE.family : TYPE.different;
}

const CLOSED = new Set([
  'settled',
  'closed',
  'partially-settled',
  'voluntary-termination',
  'repossessed',
  'transferred',
]);

function compareStatuses({ account: a }: ComparableAccount, { account: b }: ComparableAccount): Finding {
  return CLOSED.has(a.accountStatus) === CLOSED.has(b.accountStatus) ? STATUS.agrees : STATUS.lags;
}

/** Balances this small are left-overs of rounding and interest. */
const PENNIES = 100;

function compareBalances({ account: a }: ComparableAccount, { account: b }: ComparableAccount): Finding {
  if (a.balancePence === null || b.balancePence === null) return BALANCE.unknown;
  const low = Math.min(a.balancePence, b.balancePence);
  const high = Math.max(a.balancePence, b.balancePence);
  if (high <= PENNIES) return BALANCE.zero;
  if (low <= PENNIES) return BALANCE.oneZero;
  const apart = (high - low) * 100;
  if (apart <= high * 2) return BALANCE.same;
  if (apart <= high * 10) return BALANCE.near;
  if (apart <= high * 25) return BALANCE.similar;
  return apart <= high * 50 ? BALANCE.unlike : BALANCE.far;
}

const UNLIKE: readonly Finding[] = [BALANCE.unlike, BALANCE.far, BALANCE.oneZero];

/** What can identify an agreement: without one of these, two rows only do not contradict each other. */
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

/** Whether two rows that nothing else competes for say enough to be taken for one: a lender and something to know it by. */
export function sayEnough(a: ComparableAccount, b: ComparableAccount): boolean {
  const found = explainPair(a, b);
  return !found.includes(LENDER.differentNames) && IDENTIFYING.some((finding) => found.includes(finding));
}

/**
 * A number may be mistaken, a limit moved and a balance old, but all three at once look like two cards. Where a third
 * bureau agrees with one of them it is still the likelier tale that one bureau has it all wrong.
 */
export function differsInEverything(a: ComparableAccount, b: ComparableAccount): boolean {
  return (
    isRevolving(a) &&
    compareNumbers(a, b) === NUMBER.different &&
    compareAmounts(a, b, 'startBalancePence', LIMIT) === LIMIT.different &&
    UNLIKE.includes(compareBalances(a, b))
  );
}

type Compare = (a: ComparableAccount, b: ComparableAccount) => Finding;

/** The cheap comparisons that can say "never" come first. */
const COMPARISONS: readonly Compare[] = [
  compareTypes,
  (a, b) => compareStarts(a.start, b.start),
  compareLenders,
  compareNumbers,
  (a, b) => compareAmounts(a, b, 'startBalancePence', isRevolving(a) || isRevolving(b) ? LIMIT : AMOUNT),
  (a, b) => compareAmounts(a, b, 'paymentPence', PAYMENT),
  compareTerms,
  (a, b) => compareEnds(a.end, b.end),
  compareBalances,
  compareStatuses,
];

/** The weight of one finding about these two rows. */
export function weightOf({ across, within }: Finding, a: ComparableAccount, b: ComparableAccount): number {
  return a.bureau === b.bureau ? within : across;
}

/** Same lender, same day, and nothing that speaks against it. */
const COPY_MIN = 500;

export function scorePair(a: ComparableAccount, b: ComparableAccount): number {
  let total = weightOf(PRIOR, a, b);
  for (const compare of COMPARISONS) {
    const weight = weightOf(compare(a, b), a, b);
    if (weight === NEVER) return NEVER;
    total += weight;
  }
  return total;
}

/** The same sum in its parts, for people who check a match. */
export function explainPair(a: ComparableAccount, b: ComparableAccount): Finding[] {
  return [PRIOR, ...COMPARISONS.map((compare) => compare(a, b))];
}

/**
 * Whether one row of a bureau says what another of the same bureau says, but for its number. `otherBureaus` is how many
 * other bureaus know of one such agreement and no second. One is enough where the number is only missing, or where the
 * rest is the same deal to the pound; otherwise two, since twins are real and a swallowed agreement is the worst case.
 */
export function looksCopied(original: ComparableAccount, copy: ComparableAccount, otherBureaus: number): boolean {
  const found = explainPair(original, copy);
  const others = found.filter(({ field }) => field !== 'number' && field !== 'prior');
  if (others.some(({ within }) => within === NEVER)) return false;
  if (others.reduce((sum, { within }) => sum + within, 0) < COPY_MIN) return false;
  if (!found.includes(NUMBER.different)) return otherBureaus >= 1;
  const isHirePurchase = copy.account.accountType === 'hire-purchase';
  const agreements = [AMOUNT.same, PAYMENT.same, TERM.same].filter((finding) => found.includes(finding)).length;
  const isSameDeal =
    agreements >= 2 && (!isHirePurchase || (found.includes(AMOUNT.same) && found.includes(STATUS.agrees)));
  return otherBureaus >= (isSameDeal ? 1 : 2);
}
