// The histories that make matching hard, added to a person's ordinary agreements: each makes records that look alike
// and must stay apart, or records that look different and belong together.
import { type Agreement, earlyEnd, hirePurchase, hirePurchaseTerms, OLDEST_END, revolving } from './agreements.ts';
import { amountFor, balanceOn, instalmentPence } from './balances.ts';
import { addMonths, REPORT_DAY } from './calendar.ts';
import { DEBT_PURCHASERS, type Lender, sistersOf } from './lenders.ts';
import type { Noise } from './noise.ts';
import type { Random } from './random.ts';

/** Two cards of one lender opened together: on the same day in six cases of ten, else within a week. */
function twinOf(random: Random, card: Agreement): Agreement {
  const apart = random.chance(60) ? 0 : random.between(1, 7);
  const twin = revolving(random, card.accountType, card.lender);
  // Numbers issued together are sometimes consecutive, so that only the last digit differs.
  const next = String((Number(card.tail) + 1) % 10_000).padStart(4, '0');
  const startDay = card.startDay + apart;
  const ownEnd = twin.endDay !== null && twin.endDay < startDay + 60 ? null : twin.endDay;
  return {
    ...twin,
    ...{ story: 'twin card', startDay, tail: random.chance(20) ? next : twin.tail },
    ...{ endDay: random.chance(80) ? card.endDay : ownEnd, endStatus: card.endStatus },
    startBalancePence: random.chance(30) ? card.startBalancePence : twin.startBalancePence,
  };
}

/** A customer who changes car before the end of the term: each agreement settles the previous one, at the same lender. */
function refinanceChain(random: Random, lender: Lender, noise: Noise): Agreement[] {
  const chain: Agreement[] = [];
  const links = random.pick([2, 2, 2, 3, 3, 4]);
  let terms = hirePurchaseTerms(random);
  const firstEnd = random.between(OLDEST_END + 20, REPORT_DAY - 60);
  let startDay = addMonths(firstEnd, -Math.round((terms.termMonths * random.between(45, 60)) / 100));
  for (let link = 1; link <= links; link += 1) {
    const settles = link === 1 ? firstEnd : earlyEnd(random, startDay, terms.termMonths);
    const isLast = link === links || settles > REPORT_DAY - 15;
    const fullEnd = addMonths(startDay, terms.termMonths);
    const lastEnd = fullEnd <= REPORT_DAY ? fullEnd : null;
    const endDay = isLast ? lastEnd : settles;
    chain.push({
      ...{ story: `refinance chain, link ${link}`, lender, accountType: 'hire-purchase', tail: random.digits(4) },
      ...{ startDay, endDay, endStatus: 'settled', owedAfterEndPence: 0, isJoint: false, ...terms },
    });
    if (isLast) break;
    startDay = settles;
    terms = random.chance(noise.refinanceSamePayment)
      ? samePaymentTerms(random, terms.paymentPence)
      : hirePurchaseTerms(random);
  }
  return chain;
}

function samePaymentTerms(random: Random, paymentPence: number) {
  const terms = hirePurchaseTerms(random);
  const balloonPercent = terms.balloonPence === null ? 0 : random.between(30, 50);
  const aprTenths = random.between(40, 140);
  const startBalancePence = amountFor(paymentPence, balloonPercent, terms.termMonths, aprTenths);
  const balloonPence =
    terms.balloonPence === null ? null : Math.round((startBalancePence * balloonPercent) / 10_000) * 100;
  return {
    ...terms,
    startBalancePence,
    balloonPence,
    paymentPence,
    balance: { kind: 'instalment', aprTenths } as const,
  };
}

/** A PCP at its end whose final payment was borrowed again, as plain hire purchase with the same lender. */
function balloonRefinanced(random: Random, lender: Lender): Agreement[] {
  let pcp = hirePurchase(random, lender);
  while (pcp.balloonPence === null) pcp = hirePurchase(random, lender);
  const endDay = random.between(OLDEST_END + 20, REPORT_DAY - 60);
  const startDay = addMonths(endDay, -(pcp.termMonths ?? 0));
  const termMonths = random.pick([24, 36, 48]);
  const aprTenths = random.between(60, 140);
  const paymentPence = instalmentPence(pcp.balloonPence, 0, termMonths, aprTenths);
  const fullEnd = addMonths(endDay, termMonths);
  const second: Agreement = {
    ...pcp,
    ...{ story: 'balloon refinanced', tail: random.digits(4), startDay: endDay, termMonths, paymentPence },
    ...{ endDay: fullEnd <= REPORT_DAY ? fullEnd : null, endStatus: 'settled', startBalancePence: pcp.balloonPence },
    ...{ balloonPence: null, balance: { kind: 'instalment', aprTenths } },
  };
  return [{ ...pcp, story: 'PCP whose balloon was refinanced', startDay, endDay, endStatus: 'settled' }, second];
}

