// Vehicles on hire purchase: terms of 36/37/48/49/60 months, balloons on 37 and 49, chains of refinancing.
import { addDays, addMonths, wholeMonths } from '../dates.ts';
import type { Random } from '../random.ts';
import { between, blank, instalment, openState, type Terms } from './agreement.ts';
import { type Lender, lendersOf } from './lenders.ts';

const FIRST_OPENED = '2014-06-01';

/** Zero to three, each but the last refinanced into the next. */
export function vehicleChain(random: Random, asOf: string, earliest: string): Terms[] {
  const length = random.weighted([
    [0, 12],
    [1, 38],
    [2, 32],
    [3, 18],
  ] as const);
  const chain: Terms[] = [];
  // Older agreements have left every file.
  const from = addMonths(earliest > FIRST_OPENED ? earliest : FIRST_OPENED, 6);
  const latest = addMonths(asOf, -6 - 22 * length);
  let opened = from < latest ? between(random, from, latest) : from;
  let lender = random.weighted(lendersOf('hire-purchase'));
  let payment: number | null = null;
  for (let index = 0; index < length && opened < asOf; index++) {
    const isLast = index === length - 1;
    const terms = vehicle(random, { lender, opened, asOf, isRefinanced: !isLast, payment });
    chain.push(terms);
    if (terms.ended === null) break;
    // Refinanced on the settling day with the same lender, or after a pause with another lender.
    const stays = random.chance(0.65);
    opened = stays ? terms.ended : addDays(terms.ended, random.int(20, 500));
    if (!stays) lender = random.weighted(lendersOf('hire-purchase'));
    payment = stays && random.chance(0.3) ? (terms.schedule?.pence ?? null) : null;
  }
  return chain;
}

type VehicleInput = { lender: Lender; opened: string; asOf: string; isRefinanced: boolean; payment: number | null };

function vehicle(random: Random, { lender, opened, asOf, isRefinanced, payment }: VehicleInput): Terms {
  const term = random.weighted([
    [36, 15],
    [37, 18],
    [48, 17],
    [49, 35],
    [60, 15],
  ] as const);
  const creditPence = random.int(160, 660) * 5_000 + (random.chance(0.4) ? random.int(0, 4_999) : 0);
  const isPcp = term === 37 || term === 49;
  const lastPence = isPcp ? Math.round((creditPence * random.int(30, 50)) / 10_000) * 100 : null;
  const regular = payment ?? instalment(creditPence, lastPence ?? 0, term, random.int(40, 140));
  const full = addMonths(opened, term);
  const early = addDays(addMonths(opened, Math.round((term * random.int(45, 60)) / 100)), random.int(0, 20));
  const end = isRefinanced || random.chance(0.35) ? early : full;
  const isOver = end <= asOf;
  const ending = random.weighted([
    ['settled', 90],
    ['voluntary-termination', 6],
    ['repossessed', 1],
    ['default', 3],
  ] as const);
  const paid = isOver ? term : wholeMonths(opened, asOf);
  const owed = Math.max(0, creditPence - Math.round(((creditPence - (lastPence ?? 0)) * paid) / term));
  const isBad = isOver && !isRefinanced && (ending === 'default' || ending === 'repossessed');
  const state = !isOver ? openState(random) : isRefinanced ? 'settled' : ending;
  return {
    ...blank(random, lender, 'hire-purchase', opened),
    number: random.digits(random.int(8, 12)),
    ended: isOver && state !== 'default' ? end : null,
    state,
    behind: state === 'behind' ? random.int(1, 4) : 0,
    creditPence,
    schedule: { count: term, every: 'M', pence: regular, lastPence },
    termMonths: term,
    balancePence: isBad ? random.int(40_000, 400_000) : isOver ? 0 : owed,
    default: isBad ? { on: end, pence: random.int(400_000, 700_000) } : null,
  };
}
