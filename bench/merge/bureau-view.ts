// One agreement as one bureau's adapter would deliver it: the noise of the profile, then the effects of the wire
// (whole pounds, cut names, short tails, months without days). The reference is added later, so it cannot leak a label.
import type { AccountStatus, AccountType, Bureau, CompanyType } from '@trefoil/contract';
import type { BureauAccount } from '../../server/src/bureaus/port.ts';
import type { Agreement } from './agreements.ts';
import { balanceOn } from './balances.ts';
import { dateOf, firstOfMonth, monthOf, REPORT_DAY } from './calendar.ts';
import { lenderNameAt, NAME_LIMIT, type NameForm } from './lender-names.ts';
import type { Noise } from './noise.ts';
import type { Person, PersonName } from './people.ts';
import type { Random } from './random.ts';

export type BureauRow = Omit<BureauAccount, 'ref'>;
export type View = { readonly row: BureauRow; readonly nameForm: NameForm };

type Draw = { random: Random; bureau: Bureau; agreement: Agreement; person: Person; noise: Noise };

function off(random: Random, low: number, high: number): number {
  return random.between(low, high) * (random.chance(50) ? 1 : -1);
}

function startDayTold({ random, agreement: { startDay }, noise }: Draw): number {
  const roll = random.below(100);
  if (roll < noise.startDateEqual) return startDay;
  if (roll < noise.startDateEqual + noise.startDateWithin3Days) return startDay + off(random, 1, 3);
  const within31 = noise.startDateEqual + noise.startDateWithin3Days + noise.startDateWithin31Days;
  return roll < within31 ? startDay + off(random, 4, 31) : firstOfMonth(startDay);
}

function endDayTold({ random, noise }: Draw, endDay: number): number | null {
  if (random.chance(noise.endDateMissing)) return null;
  const roll = random.below(100);
  if (roll < noise.endDateEqual) return endDay;
  if (roll < noise.endDateEqual + noise.endDateWithin3Days) return endDay + off(random, 1, 3);
  return endDay + off(random, 4, 31);
}

function tailTold({ random, bureau, agreement, noise }: Draw): string | null {
  if (random.chance(noise.tailMissing)) return null;
  // A re-issued card, or the account number where the other bureaus give the agreement number.
  const tail = random.chance(noise.tailWrong) ? random.digits(4) : agreement.tail;
  return bureau === 'experian' && random.chance(noise.tailThreeDigits) ? tail.slice(1) : tail;
}

const CONFUSED: Partial<Record<AccountType, AccountType>> = {
  'hire-purchase': 'personal-loan',
  'personal-loan': 'hire-purchase',
};

function typeTold({ random, agreement: { accountType }, noise }: Draw): AccountType {
  if (random.chance(noise.typeUnknown)) return 'other';
  return random.chance(noise.typeConfused) ? (CONFUSED[accountType] ?? accountType) : accountType;
}

const NEIGHBOUR: Partial<Record<CompanyType, CompanyType>> = {
  'motor-finance': 'finance-house',
  'finance-house': 'bank',
  bank: 'finance-house',
  'building-society': 'bank',
  'credit-card-issuer': 'bank',
  'mail-order': 'retailer',
  retailer: 'finance-house',
  'debt-purchaser': 'finance-house',
};

function companyTypeTold({ random, agreement: { lender }, noise }: Draw): CompanyType {
  return random.chance(noise.companyTypeConfused) ? (NEIGHBOUR[lender.companyType] ?? 'other') : lender.companyType;
}

/** Equifax drops the pence, Experian rounds, TransUnion keeps them. */
function moneyTold(bureau: Bureau, pence: number): number {
  if (bureau === 'transunion') return pence;
  return (bureau === 'equifax' ? Math.floor(pence / 100) : Math.round(pence / 100)) * 100;
}

type State = { accountStatus: AccountStatus; endDay: number | null; balancePence: number; updatedDay: number };

/** What the bureau last received, zero, thirty or sixty days ago; a lagging row does not know of the end at all. */
function stateTold(draw: Draw): State {
  const { random, agreement, noise } = draw;
  const seenDay = REPORT_DAY - random.pick([0, 30, 60]);
  const { endDay } = agreement;
  const isUnknown = random.chance(noise.statusUnknown);
  if (endDay === null || endDay > seenDay) {
    const accountStatus = agreement.endStatus === 'default' && agreement.balance.kind === 'fixed' ? 'default' : 'open';
    const balancePence = balanceOn(agreement, seenDay);
    return { accountStatus: isUnknown ? 'unknown' : accountStatus, endDay: null, balancePence, updatedDay: seenDay };
  }
  if (random.chance(noise.statusLag)) {
    const updatedDay = Math.max(agreement.startDay, endDay - random.between(5, 35));
    return { accountStatus: 'open', endDay: null, balancePence: balanceOn(agreement, updatedDay), updatedDay };
  }
  const isToldOtherwise =
    agreement.endStatus === 'voluntary-termination' && random.chance(noise.voluntaryTerminationToldOtherwise);
  const accountStatus = isToldOtherwise ? random.pick(['settled', 'default', 'closed'] as const) : agreement.endStatus;
  return {
    accountStatus: isUnknown ? 'unknown' : accountStatus,
    endDay: endDayTold(draw, endDay),
    balancePence: agreement.owedAfterEndPence,
    updatedDay: Math.min(seenDay, endDay + random.below(31)),
  };
}

