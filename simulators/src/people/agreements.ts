// The truth: every agreement of a person, before any bureau has seen it. Shapes of the market: chains of vehicles,
// twin cards, sold debts, joint accounts.
import { addDays, addMonths, wholeMonths } from '../dates.ts';
import { type Random, randomFor } from '../random.ts';
import { type Agreement, between, blank, instalment, openState, type Terms } from './agreement.ts';
import { DEBT_PURCHASERS, lendersOf, type Product } from './lenders.ts';
import { monthsOf } from './months.ts';
import { vehicleChain } from './vehicles.ts';

const REVOLVING: readonly Product[] = ['credit-card', 'store-card', 'charge-card', 'mail-order'];

/** Oldest first. */
export function agreementsOf(seed: string, number: number, asOf: string, born: string): readonly Agreement[] {
  const random = randomFor(seed, 'agreements', number);
  const adult = addMonths(born, 18 * 12 + 6);
  const earliest = adult > '2008-01-01' ? adult : '2008-01-01';
  const vehicles = vehicleChain(random, asOf, earliest);
  const rest = everydayCredit(random, asOf, earliest);
  const wanted = random.int(7, 12);
  const chosen = [...vehicles, ...rest].slice(0, Math.max(wanted, vehicles.length));
  while (chosen.length < 6) chosen.push(running(random, 'credit-card', asOf, earliest));
  return chosen
    .toSorted((a, b) => (a.opened + a.number < b.opened + b.number ? -1 : 1))
    .map((terms, index) => ({ ...terms, months: monthsOf(randomFor(seed, 'months', number, index), terms, asOf) }));
}

/** By priority: the most common come first, because the list is cut at the person's number of accounts. */
function everydayCredit(random: Random, asOf: string, earliest: string): Terms[] {
  const found: Terms[] = [];
  const maybe = (chance: number, make: () => Terms | Terms[]) => {
    if (random.chance(chance)) found.push(...[make()].flat());
  };
  maybe(0.96, () => running(random, random.chance(0.06) ? 'basic-account' : 'current-account', asOf, earliest));
  maybe(0.85, () => running(random, 'credit-card', asOf, earliest));
  maybe(0.07, () => twinCards(random, asOf, earliest));
  maybe(0.06, () => soldDebt(random, asOf, earliest));
  maybe(0.5, () => fixedSum(random, 'mortgage', asOf, earliest));
  maybe(0.45, () => fixedSum(random, 'personal-loan', asOf, earliest));
  maybe(0.75, () => service(random, 'mobile', asOf, earliest));
  maybe(0.65, () => running(random, 'credit-card', asOf, earliest));
  maybe(0.65, () => service(random, 'energy', asOf, earliest));
  maybe(0.3, () => running(random, 'store-card', asOf, earliest));
  maybe(0.25, () => running(random, 'mail-order', asOf, earliest));
  maybe(0.6, () => service(random, 'broadband', asOf, earliest));
  maybe(0.15, () => fixedSum(random, 'pay-later', asOf, earliest));
  maybe(0.2, () => fixedSum(random, 'student-loan', asOf, earliest));
  maybe(0.15, () => service(random, 'insurance', asOf, earliest));
  maybe(0.5, () => service(random, 'water', asOf, earliest));
  maybe(0.06, () => fixedSum(random, 'home-credit', asOf, earliest));
  maybe(0.05, () => fixedSum(random, 'secured-loan', asOf, earliest));
  maybe(0.08, () => service(random, 'rent', asOf, earliest));
  maybe(0.05, () => fixedSum(random, 'lease', asOf, earliest));
  maybe(0.03, () => running(random, 'charge-card', asOf, earliest));
  return found;
}

function running(random: Random, product: Product, asOf: string, earliest: string): Terms {
  const opened = between(random, earliest, addMonths(asOf, -2));
  const isOver = random.chance(0.25);
  const end = between(random, addMonths(opened, 2), asOf);
  const isCard = REVOLVING.includes(product);
  const limitPence = isCard ? random.int(5, 120) * 10_000 : random.chance(0.5) ? random.int(2, 30) * 5_000 : 0;
  const owed = isCard ? random.int(0, Math.round(limitPence * 0.9)) : random.int(-180_000, limitPence);
  const state = isOver
    ? random.pick(['settled', 'closed'] as const)
    : random.chance(0.08)
      ? 'dormant'
      : openState(random);
  return {
    ...blank(random, random.weighted(lendersOf(product)), product, opened),
    number: isCard ? random.digits(16) : random.digits(8),
    isJoint: !isCard && random.chance(0.3),
    ended: isOver ? end : null,
    state,
    behind: state === 'behind' ? random.int(1, 5) : 0,
    limitPence: limitPence || null,
    balancePence: isOver || state === 'dormant' ? 0 : random.chance(0.02) ? 1 : owed,
  };
}

