// What comparing two rows can find, and the weight of each finding, in hundredths of a bit. Positive weights mean one
// agreement, negative two. Most weights were measured on the benchmark's development seeds and rounded; some were then
// moved by hand towards keeping rows apart, where golden cases or a review required it (docs/decisions/0117-merge.md).

/** The result of a comparison. The same finding has different weights between two bureaus and within one. */
export type Finding = {
  readonly field: string;
  readonly finding: string;
  /** Two bureaus usually report the same agreements, each in its own way. */
  readonly across: number;
  /** One bureau seldom reports an agreement twice, and then in the same words. */
  readonly within: number;
};

/** Means "never": no other finding can outweigh it. */
export const NEVER = -100_000;

const finding = (field: string, text: string, across: number, within: number): Finding => ({
  field,
  finding: text,
  across,
  within,
});

export const PRIOR = finding('prior', 'two rows of one person', 250, -250);

export const LENDER = {
  purchaser: finding('lender', 'only one is, or may be, a debt purchaser', NEVER, NEVER),
  same: finding('lender', 'same lender', 200, 200),
  perhaps: finding('lender', 'a cut name fits the same lender', 200, 200),
  group: finding('lender', 'brands of one group', -430, -400),
  different: finding('lender', 'different lenders', NEVER, NEVER),
  sameName: finding('lender', 'same name', 230, 200),
  firstWord: finding('lender', 'same first word', 110, -80),
  differentNames: finding('lender', 'different names', -520, -600),
};

export const START = {
  unknown: finding('start', 'not known', -700, -700),
  sameDay: finding('start', 'same day', 200, 290),
  threeDays: finding('start', 'within 3 days', 80, NEVER),
  sameMonth: finding('start', 'same month', 100, 0),
  month: finding('start', 'within a month', -100, NEVER),
  nextMonth: finding('start', 'a month apart', -200, NEVER),
  sixWeeks: finding('start', 'within 45 days', -480, NEVER),
  twoMonths: finding('start', 'within two months', -650, NEVER),
  apart: finding('start', 'more than two months apart', NEVER, NEVER),
};

export const END = {
  unknown: finding('end', 'not known', -30, -30),
  threeDays: finding('end', 'within 3 days', 320, 350),
  near: finding('end', 'within 45 days', 190, 100),
  apart: finding('end', 'apart', -900, -900),
};

/** Within one bureau, another number is another agreement, however similar the rest: twins exist. */
export const NUMBER = {
  unknown: finding('number', 'not known', 0, -1_100),
  four: finding('number', 'same 4 digits', 540, 550),
  three: finding('number', 'same 3 digits', 500, 500),
  different: finding('number', 'different digits', -280, NEVER),
};
/** Two cards of one lender, opened and closed together with one limit, are common: only the number distinguishes them. */
export const CARD_NUMBER = { ...NUMBER, unknown: finding('number', 'not known', 0, NEVER) };

const amountFindings = (
  field: string,
  [same, sameWithin]: [number, number],
  [different, differentWithin]: [number, number],
) => ({
  unknown: finding(field, 'not known', 0, 0),
  same: finding(field, 'same amount', same, sameWithin),
  different: finding(field, 'different amounts', different, differentWithin),
});
export const AMOUNT = amountFindings('start balance', [1_000, 1_000], [-1_500, NEVER]);
export const LIMIT = amountFindings('limit', [300, 300], [-280, NEVER]);
export const PAYMENT = amountFindings('payment', [800, 800], [-1_500, NEVER]);

export const TERM = {
  unknown: finding('term', 'not known', 0, 0),
  same: finding('term', 'same term', 330, 330),
  oneApart: finding('term', 'one apart', -30, NEVER),
  different: finding('term', 'different terms', -1_050, NEVER),
};

export const TYPE = {
  unknown: finding('type', 'not known', -230, -260),
  same: finding('type', 'same type', 60, 70),
  family: finding('type', 'same family', -300, NEVER),
  different: finding('type', 'different families', NEVER, NEVER),
};

/** Bureaus receive a balance on different days: a near value is strong evidence, a far one weak. */
export const BALANCE = {
  unknown: finding('balance', 'not known', 0, 0),
  zero: finding('balance', 'both zero', 50, 50),
  same: finding('balance', 'within 2 per cent', 350, 150),
  near: finding('balance', 'within 10 per cent', 180, 100),
  similar: finding('balance', 'within 25 per cent', 60, 0),
  unlike: finding('balance', 'within half', -130, -50),
  far: finding('balance', 'far apart', -230, -50),
  oneZero: finding('balance', 'only one is zero', -100, -50),
};

export const STATUS = {
  agrees: finding('status', 'no conflict', 30, 40),
  lags: finding('status', 'only one is closed', -200, -300),
};