function holderTold({ random, bureau, agreement, person, noise }: Draw): PersonName {
  const { former, partner } = person;
  let { title, firstName, lastName } = person.name;
  if (agreement.isJoint && partner !== null && random.chance(noise.rowUnderPartnersName)) {
    ({ title, firstName, lastName } = partner);
  } else if (former !== null && agreement.startDay < former.changedDay && random.chance(noise.rowUnderFormerSurname)) {
    lastName = former.lastName;
  }
  if (random.chance(noise.firstNameInitialOnly)) firstName = firstName.slice(0, 1);
  const isUpper = bureau !== 'transunion';
  const told = { title, firstName, lastName };
  return isUpper
    ? { title: title.toUpperCase(), firstName: firstName.toUpperCase(), lastName: lastName.toUpperCase() }
    : told;
}

function jointTold({ random, bureau, agreement: { isJoint } }: Draw): boolean | null {
  if (bureau === 'equifax') return random.chance(1) ? !isJoint : isJoint;
  return bureau === 'transunion' && random.chance(50) ? isJoint : null;
}

function termsTold({ random, bureau, agreement, noise }: Draw) {
  const money = (pence: number | null, isMissing: boolean) =>
    pence === null || isMissing ? null : moneyTold(bureau, pence);
  const isTermMissing = random.chance(noise.termMissing);
  const offBy = random.chance(noise.termOffByOne) ? off(random, 1, 1) : 0;
  const term = agreement.termMonths === null || isTermMissing ? null : agreement.termMonths;
  const isLimit = agreement.balance.kind === 'revolving' && agreement.startBalancePence !== null;
  // A limit is the only credit amount that changes: a bureau may hold the raised or lowered one.
  const moved = isLimit && random.chance(noise.creditLimitMoved) ? random.pick([-50_000, 25_000, 50_000, 100_000]) : 0;
  const credit = agreement.startBalancePence === null ? null : Math.max(25_000, agreement.startBalancePence + moved);
  return {
    numberOfPayments: term === null ? null : term + offBy,
    repaymentPeriodMonths: term === null ? null : random.chance(50) ? term + offBy : term,
    paymentPence: money(agreement.paymentPence, random.chance(noise.paymentMissing)),
    startBalancePence: money(isLimit ? credit : agreement.startBalancePence, random.chance(noise.startBalanceMissing)),
    // One bureau of the three never gives the final payment.
    balloonPence: money(agreement.balloonPence, bureau === 'experian' || random.chance(noise.balloonMissing)),
  };
}

export function viewOf(draw: Draw): View {
  const { random, bureau, noise } = draw;
  const { form, companyName, otherCompanyNames } = lenderNameAt(random, bureau, draw.agreement, noise);
  const { accountStatus, endDay, balancePence, updatedDay } = stateTold(draw);
  const isMonthOnly = bureau !== 'equifax' && random.chance(noise.monthOnly);
  const told = (day: number) => (isMonthOnly ? monthOf(day) : dateOf(day));
  const row: BureauRow = {
    ...{ accountType: typeTold(draw), accountStatus, companyType: companyTypeTold(draw), companyName },
    ...{ companyNameLimit: NAME_LIMIT[bureau], otherCompanyNames, ...holderTold(draw) },
    accountNumberTail: tailTold(draw),
    startDate: told(startDayTold(draw)),
    endDate: endDay === null ? null : told(endDay),
    updatedDate: dateOf(updatedDay),
    ...termsTold(draw),
    balancePence: moneyTold(bureau, balancePence),
    moneyStepPence: bureau === 'transunion' ? 1 : 100,
    isJoint: jointTold(draw),
  };
  return { row, nameForm: form };
}

/** The same account a second time in one bureau's file: an exact copy, or one entered again with its own errors. */
export function duplicateOf(draw: Draw, view: View): View {
  if (!draw.random.chance(draw.noise.duplicateRedrawn)) return view;
  const fresh = viewOf(draw);
  const { companyName, otherCompanyNames, accountNumberTail, balancePence, updatedDate, accountStatus, endDate } =
    fresh.row;
  return {
    nameForm: fresh.nameForm,
    row: {
      ...view.row,
      ...{ companyName, otherCompanyNames, accountNumberTail, balancePence, updatedDate, accountStatus, endDate },
    },
  };
}
