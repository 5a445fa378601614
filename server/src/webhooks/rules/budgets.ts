// How much a receiver gets (docs/decisions/0273-what-a-receiver-gets.md). Who has accepted nothing yet may be somebody who never asked
// for messages: it gets few, whoever sends them. Who accepts gets more, step by step. Pure.

export type Budgets = {
  /** Attempts in any hour at one address, and at one name, that have accepted nothing: for all companies together. */
  readonly unprovenPerHour: number;
  /** So many of each company go, also when others have used up the rest. */
  readonly firstOfCompany: number;
  /** Attempts a minute at a host of one company, from the first message it accepts. */
  readonly perMinute: number;
  /** After so many accepted messages the rate doubles, and again, up to the last one. */
  readonly doublesAfter: number;
  readonly perMinuteMax: number;
  /** Attempts in any hour to confirm, after a 410, at one address: for all companies together. */
  readonly confirmationsPerHour: number;
  /** Of a company in any 24 hours. */
  readonly replaysPerDay: number;
  readonly creationsPerDay: number;
  /** Changes of an endpoint's address to another host: each makes us look up a name that may be a stranger's. */
  readonly movesPerDay: number;
  /** Rows of deliveries of a company, whatever their state. */
  readonly deliveriesMax: number;
};

export const BUDGETS: Budgets = {
  unprovenPerHour: 60,
  firstOfCompany: 10,
  perMinute: 60,
  doublesAfter: 100,
  perMinuteMax: 6_000,
  confirmationsPerHour: 6,
  replaysPerDay: 24,
  creationsPerDay: 50,
  movesPerDay: 500,
  deliveriesMax: 1_000_000,
};

export function ratePerMinute(accepted: number, { perMinute, doublesAfter, perMinuteMax }: Budgets): number {
  return Math.min(perMinute * 2 ** Math.min(Math.floor(accepted / doublesAfter), 30), perMinuteMax);
}

/** More accepted messages change nothing: they are not counted. */
export const isRateFull = (accepted: number, budgets: Budgets): boolean =>
  ratePerMinute(accepted, budgets) === budgets.perMinuteMax;

/** What may go at once: a tenth of a minute's. So no minute has more than eleven tenths. */
const BURST_SECONDS = 6;
/** A host that is ahead by no more has room for one message, at the lowest rate too. */
export const AHEAD_MAX_SECONDS = 5;

/** How many messages may go now to a host that is so far ahead of the clock. */
export function roomOf(aheadSeconds: number, perMinute: number): number {
  return Math.max(0, Math.floor(((BURST_SECONDS - Math.max(0, aheadSeconds)) * perMinute) / 60 + 1e-9));
}

export type Uses = {
  /** Of all companies, and of this one. */
  readonly all: number;
  readonly own: number;
};

/** Each company has its own first ones, also when others have used up the rest. */
export const isRoomFor = (
  { all, own }: Uses,
  { allMax, ownMax }: { readonly allMax: number; readonly ownMax: number },
): boolean => all < allMax || own < ownMax;

/** Of several addresses one where the host has accepted messages, if there is one: the others have to prove themselves. */
export const choosePlace = <Found extends { readonly place: string }>(
  found: readonly Found[],
  provenPlaces: readonly string[],
): Found | undefined => found.find(({ place }) => provenPlaces.includes(place)) ?? found[0];

const HELD_PROVEN_MAX_SECONDS = 60;

/** The name may lead back to where messages were accepted: an endpoint of such a host asks again soon. */
export const holdSeconds = (seconds: number, provenPlaces: readonly string[]): number =>
  provenPlaces.length > 0 ? Math.min(seconds, HELD_PROVEN_MAX_SECONDS) : seconds;