/** The original lender's default and the purchaser's record of the same debt: two records that must stay two. */
function soldDebt(random: Random, original: Agreement): Agreement[] {
  const earliest = Math.max(OLDEST_END + 30, original.startDay + 150);
  if (earliest > REPORT_DAY - 240) return [original];
  const defaultDay = random.between(earliest, REPORT_DAY - 240);
  const owedPence = Math.max(5_000, balanceOn(original, defaultDay));
  const purchaser = random.pick(DEBT_PURCHASERS);
  const isSoldOn = random.chance(50);
  return [
    {
      ...original,
      ...{ story: 'debt later sold', endDay: defaultDay, owedAfterEndPence: isSoldOn ? 0 : owedPence },
      endStatus: isSoldOn && random.chance(40) ? 'transferred' : 'default',
    },
    {
      ...original,
      ...{ story: `debt bought from ${original.lender.trading}`, lender: purchaser, isJoint: false },
      accountType: random.chance(70) ? original.accountType : 'other',
      tail: random.chance(20) ? original.tail : random.digits(4),
      startDay: random.chance(60) ? original.startDay : defaultDay + random.between(120, 220),
      ...{ endDay: null, endStatus: 'default', termMonths: null, paymentPence: null, balloonPence: null },
      ...{ startBalancePence: owedPence, balance: { kind: 'fixed', pence: owedPence }, owedAfterEndPence: owedPence },
    },
  ];
}

/** A second agreement of the same kind with a sister brand, opened within a month of the first. */
function sisterAgreement(random: Random, first: Agreement, sister: Lender): Agreement {
  const second =
    first.accountType === 'hire-purchase' ? hirePurchase(random, sister) : revolving(random, first.accountType, sister);
  const startDay = Math.min(first.startDay + random.between(0, 31), REPORT_DAY - 40);
  const plannedEnd = second.termMonths === null ? second.endDay : addMonths(startDay, second.termMonths);
  const hasEnded = plannedEnd !== null && plannedEnd > startDay + 30 && plannedEnd <= REPORT_DAY;
  return { ...second, story: 'sister brand', startDay, endDay: hasEnded ? plannedEnd : null };
}

/** A car handed back once half was paid, as the law allows: ended between 50 and 62 per cent of the term. */
function terminatedEarly(random: Random, lender: Lender): Agreement {
  const terms = hirePurchaseTerms(random);
  const endDay = random.between(OLDEST_END + 20, REPORT_DAY - 90);
  const startDay = addMonths(endDay, -Math.round((terms.termMonths * random.between(50, 62)) / 100));
  return {
    ...{
      story: 'voluntary termination',
      lender,
      accountType: 'hire-purchase',
      tail: random.digits(4),
      startDay,
      endDay,
    },
    ...{ endStatus: 'voluntary-termination', owedAfterEndPence: 0, isJoint: false, ...terms },
  };
}

const SELLABLE: readonly string[] = ['credit-card', 'personal-loan', 'mail-order', 'store-card', 'communications'];

/** Replaces the agreement at `index` with its successors. */
function replaceAt(held: Agreement[], index: number, by: Agreement[]): void {
  if (index >= 0) held.splice(index, 1, ...by);
}

export function withStories(random: Random, ordinary: readonly Agreement[], noise: Noise): Agreement[] {
  const held = [...ordinary];
  const isHirePurchase = ({ accountType }: Agreement) => accountType === 'hire-purchase';
  const firstCar = held.findIndex(isHirePurchase);
  if (random.chance(noise.refinanceChain)) {
    const lender = held[firstCar]?.lender;
    if (lender !== undefined) replaceAt(held, firstCar, refinanceChain(random, lender, noise));
  }
  if (random.chance(noise.voluntaryTermination)) {
    const index = held.findLastIndex(({ story }) => story === 'hire purchase');
    const given = terminatedEarly(random, (held[index] ?? random.pick(held.filter(isHirePurchase))).lender);
    if (index >= 0) held[index] = given;
    else held.push(given);
  }
  if (random.chance(noise.balloonRefinanced)) {
    held.push(...balloonRefinanced(random, random.pick(held.filter(isHirePurchase)).lender));
  }
  if (random.chance(noise.soldDebt)) {
    const index = held.findIndex(({ accountType }) => SELLABLE.includes(accountType));
    replaceAt(
      held,
      index,
      held.slice(index, index + 1).flatMap((one) => soldDebt(random, one)),
    );
  }
  if (random.chance(noise.twinCards)) {
    const card = held.findLast(({ story }) => story === 'credit-card') ?? revolving(random, 'credit-card');
    if (!held.includes(card)) held.push(card);
    held.push(twinOf(random, card));
  }
  if (random.chance(noise.groupBrandPair)) {
    const pairs = held.flatMap((one) => sistersOf(one.lender, one.accountType).map((sister) => ({ one, sister })));
    const usable = pairs.filter(({ one }) => ['hire purchase', 'credit-card'].includes(one.story));
    // Few people hold a group's card by chance; for the others the first card is moved to a group.
    const { one, sister } = usable.length > 0 ? random.pick(usable) : groupCard(random);
    if (!held.includes(one)) held.push(one);
    held.push(sisterAgreement(random, one, sister));
  }
  return held.map((one) =>
    one.endDay !== null && one.owedAfterEndPence === 0 && random.chance(noise.pennyLeft)
      ? { ...one, owedAfterEndPence: 1 }
      : one,
  );
}

function groupCard(random: Random): { one: Agreement; sister: Lender } {
  for (;;) {
    const one = revolving(random, 'credit-card');
    const sisters = sistersOf(one.lender, 'credit-card');
    if (sisters.length > 0) return { one, sister: random.pick(sisters) };
  }
}
