// What one person truly holds or held, before any bureau looks: six to twelve agreements of ordinary shapes.
// stories.ts adds the stories that make matching hard (twins, chains, sold debt).
import type { AccountStatus, AccountType } from '@trefoil/contract';
import { type BalanceShape, instalmentPence } from './balances.ts';
import { addMonths, REPORT_DAY } from './calendar.ts';
import { type Lender, lendersSelling } from './lenders.ts';
import type { Random } from './random.ts';

export type Agreement = {
  /** How it came about, for the reader of an error. */
  readonly story: string;
  readonly lender: Lender;
  readonly accountType: AccountType;
  readonly tail: string;
  readonly startDay: number;
  readonly endDay: number | null;
  /** Its state after the end; open until then. */
  readonly endStatus: AccountStatus;
  readonly termMonths: number | null;
  readonly paymentPence: number | null;
  /** Amount of credit; the opening limit of a card, the overdraft of a current account. */
  readonly startBalancePence: number | null;
  readonly balloonPence: number | null;
  readonly balance: BalanceShape;
  /** What is still owed after the end, where a default left a debt. */
  readonly owedAfterEndPence: number;
  readonly isJoint: boolean;
};

/** An ended account leaves the file after six years. */
export const MONTHS_KEPT = 72;
export const OLDEST_END = addMonths(REPORT_DAY, -MONTHS_KEPT);

/** Prices end in a whole pound more often than not. */
function price(random: Random, lowPounds: number, highPounds: number): number {
  const pounds = random.between(lowPounds, highPounds);
  return random.chance(60) ? pounds * 100 : pounds * 100 + random.below(100);
}

export function pickLender(random: Random, accountType: AccountType): Lender {
  return random.pickWeighted(lendersSelling(accountType), ({ sells }) => sells[accountType] ?? 0);
}

/** Money and term of a hire-purchase agreement: plain HP, or the 37 and 49 month PCP shapes with a final payment. */
export function hirePurchaseTerms(random: Random, amountPence = price(random, 8_000, 33_000)) {
  const termMonths = random.pick([36, 37, 37, 48, 49, 49, 49, 60]);
  const aprTenths = random.between(40, 140);
  const isPcp = termMonths % 12 === 1;
  const balloonPence = isPcp ? Math.round((amountPence * random.between(30, 50)) / 10_000) * 100 : null;
  const paymentPence = instalmentPence(amountPence, balloonPence ?? 0, termMonths, aprTenths);
  const balance: BalanceShape = { kind: 'instalment', aprTenths };
  return { startBalancePence: amountPence, termMonths, balloonPence, paymentPence, balance };
}

/** The settling day of an agreement left early: between 45 and 60 per cent of its term, on any day of a month. */
export function earlyEnd(random: Random, startDay: number, termMonths: number): number {
  return addMonths(startDay, Math.round((termMonths * random.between(45, 60)) / 100)) + random.between(-12, 12);
}

export function hirePurchase(random: Random, lender = pickLender(random, 'hire-purchase')): Agreement {
  const terms = hirePurchaseTerms(random);
  for (;;) {
    const startDay = addMonths(REPORT_DAY, -random.between(2, terms.termMonths + 66)) + random.between(-14, 14);
    const fullEnd = addMonths(startDay, terms.termMonths);
    const plannedEnd = random.chance(50) ? earlyEnd(random, startDay, terms.termMonths) : fullEnd;
    if (plannedEnd < OLDEST_END) continue;
    const endDay = plannedEnd <= REPORT_DAY ? plannedEnd : null;
    return {
      ...{ story: 'hire purchase', lender, accountType: 'hire-purchase', tail: random.digits(4), startDay, endDay },
      ...{ endStatus: 'settled', owedAfterEndPence: 0, isJoint: false, ...terms },
    };
  }
}

/** A plan with equal payments, ended at its term or early. */
function plan(
  random: Random,
  accountType: AccountType,
  { terms, pounds, apr }: { terms: number[]; pounds: readonly [number, number]; apr: readonly [number, number] },
): Agreement {
  const lender = pickLender(random, accountType);
  const termMonths = random.pick(terms);
  const amountPence = price(random, pounds[0], pounds[1]);
  const aprTenths = random.between(apr[0], apr[1]);
  for (;;) {
    const startDay = addMonths(REPORT_DAY, -random.between(2, termMonths + 60)) - random.below(28);
    const months = random.chance(35) ? Math.ceil((termMonths * random.between(30, 95)) / 100) : termMonths;
    const end = addMonths(startDay, months);
    if (end < OLDEST_END) continue;
    return {
      ...{
        story: accountType,
        lender,
        accountType,
        tail: random.digits(4),
        startDay,
        endStatus: 'settled',
        termMonths,
      },
      ...{ endDay: end <= REPORT_DAY ? end : null, startBalancePence: amountPence, balloonPence: null, isJoint: false },
      ...{ paymentPence: instalmentPence(amountPence, 0, termMonths, aprTenths), owedAfterEndPence: 0 },
      ...{ balance: { kind: 'instalment', aprTenths } },
    };
  }
}

