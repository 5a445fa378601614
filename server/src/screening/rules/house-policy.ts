// The house policy: points for what is known of a request, by a list that anybody can check with a pencil
// (docs/decisions/0137). Pure; the same facts always get the same verdict, and every point has a reason with a name.
import type { DeviceFacts, Velocity } from '../port.ts';

export type HouseFacts = {
  readonly device: DeviceFacts | undefined;
  /** The address the tenant names and the one the script was seen from are of one network. Undefined: not known. */
  readonly isSameNetwork: boolean | undefined;
  /** A private or local address: nobody comes from there over the internet. */
  readonly isNetworkPublic: boolean;
  readonly hasMobile: boolean;
  readonly velocity: Velocity;
  readonly now: Date;
};

export type Thresholds = { readonly challengePoints: number; readonly blockPoints: number };

export type HouseVerdict = {
  readonly kind: 'allow' | 'challenge' | 'block';
  readonly points: number;
  readonly reasons: readonly string[];
};

type Rule = {
  readonly reason: string;
  /** Counts what others did as well, who look alike or come from the same network. */
  readonly isOfCrowd?: true;
  /** `block`: whatever the points. */
  readonly points: number | 'block';
  applies(facts: HouseFacts): boolean;
};

const SESSION_FRESH_MS = 10 * 60_000;
/** The United Kingdom and the Crown Dependencies. */
const HOME_TIME_ZONES = new Set([
  'Europe/London',
  'Europe/Belfast',
  'Europe/Guernsey',
  'Europe/Isle_of_Man',
  'Europe/Jersey',
  'GB',
]);

function ageMs({ device, now }: HouseFacts): number {
  return device ? now.getTime() - Date.parse(device.collectedAt) : 0;
}

/**
 * All that the crowd's rules give together. Telephones of one model look alike, and thousands of them share one address of
 * a mobile network: who is only one of many is challenged, and blocked for something of their own.
 */
export const CROWD_POINTS_MAX = 50;

/** In this order, which is the order of the reasons. A language is no rule: it says where people come from. */
export const RULES: readonly Rule[] = [
  { reason: 'session-unknown', points: 25, applies: ({ device }) => !device },
  { reason: 'session-old', points: 5, applies: (facts) => ageMs(facts) > SESSION_FRESH_MS },
  { reason: 'session-degraded', points: 10, applies: ({ device }) => device?.isDegraded === true },
  { reason: 'automated-browser', points: 60, applies: ({ device }) => device?.isAutomated === true },
  {
    reason: 'time-zone-abroad',
    points: 10,
    applies: ({ device }) => Boolean(device?.timeZone) && !HOME_TIME_ZONES.has(device?.timeZone ?? ''),
  },
  { reason: 'network-differs', points: 10, applies: ({ isSameNetwork }) => isSameNetwork === false },
  { reason: 'network-not-public', points: 10, applies: ({ isNetworkPublic }) => !isNetworkPublic },
  { reason: 'mobile-missing', points: 5, applies: ({ hasMobile }) => !hasMobile },
  {
    reason: 'device-new',
    points: 20,
    isOfCrowd: true,
    applies: ({ velocity: { device } }) => device !== undefined && !device.isKnownWithPerson,
  },
  {
    reason: 'device-hour',
    points: 15,
    isOfCrowd: true,
    applies: ({ velocity: { device } }) => (device?.hour ?? 0) >= 5,
  },
  {
    reason: 'device-day',
    points: 15,
    isOfCrowd: true,
    applies: ({ velocity: { device } }) => (device?.day ?? 0) >= 10,
  },
  {
    reason: 'device-two-people',
    points: 10,
    isOfCrowd: true,
    applies: ({ velocity: { device } }) => (device?.otherPeople ?? 0) >= 1,
  },
  {
    reason: 'device-many-people',
    points: 15,
    isOfCrowd: true,
    applies: ({ velocity: { device } }) => (device?.otherPeople ?? 0) >= 3,
  },
  { reason: 'mobile-hour', points: 15, applies: ({ velocity: { mobile } }) => (mobile?.hour ?? 0) >= 3 },
  { reason: 'mobile-day', points: 20, applies: ({ velocity: { mobile } }) => (mobile?.day ?? 0) >= 6 },
  { reason: 'mobile-two-people', points: 30, applies: ({ velocity: { mobile } }) => (mobile?.otherPeople ?? 0) >= 1 },
  {
    reason: 'mobile-many-people',
    points: 'block',
    applies: ({ velocity: { mobile } }) => (mobile?.otherPeople ?? 0) >= 3,
  },
  { reason: 'person-hour', points: 10, applies: ({ velocity: { person } }) => person.hour >= 3 },
  { reason: 'person-day', points: 20, applies: ({ velocity: { person } }) => person.day >= 6 },
  { reason: 'network-hour', points: 15, isOfCrowd: true, applies: ({ velocity: { network } }) => network.hour >= 20 },
  { reason: 'network-day', points: 20, isOfCrowd: true, applies: ({ velocity: { network } }) => network.day >= 60 },
  {
    reason: 'network-many-people',
    points: 15,
    isOfCrowd: true,
    applies: ({ velocity: { network } }) => network.otherPeople >= 20,
  },
];

const sumOf = (rules: readonly Rule[]) => rules.reduce((sum, { points }) => sum + (points === 'block' ? 0 : points), 0);

export function judge(facts: HouseFacts, { challengePoints, blockPoints }: Thresholds): HouseVerdict {
  const fitting = RULES.filter((rule) => rule.applies(facts));
  const crowdPoints = sumOf(fitting.filter(({ isOfCrowd }) => isOfCrowd));
  const points = sumOf(fitting.filter(({ isOfCrowd }) => !isOfCrowd)) + Math.min(crowdPoints, CROWD_POINTS_MAX);
  const isBlocked = points >= blockPoints || fitting.some((rule) => rule.points === 'block');
  return {
    kind: isBlocked ? 'block' : points >= challengePoints ? 'challenge' : 'allow',
    points,
    reasons: fitting.map(({ reason }) => reason),
  };
}
