// Measures the actual noise in generated reports by comparing rows with the truth, so that the output, and not the code
// that drew it, confirms the table of rates.
import { BUREAUS } from '@trefoil/contract';
import type { Agreement } from './agreements.ts';
import { dateOf, dayOf, monthOf } from './calendar.ts';
import { generateReport, type LabelledReport, type LabelledRow } from './generate.ts';
import { type Noise, noiseOf, type Profile } from './noise.ts';

/** Measured and wanted, both in per cent, and over how many cases. */
export type Measured = { readonly wanted: number; readonly measured: number; readonly cases: number };

class Tally {
  readonly #hits = new Map<string, number>();
  readonly #cases = new Map<string, number>();

  see(name: string, isHit: boolean): void {
    this.#cases.set(name, (this.#cases.get(name) ?? 0) + 1);
    if (isHit) this.#hits.set(name, (this.#hits.get(name) ?? 0) + 1);
  }

  of(name: string, wanted: number): Measured {
    const cases = this.#cases.get(name) ?? 0;
    return { wanted, cases, measured: cases === 0 ? 0 : ((this.#hits.get(name) ?? 0) / cases) * 100 };
  }
}

function seeDates(tally: Tally, { bureau, account }: LabelledRow, agreement: Agreement): void {
  const told = account.startDate ?? '';
  const isMonthOnly = told.length === 7;
  if (bureau !== 'equifax') tally.see('monthOnly', isMonthOnly);
  // A day shows which kind of error was made; on the first of a month the kinds look the same.
  if (isMonthOnly || dateOf(agreement.startDay).endsWith('-01')) return;
  const days = Math.abs(dayOf(told) - agreement.startDay);
  tally.see('startDateEqual', days === 0);
  const isFirst = told.endsWith('-01') && told.slice(0, 7) === monthOf(agreement.startDay);
  tally.see('startDateWithin3Days', days > 0 && days <= 3 && !isFirst);
  tally.see('startDateWithin31Days', days > 3 && !isFirst);
  tally.see('startDateFirstOfMonth', days > 0 && isFirst);
}

function seeTail(
  tally: Tally,
  { bureau, account: { accountNumberTail: tail } }: LabelledRow,
  agreement: Agreement,
): void {
  tally.see('tailMissing', tail === null);
  if (tail === null) return;
  tally.see('tailWrong', !agreement.tail.endsWith(tail));
  if (bureau === 'experian') tally.see('tailThreeDigits', tail.length === 3);
}

function seeMoney(tally: Tally, { account }: LabelledRow, agreement: Agreement): void {
  if (agreement.startBalancePence !== null) tally.see('startBalanceMissing', account.startBalancePence === null);
  if (agreement.paymentPence !== null) tally.see('paymentMissing', account.paymentPence === null);
  if (agreement.termMonths === null) return;
  tally.see('termMissing', account.numberOfPayments === null);
  if (account.numberOfPayments !== null) tally.see('termOffByOne', account.numberOfPayments !== agreement.termMonths);
}

function seeRow(tally: Tally, row: LabelledRow, agreement: Agreement): void {
  const { account, label } = row;
  tally.see('duplicateInBureau', label.isDuplicate);
  if (label.isDuplicate) return;
  seeDates(tally, row, agreement);
  seeTail(tally, row, agreement);
  seeMoney(tally, row, agreement);
  tally.see('nameFormer', label.nameForm === 'former');
  const isAlias = label.nameForm === 'alias' || label.nameForm === 'unregistered';
  if (label.nameForm !== 'former' && label.nameForm !== 'sister') tally.see('nameAlias', isAlias);
  tally.see('nameUnregistered', label.nameForm === 'unregistered');
  if (agreement.accountType === 'hire-purchase' || agreement.accountType === 'personal-loan') {
    if (account.accountType !== 'other') tally.see('typeConfused', account.accountType !== agreement.accountType);
  }
  // Ended well before any bureau's last update, with nothing owed, and still reported as open.
  if (agreement.endDay !== null && agreement.endDay < dayOf('2026-03-01')) {
    tally.see('statusLag', account.accountStatus === 'open');
  }
}

function seePresence(tally: Tally, { rows, agreements }: LabelledReport): void {
  for (const bureau of BUREAUS) {
    const shown = new Set(rows.filter((row) => row.bureau === bureau).map(({ label }) => label.agreement));
    for (const [index, { endDay }] of agreements.entries()) {
      // Near the six-year limit an absence may be due to age.
      if (endDay === null || endDay > dayOf('2020-08-01')) tally.see(`shown ${bureau}`, shown.has(index));
    }
  }
}

function seeStories(tally: Tally, { agreements }: LabelledReport): void {
  const has = (part: string) => agreements.some(({ story }) => story.includes(part));
  tally.see('twinCards', has('twin card'));
  tally.see('refinanceChain', has('refinance chain, link 2'));
  tally.see('soldDebt', has('debt bought'));
  tally.see('groupBrandPair', has('sister brand'));
  tally.see('balloonRefinanced', has('balloon refinanced'));
  tally.see('voluntaryTermination', has('voluntary termination'));
  const links = agreements.filter(({ story }) => story.startsWith('refinance chain'));
  for (const [index, link] of links.entries()) {
    if (index > 0) tally.see('refinanceSamePayment', links[index - 1]?.paymentPence === link.paymentPence);
  }
  for (const { accountType, lender } of agreements) {
    if (accountType !== 'hire-purchase') continue;
    tally.see('topThreeOfHirePurchase', ['brackenfell', 'tarnwick', 'quillstone'].includes(lender.id));
  }
}

function wantedOf(noise: Noise): Record<string, number> {
  const { startDateEqual, startDateWithin3Days, startDateWithin31Days } = noise;
  const shown = (coverage: number) => (coverage * (100 - noise.recordMissing)) / 100;
  return {
    ...{ startDateEqual, startDateWithin3Days, startDateWithin31Days },
    startDateFirstOfMonth: 100 - startDateEqual - startDateWithin3Days - startDateWithin31Days,
    ...{ monthOnly: noise.monthOnly, nameAlias: noise.nameAlias, nameFormer: noise.nameFormerOverall },
    ...{ tailMissing: noise.tailMissing, tailWrong: noise.tailWrong, tailThreeDigits: noise.tailThreeDigits },
    ...{ startBalanceMissing: noise.startBalanceMissing, termMissing: noise.termMissing },
    ...{ termOffByOne: noise.termOffByOne, paymentMissing: noise.paymentMissing, typeConfused: noise.typeConfused },
    ...{ statusLag: noise.statusLag, duplicateInBureau: noise.duplicateInBureau },
    'shown equifax': shown(noise.coverageEquifax),
    'shown experian': shown(noise.coverageExperian),
    'shown transunion': shown(noise.coverageTransunion),
    ...{ twinCards: noise.twinCards, refinanceChain: noise.refinanceChain, groupBrandPair: noise.groupBrandPair },
    ...{ refinanceSamePayment: noise.refinanceSamePayment, balloonRefinanced: noise.balloonRefinanced },
    ...{ soldDebt: noise.soldDebt, voluntaryTermination: noise.voluntaryTermination, topThreeOfHirePurchase: 57 },
  };
}

export function measureNoise(profile: Profile, seed: number, people: number) {
  const tally = new Tally();
  const totals = { people, rows: 0, agreements: 0, mostRows: 0 };
  for (let index = 0; index < people; index += 1) {
    const report = generateReport(seed, profile, index);
    totals.rows += report.rows.length;
    totals.agreements += report.agreements.length;
    totals.mostRows = Math.max(totals.mostRows, report.rows.length);
    for (const row of report.rows) {
      const agreement = report.agreements[row.label.agreement];
      if (agreement !== undefined) seeRow(tally, row, agreement);
    }
    seePresence(tally, report);
    seeStories(tally, report);
  }
  const noise = noiseOf(profile);
  const rates = Object.entries(wantedOf(noise)).map(([name, wanted]) => [name, tally.of(name, wanted)] as const);
  const unregistered = tally.of('nameUnregistered', 0).measured;
  return { totals, rates: Object.fromEntries(rates), unregistered };
}
