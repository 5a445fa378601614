// The built-in policy: points for what is known of a request, by a list that a reader can check with a pencil
// (docs/decisions/0137-built-in-policy.md). Pure; the same facts always get the same verdict, and every point has a named
// reason.
import type { DeviceFacts, Velocity } from '../port.ts';

export type PolicyFacts = {
  readonly device: DeviceFacts | undefined;
  /** Whether the tenant's address for the consumer and the script's address are in one network. Undefined when not known. */
  readonly isSameNetwork: boolean | undefined;
  /** False for a private or local address, which no visitor on the internet has. */
  readonly isNetworkPublic: boolean;
  readonly hasMobile: boolean;
  readonly velocity: Velocity;
  readonly now: Date;
};

export type Thresholds = { readonly challengePoints: number; readonly blockPoints: number };

export type PolicyVerdict = {
  readonly kind: 'allow' | 'challenge' | 'block';
  readonly points: number;
  readonly reasons: readonly string[];
};

type Rule = {
  readonly reason: string;
  /** Also counts other people, who look alike or share the network. */
  readonly isOfCrowd?: true;
  /** `block` blocks regardless of the points. */
  readonly points: number | 'block';
  applies(facts: PolicyFacts): boolean;
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

function ageMs({ device, now }: PolicyFacts): number {
  return device ? now.getTime() - Date.parse(device.collectedAt) : 0;
}

/**
 * The limit of all crowd rules together. Phones of one model look alike, and thousands of them share one address of a mobile
 * network: the crowd alone gets a consumer challenged; only their own facts get them blocked.
 */
export const CROWD_POINTS_MAX = 50;

/** In the order of the reasons. The language is not a rule: it says where people come from. */
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

export function judge(facts: PolicyFacts, { challengePoints, blockPoints }: Thresholds): PolicyVerdict {
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