/** Two cards of one lender, opened on the same or nearly the same day. */
function twinCards(random: Random, asOf: string, earliest: string): Terms[] {
  const first = running(random, 'credit-card', asOf, earliest);
  const second = running(random, 'credit-card', asOf, earliest);
  const opened = random.chance(0.5) ? first.opened : addDays(first.opened, random.int(1, 5));
  const ended = second.ended && second.ended > addMonths(opened, 2) ? second.ended : null;
  const isSame = random.chance(0.5);
  return [
    first,
    {
      ...second,
      lender: first.lender,
      opened,
      ended,
      state: ended ? second.state : 'open',
      behind: 0,
      limitPence: isSame ? first.limitPence : second.limitPence,
    },
  ];
}

/** A defaulted card, and the purchaser's record of the same debt: two records, never one. */
function soldDebt(random: Random, asOf: string, earliest: string): Terms[] {
  const card = running(random, 'credit-card', addMonths(asOf, -30), earliest);
  const on = between(random, addMonths(asOf, -28), addMonths(asOf, -8));
  const pence = random.int(20_000, 450_000);
  const sold = addDays(on, random.int(60, 200));
  const debt = { on, pence };
  return [
    { ...card, state: 'sold', behind: 0, ended: sold, balancePence: 0, default: debt },
    {
      ...card,
      lender: random.pick(DEBT_PURCHASERS),
      number: random.digits(10),
      opened: random.chance(0.5) ? sold : card.opened,
      ended: null,
      state: random.chance(0.3) ? 'arrangement' : 'default',
      behind: 0,
      limitPence: null,
      creditPence: pence,
      balancePence: Math.round(pence * 0.9),
      default: debt,
    },
  ];
}

type Shape = {
  readonly credit: readonly [number, number];
  readonly terms: readonly number[];
  readonly every: 'W' | 'M';
};

const FIXED_SUM = {
  mortgage: { credit: [60_000, 420_000], terms: [240, 300, 360, 420], every: 'M' },
  'personal-loan': { credit: [1_000, 20_000], terms: [12, 24, 36, 48, 60], every: 'M' },
  'secured-loan': { credit: [8_000, 60_000], terms: [60, 120, 180], every: 'M' },
  'student-loan': { credit: [9_000, 52_000], terms: [360], every: 'M' },
  'home-credit': { credit: [100, 1_500], terms: [6, 12], every: 'W' },
  'pay-later': { credit: [30, 900], terms: [3, 6], every: 'M' },
  lease: { credit: [6_000, 18_000], terms: [24, 36, 48], every: 'M' },
} satisfies Partial<Record<Product, Shape>>;

function fixedSum(random: Random, product: keyof typeof FIXED_SUM, asOf: string, earliest: string): Terms {
  const { credit, terms, every } = FIXED_SUM[product];
  const termMonths = random.pick<number>(terms);
  const opened = between(random, earliest, addMonths(asOf, -2));
  const creditPence = random.int(credit[0], credit[1]) * 100;
  const end = random.chance(0.3) ? between(random, addMonths(opened, 2), asOf) : addMonths(opened, termMonths);
  const isOver = end <= asOf;
  const count = every === 'W' ? Math.round((termMonths * 52) / 12) : termMonths;
  const monthly = instalment(creditPence, 0, termMonths, product === 'mortgage' ? 35 : random.int(40, 190));
  const paid = wholeMonths(opened, asOf);
  const state = isOver
    ? random.weighted([
        ['settled', 95],
        ['partially-settled', 5],
      ] as const)
    : openState(random);
  return {
    ...blank(random, random.weighted(lendersOf(product)), product, opened),
    number: random.digits(product === 'mortgage' ? 9 : 11),
    isJoint: product === 'mortgage' ? random.chance(0.6) : product === 'personal-loan' && random.chance(0.1),
    ended: isOver ? end : null,
    state,
    behind: state === 'behind' ? random.int(1, 3) : 0,
    creditPence,
    schedule: { count, every, pence: every === 'W' ? Math.round((monthly * 12) / 52) : monthly, lastPence: null },
    termMonths,
    balancePence: isOver ? 0 : Math.max(0, creditPence - Math.round((creditPence * paid) / termMonths)),
  };
}

function service(random: Random, product: Product, asOf: string, earliest: string): Terms {
  const terms = running(random, product, asOf, earliest);
  const balancePence = terms.ended ? 0 : random.int(0, 18_000);
  return { ...terms, number: random.digits(10), isJoint: false, limitPence: null, balancePence };
}
