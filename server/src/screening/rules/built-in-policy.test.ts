import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceFacts, SignalCounts } from '../port.ts';
import { CROWD_POINTS_MAX, judge, type PolicyFacts, RULES } from './built-in-policy.ts';

const NOW = new Date('2026-06-01T09:00:00Z');
const DEFAULTS = { challengePoints: 20, blockPoints: 80 };
const seen = (changes: Partial<SignalCounts> = {}): SignalCounts => ({ hour: 0, day: 0, otherPeople: 0, ...changes });
const DEVICE: DeviceFacts = {
  deviceDigest: 'a3f1c2',
  collectedAt: '2026-06-01T08:59:00Z',
  network: { ipAddress: '192.0.2.10', userAgentFamily: 'Firefox' },
  timeZone: 'Europe/London',
};
/** A person at their own machine, as last week. */
const QUIET: PolicyFacts = {
  device: DEVICE,
  isSameNetwork: true,
  isNetworkPublic: true,
  hasMobile: true,
  velocity: { person: seen(), network: seen(), device: { ...seen(), isKnownWithPerson: true }, mobile: seen() },
  now: NOW,
};
const device = (changes: Partial<DeviceFacts>): Partial<PolicyFacts> => ({ device: { ...DEVICE, ...changes } });
const velocity = (changes: Partial<PolicyFacts['velocity']>): Partial<PolicyFacts> => ({
  velocity: { ...QUIET.velocity, ...changes },
});
const known = (changes: Partial<SignalCounts>) => ({ device: { ...seen(changes), isKnownWithPerson: true } });

// difference from QUIET, points, verdict, reasons
const rows: [string, Partial<PolicyFacts>, number, string, string[]][] = [
  ['nothing', {}, 0, 'allow', []],
  ['no session', { device: undefined, isSameNetwork: undefined }, 25, 'challenge', ['session-unknown']],
  ['a session of ten minutes', device({ collectedAt: '2026-06-01T08:50:00Z' }), 0, 'allow', []],
  ['a session of more', device({ collectedAt: '2026-06-01T08:49:59.999Z' }), 5, 'allow', ['session-old']],
  ['a degraded session', device({ isDegraded: true }), 10, 'allow', ['session-degraded']],
  ['a browser that is driven', device({ isAutomated: true }), 60, 'challenge', ['automated-browser']],
  ['another time zone', device({ timeZone: 'Asia/Tokyo' }), 10, 'allow', ['time-zone-abroad']],
  ['Jersey', device({ timeZone: 'Europe/Jersey' }), 0, 'allow', []],
  ['an unknown time zone', device({ timeZone: null }), 0, 'allow', []],
  ['another network', { isSameNetwork: false }, 10, 'allow', ['network-differs']],
  ['a private address', { isNetworkPublic: false }, 10, 'allow', ['network-not-public']],
  ['no mobile', { hasMobile: false }, 5, 'allow', ['mobile-missing']],
  ['a new device', velocity({ device: { ...seen(), isKnownWithPerson: false } }), 20, 'challenge', ['device-new']],
  ['a device 4 times an hour', velocity(known({ hour: 4 })), 0, 'allow', []],
  ['a device 5 times an hour', velocity(known({ hour: 5 })), 15, 'allow', ['device-hour']],
  ['a device 10 times a day', velocity(known({ day: 10 })), 15, 'allow', ['device-day']],
  ['a device with another person', velocity(known({ otherPeople: 1 })), 10, 'allow', ['device-two-people']],
  [
    'a device with three others',
    velocity(known({ otherPeople: 3 })),
    25,
    'challenge',
    ['device-two-people', 'device-many-people'],
  ],
  ['a number 3 times an hour', velocity({ mobile: seen({ hour: 3 }) }), 15, 'allow', ['mobile-hour']],
  ['a number 6 times a day', velocity({ mobile: seen({ day: 6 }) }), 20, 'challenge', ['mobile-day']],
  ['a number of two people', velocity({ mobile: seen({ otherPeople: 1 }) }), 30, 'challenge', ['mobile-two-people']],
  [
    'a number of four people',
    velocity({ mobile: seen({ otherPeople: 3 }) }),
    30,
    'block',
    ['mobile-two-people', 'mobile-many-people'],
  ],
  ['a person 3 times an hour', velocity({ person: seen({ hour: 3 }) }), 10, 'allow', ['person-hour']],
  ['a person 6 times a day', velocity({ person: seen({ day: 6 }) }), 20, 'challenge', ['person-day']],
  ['a network 20 times an hour', velocity({ network: seen({ hour: 20 }) }), 15, 'allow', ['network-hour']],
  ['a network 60 times a day', velocity({ network: seen({ day: 60 }) }), 20, 'challenge', ['network-day']],
  ['a network of 20 others', velocity({ network: seen({ otherPeople: 20 }) }), 15, 'allow', ['network-many-people']],
];

