// Every rate of the noise model, in per cent, one column per profile. The README prints the same table with reasons.
// Rows marked "given" are the domain notes' figures and must not be loosened; the others are this benchmark's choice.
export const PROFILES = ['standard', 'harsh', 'adversarial'] as const;
export type Profile = (typeof PROFILES)[number];

type Rates = readonly [standard: number, harsh: number, adversarial: number];

const RATES = {
  // Start date, given: equal, within 3 days, within 31 days; the rest becomes the first of its month.
  startDateEqual: [86, 70, 70],
  startDateWithin3Days: [7, 12, 12],
  startDateWithin31Days: [6, 15, 15],
  // Lender's name. Alias and former name are given; the latter over all rows. Some lenders never had another name, so the
  // draw among the other lenders is higher; the measured rate over all rows then equals the given one.
  nameAlias: [35, 50, 50],
  nameFormerOverall: [3, 8, 8],
  nameFormerWhereThereIsOne: [3.6, 9.6, 9.6],
  nameSister: [0.5, 1.5, 4],
  nameAmpersandSwapped: [10, 20, 20],
  legalNameBeside: [70, 50, 40],
  companyTypeConfused: [5, 10, 15],
  // Number tail, given. Three digits: one bureau only.
  tailMissing: [5, 15, 15],
  tailWrong: [4, 10, 10],
  tailThreeDigits: [30, 30, 30],
  // Money and terms, given.
  startBalanceMissing: [15, 35, 35],
  termMissing: [10, 30, 30],
  termOffByOne: [3, 3, 3],
  paymentMissing: [12, 30, 30],
  balloonMissing: [15, 35, 35],
  creditLimitMoved: [8, 12, 15],
  // Type and state. HP/loan confusion and status lag are given.
  typeConfused: [3, 8, 8],
  typeUnknown: [0.1, 0.5, 2],
  statusLag: [5, 5, 8],
  statusUnknown: [0.1, 0.5, 2],
  // End dates: the notes give none; a little steadier than start dates.
  endDateEqual: [90, 80, 80],
  endDateWithin3Days: [5, 8, 8],
  endDateMissing: [3, 8, 10],
  monthOnly: [4, 10, 20],
  // Presence, given. Coverage falls on a lender's whole business with the person, not on single records.
  coverageEquifax: [93, 93, 93],
  coverageExperian: [90, 90, 90],
  coverageTransunion: [86, 86, 86],
  recordMissing: [3, 3, 3],
  duplicateInBureau: [1, 1, 2],
  duplicateRedrawn: [30, 30, 50],
  // Shapes, given, of people.
  twinCards: [6, 12, 15],
  refinanceChain: [25, 40, 50],
  refinanceSamePayment: [30, 30, 30],
  // The added cases, of people unless a row says otherwise.
  soldDebt: [5, 8, 20],
  partner: [10, 15, 25],
  rowUnderPartnersName: [15, 25, 35],
  marriedName: [6, 10, 20],
  rowUnderFormerSurname: [40, 40, 40],
  firstNameInitialOnly: [3, 6, 6],
  groupBrandPair: [2, 4, 10],
  balloonRefinanced: [2, 4, 12],
  voluntaryTermination: [3, 5, 15],
  voluntaryTerminationToldOtherwise: [25, 25, 25],
  pennyLeft: [1, 2, 10],
} as const satisfies Record<string, Rates>;

export type NoiseName = keyof typeof RATES;
export type Noise = Readonly<Record<NoiseName, number>>;

export const NOISE_NAMES = Object.keys(RATES) as NoiseName[];

const BY_PROFILE = Object.fromEntries(
  PROFILES.map((profile, column) => [
    profile,
    Object.fromEntries(NOISE_NAMES.map((name) => [name, RATES[name][column]])) as Noise,
  ]),
) as Readonly<Record<Profile, Noise>>;

export function noiseOf(profile: Profile): Noise {
  return BY_PROFILE[profile];
}