/** A running account with a limit: card, store card, catalogue, current account. */
export function revolving(
  random: Random,
  accountType: AccountType,
  lender = pickLender(random, accountType),
): Agreement {
  const isCurrent = accountType === 'current-account';
  const limitPence = random.between(2, isCurrent ? 20 : 60) * 25_000;
  const ended = random.chance(30);
  const endDay = ended ? random.between(OLDEST_END + 1, REPORT_DAY - 30) : null;
  const startDay = (endDay ?? REPORT_DAY) - random.between(120, 4_000);
  // A third clear their balance each month, so every month's figure is new; the others vary around a level.
  const isCleared = random.chance(33);
  const levelPence = Math.round((limitPence * random.between(3, isCleared ? 50 : 83)) / 100) + random.below(100);
  const swingPercent = isCleared ? 90 : random.between(5, 20);
  return {
    ...{ story: accountType, lender, accountType, tail: random.digits(4), startDay, endDay, owedAfterEndPence: 0 },
    ...{ endStatus: isCurrent ? 'closed' : random.pick(['settled', 'closed'] as const), isJoint: false },
    ...{ termMonths: null, paymentPence: null, balloonPence: null },
    startBalancePence: isCurrent && random.chance(40) ? null : limitPence,
    balance: { kind: 'revolving', levelPence, swingPercent, salt: random.next() },
  };
}

/** A bill paid monthly: phone, power, insurance. Phones and policies have a term; power has none. */
function service(random: Random, accountType: 'communications' | 'utility' | 'insurance'): Agreement {
  const paymentPence = random.between(8, 160) * 100 + random.pick([0, 0, 50, 99]);
  const termMonths = { communications: random.pick([12, 18, 24, 24, 36]), utility: null, insurance: 12 }[accountType];
  const endDay = random.chance(40) ? random.between(OLDEST_END + 1, REPORT_DAY - 30) : null;
  const startDay = (endDay ?? REPORT_DAY) - random.between(60, 1_800);
  return {
    ...{ story: accountType, lender: pickLender(random, accountType), accountType, tail: random.digits(4), startDay },
    ...{ endDay, endStatus: 'settled', termMonths, paymentPence, startBalancePence: null, balloonPence: null },
    ...{ balance: { kind: 'revolving', levelPence: paymentPence, swingPercent: 25, salt: random.next() } },
    ...{ owedAfterEndPence: 0, isJoint: false },
  };
}

/** The ordinary agreements of one person, before the hard stories. */
export function ordinaryAgreements(random: Random): Agreement[] {
  const held: Agreement[] = [];
  const some = (count: number, make: () => Agreement) => {
    for (let made = 0; made < count; made += 1) held.push(make());
  };
  const maybe = (percent: number) => (random.chance(percent) ? 1 : 0);
  some(random.pick([1, 1, 1, 2, 2, 3]), () => hirePurchase(random));
  some(random.pick([1, 1, 2, 2, 3]), () => revolving(random, 'credit-card'));
  some(random.pick([1, 1, 2]), () => revolving(random, 'current-account'));
  some(random.pick([0, 0, 1, 1, 2]), () =>
    plan(random, 'personal-loan', { terms: [12, 24, 36, 48, 60], pounds: [1_000, 20_000], apr: [39, 290] }),
  );
  some(maybe(40), () => plan(random, 'mortgage', { terms: [240, 300, 360], pounds: [60_000, 450_000], apr: [15, 60] }));
  some(random.pick([0, 1, 1, 2]), () => service(random, 'communications'));
  some(maybe(45), () => service(random, 'utility'));
  some(maybe(12), () => service(random, 'insurance'));
  some(maybe(25), () => revolving(random, 'mail-order'));
  some(maybe(20), () => revolving(random, 'store-card'));
  some(maybe(5), () => revolving(random, 'charge-card'));
  some(maybe(8), () => plan(random, 'buy-now-pay-later', { terms: [6, 12], pounds: [80, 1_500], apr: [1, 200] }));
  some(maybe(5), () => plan(random, 'home-credit', { terms: [6, 12], pounds: [150, 1_200], apr: [600, 900] }));
  some(maybe(6), () => plan(random, 'student-loan', { terms: [300], pounds: [8_000, 45_000], apr: [15, 60] }));
  some(maybe(5), () =>
    plan(random, 'secured-loan', { terms: [60, 120, 180], pounds: [10_000, 70_000], apr: [50, 120] }),
  );
  some(maybe(5), () => plan(random, 'lease', { terms: [24, 36, 48], pounds: [7_000, 20_000], apr: [40, 90] }));
  while (held.length < 6) held.push(revolving(random, random.pick(['credit-card', 'mail-order'] as const)));
  return held.slice(0, 12);
}