describe('each rule by itself', () => {
  for (const [what, changes, points, kind, reasons] of rows) {
    test(`${what}: ${points} points, ${kind}`, () => {
      expect(judge({ ...QUIET, ...changes }, DEFAULTS)).toEqual({ kind, points, reasons });
    });
  }

  test('the list above leaves none out', () => {
    expect(new Set(rows.flatMap(([, , , , reasons]) => reasons))).toEqual(new Set(RULES.map(({ reason }) => reason)));
  });
});

test('points add up, and both thresholds count from their own number on', () => {
  const facts = { ...QUIET, ...device({ isAutomated: true, isDegraded: true }), isSameNetwork: false };
  expect(judge(facts, DEFAULTS)).toMatchObject({ kind: 'block', points: 80 });
  expect(judge(facts, { challengePoints: 20, blockPoints: 81 })).toMatchObject({ kind: 'challenge' });
  expect(judge(facts, { challengePoints: 81, blockPoints: 82 })).toMatchObject({ kind: 'allow' });
});

test('the same facts, the same verdict; stricter thresholds never make it milder', () => {
  const STRICTNESS = { allow: 0, challenge: 1, block: 2 };
  const counts = fc.record({ hour: fc.nat(100), day: fc.nat(100), otherPeople: fc.nat(100) });
  const facts = fc.record({
    device: fc.option(fc.constant(DEVICE), { nil: undefined }),
    isSameNetwork: fc.option(fc.boolean(), { nil: undefined }),
    isNetworkPublic: fc.boolean(),
    hasMobile: fc.boolean(),
    velocity: fc.record({ person: counts, network: counts, mobile: counts }),
    now: fc.constant(NOW),
  });
  fc.assert(
    fc.property(facts, fc.integer({ min: 1, max: 99 }), fc.integer({ min: 100, max: 200 }), (each, low, high) => {
      const loose = judge(each, { challengePoints: low, blockPoints: high });
      expect(judge(each, { challengePoints: low, blockPoints: high })).toEqual(loose);
      const strict = judge(each, { challengePoints: Math.max(1, low - 1), blockPoints: high - 1 });
      expect(STRICTNESS[strict.kind]).toBeGreaterThanOrEqual(STRICTNESS[loose.kind]);
    }),
  );
});

describe('one of a crowd: the commonest telephone, at the busiest address of a mobile network', () => {
  const many = seen({ hour: 100, day: 100, otherPeople: 100 });
  const crowd = velocity({ device: { ...many, isKnownWithPerson: false }, network: many });

  test('is challenged and not blocked, also on a journey with an older session', () => {
    expect(judge({ ...QUIET, ...crowd }, DEFAULTS)).toMatchObject({ kind: 'challenge', points: CROWD_POINTS_MAX });
    const away = device({ timeZone: 'Europe/Madrid', collectedAt: '2026-06-01T08:40:00Z' });
    expect(judge({ ...QUIET, ...crowd, ...away, isSameNetwork: false }, DEFAULTS)).toMatchObject({
      kind: 'challenge',
      points: CROWD_POINTS_MAX + 25,
    });
  });

  test('every reason is told, also those that add no points any more', () => {
    const { reasons } = judge({ ...QUIET, ...crowd }, DEFAULTS);
    expect(reasons).toEqual(RULES.filter(({ isOfCrowd }) => isOfCrowd).map(({ reason }) => reason));
  });

  test('is blocked for something of their own: a driven browser, or a number of two people', () => {
    expect(judge({ ...QUIET, ...crowd, ...device({ isAutomated: true }) }, DEFAULTS).kind).toBe('block');
    const shared = velocity({ ...crowd.velocity, mobile: seen({ otherPeople: 1 }) });
    expect(judge({ ...QUIET, ...shared }, DEFAULTS).kind).toBe('block');
  });
});
