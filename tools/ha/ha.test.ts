// What the run decides without a cluster: when a cluster is whole, how long a gap is, when a run has failed, and the settings on
// which the safety of commits rests.
import { expect, test } from 'vitest';
import { createTally } from '../chaos/tally.ts';
import { judge } from './crowd.ts';
import { longestGapMs, spreadOf } from './gaps.ts';
import { judgeHealth, type MemberStatus } from './health.ts';
import { readOptions, UsageError } from './options.ts';
import type { Round } from './play.ts';
import { complaintsOf, exitCodeOf, type Outcome, UNENDED } from './print.ts';
import { CONTROL_SCENARIO, findScenario, SCENARIOS } from './scenarios.ts';
import { etcdArguments, GAP, limitsFor, patroniConfiguration, proxyConfiguration, timingFor } from './settings.ts';

for (const ttl of [5, 6, 8, 10, 12, 20, 30, 60]) {
  test(`ttl ${ttl}: a loop and two retries fit in the life of the lock`, () => {
    const { loopWait, retryTimeout } = timingFor(ttl);
    expect(loopWait + 2 * retryTimeout).toBeLessThanOrEqual(ttl);
  });
}

test('writes may stop for 12 s at ttl 5 and for 30 s at ttl 20', () => {
  expect([5, 20].map((ttl) => limitsFor(ttl, false).gapMs)).toEqual([12_000, 30_000]);
});

const memberOptions = { timing: timingFor(5), binaries: '/bin' };

test('a commit waits for a standby, and waits on if there is none; the control’s does not', () => {
  const { dcs } = patroniConfiguration(1, { ...memberOptions, isSynchronous: true }).bootstrap;
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true, failsafe_mode: true });
  const control = patroniConfiguration(1, { ...memberOptions, isSynchronous: false }).bootstrap.dcs;
  expect(control).toMatchObject({ synchronous_mode: false, synchronous_mode_strict: false });
});

test('Patroni uses the v2 interface of etcd, which etcd offers: the other loses commits in this version', () => {
  const configuration = patroniConfiguration(2, { ...memberOptions, isSynchronous: true });
  expect(configuration).toHaveProperty('etcd.hosts.length', 3);
  expect(configuration).not.toHaveProperty('etcd3');
  expect(etcdArguments(2)).toContain('--enable-v2=true');
});

test('HAProxy ends connections to a machine that is no longer primary, and repeats nothing', () => {
  const text = proxyConfiguration(6_540);
  expect(text).toContain('on-marked-down shutdown-sessions');
  expect(text).toMatch(/^ {2}retries 0$/m);
  expect(text.match(/^ {2}server pg\d .* check port 8008$/gm)).toHaveLength(3);
});

const standby: MemberStatus = { state: 'running', role: 'replica', timeline: 4 };
const stream = (member: string, syncState = 'async', state = 'streaming') => ({
  ...{ application_name: member, state, sync_state: syncState },
});
const primary: MemberStatus = {
  ...{ state: 'running', role: 'master', timeline: 4 },
  replication: [stream('pg2', 'sync'), stream('pg3')],
};

test('one primary with two streaming standbys on its timeline, one of them confirming, is whole', () => {
  expect(judgeHealth([primary, standby, standby], true)).toEqual({
    ...{ isWhole: true, primary: 1, standbys: [2, 3], synchronous: 2, timeline: 4 },
  });
});

const BROKEN: readonly (readonly [string, readonly (MemberStatus | undefined)[], RegExp])[] = [
  ['a silent machine', [primary, standby, undefined], /pg3 does not answer/],
  ['a machine that starts', [primary, { ...standby, state: 'starting' }, standby], /pg2 is not running/],
  ['no primary', [standby, standby, standby], /0 primaries/],
  ['two primaries', [primary, primary, standby], /2 primaries/],
  ['a standby that is not connected', [{ ...primary, replication: [stream('pg2', 'sync')] }, standby, standby], /pg3/],
  [
    'a standby that catches up',
    [{ ...primary, replication: [stream('pg2', 'sync'), stream('pg3', 'async', 'catchup')] }, standby, standby],
    /pg3 does not stream/,
  ],
  ['a standby on an old timeline', [primary, standby, { ...standby, timeline: 3 }], /pg3 is on another timeline/],
  [
    'no standby that confirms',
    [{ ...primary, replication: [stream('pg2'), stream('pg3')] }, standby, standby],
    /no standby confirms/,
  ],
];
for (const [what, members, reason] of BROKEN) {
  test(`${what} is not whole`, () => {
    const health = judgeHealth(members, true);
    expect(health).toMatchObject({ isWhole: false, reason: expect.stringMatching(reason) });
  });
}

test('without synchronous replication no standby need confirm', () => {
  const replication = [stream('pg2'), stream('pg3')];
  expect(judgeHealth([{ ...primary, replication }, standby, standby], false)).toMatchObject({ isWhole: true });
});

test('a gap counts from the failure to the first write, between writes, and from the last write to the end', () => {
  expect(longestGapMs([100, 900, 1_000], 50, 1_100)).toBe(800);
  expect(longestGapMs([900, 1_000], 50, 1_100)).toBe(850);
  expect(longestGapMs([100, 200], 50, 5_000)).toBe(4_800);
  expect(longestGapMs([], 50, 5_000)).toBe(4_950);
  expect(longestGapMs([10, 6_000], 50, 5_000)).toBe(4_950);
});

test('the median is a value that was measured', () => {
  expect(spreadOf([3, 1, 2, 9])).toEqual({ least: 1, median: 2, most: 9 });
  expect(spreadOf([])).toBeUndefined();
});

const TOKEN = '/v1/oauth/token';
const ANSWERS: readonly (readonly [string, Parameters<typeof judge>[0], string?])[] = [
  ['200', { path: TOKEN, status: 200, ms: 20_000, hasRetryAfter: false }],
  ['402', { path: '/v1/credit-reports', status: 402, ms: 10, hasRetryAfter: false }],
  ['503 with Retry-After', { path: TOKEN, status: 503, ms: 10, hasRetryAfter: true }],
  ['503 without', { path: TOKEN, status: 503, ms: 10, hasRetryAfter: false }, 'a 503 has Retry-After'],
  ['500', { path: TOKEN, status: 500, ms: 10, hasRetryAfter: true }, 'no answer is a 5xx but 503'],
  ['504', { path: '/v1/credit-reports', status: 504, ms: 10, hasRetryAfter: true }, 'no answer is a 5xx but 503'],
  ['no answer', { path: TOKEN, status: 0, ms: 10, hasRetryAfter: false }, 'every request is answered'],
  ['late', { path: TOKEN, status: 200, ms: 22_000, hasRetryAfter: false }, 'every answer comes within its deadline'],
];
for (const [what, heard, finding] of ANSWERS) {
  test(`an answer of a run, ${what}: ${finding === undefined ? 'nothing is found' : `not true that ${finding}`}`, () => {
    const tally = createTally();
    judge(heard, tally);
    expect([...tally.findings.keys()]).toEqual(finding === undefined ? [] : [finding]);
  });
}

const round: Round = {
  failedAt: '2026-11-19T05:41:07.000Z',
  ...{ primaries: 'pg1 → pg2', gapMs: 7_000, creditGapMs: 7_000, rejoinMs: 3_000, reports: 10, credits: 20 },
  ...{ insideCredits: 0, asked: 6, completed: 6, unavailable: 3, lost: 0, doubled: 0 },
};
const outcome: Outcome = {
  ...{ ttl: 5, seed: 1, hasControl: true, findings: new Map(), logErrors: new Map(), totalMs: 1 },
  scenarios: [{ name: 'machine', wantedRounds: 1, rounds: [round] }],
  control: { ...round, lost: 12 },
  figures: { reports: 10, credits: 20, slowestAnswerMs: 100 },
  machine: { stolenShare: 0, pausedShare: 0, longestStopMs: 0, foreignShare: 0 },
};

test('a run passes if nothing was found, every round was played and the control lost', () => {
  expect(complaintsOf(outcome)).toEqual([]);
});

test('a control that loses nothing fails the run, and so does one that did not end', () => {
  expect(complaintsOf({ ...outcome, control: round })).toEqual([expect.stringMatching(/proves nothing/)]);
  expect(complaintsOf({ ...outcome, control: undefined })).toEqual([expect.stringMatching(/did not end/)]);
  expect(complaintsOf({ ...outcome, control: undefined, hasControl: false })).toEqual([]);
});

test('a finding and a missing round fail the run', () => {
  const tally = createTally();
  tally.find('nothing acknowledged is lost', 'report 1');
  expect(complaintsOf({ ...outcome, findings: tally.findings })).toEqual([expect.stringMatching(/report 1/)]);
  const scenarios = [{ name: 'machine', wantedRounds: 2, rounds: [round] }];
  expect(complaintsOf({ ...outcome, scenarios })).toEqual(['machine had 1 of 2 rounds']);
  // Broken off, or without a control that lost, it is repeated; with a finding about credits it is not.
  expect(exitCodeOf(outcome)).toBe(0);
  expect(exitCodeOf({ ...outcome, scenarios })).toBe(3);
  expect(exitCodeOf({ ...outcome, control: undefined })).toBe(3);
  expect(exitCodeOf({ ...outcome, scenarios, findings: tally.findings })).toBe(1);
  const unended = createTally();
  unended.find(UNENDED, 'the cluster is not whole');
  expect(exitCodeOf({ ...outcome, scenarios, findings: unended.findings })).toBe(3);
  expect(exitCodeOf({ ...outcome, findings: unended.findings })).toBe(3);
  // A time that was missed is repeated too; not if books are wrong besides.
  const late = createTally();
  late.find(GAP, '13 s');
  expect(exitCodeOf({ ...outcome, findings: late.findings })).toBe(3);
  const machine = { stolenShare: 0.3, pausedShare: 0, longestStopMs: 0, foreignShare: 0 };
  expect(exitCodeOf({ ...outcome, machine, findings: late.findings })).toBe(4);
  expect(exitCodeOf({ ...outcome, machine, scenarios, findings: late.findings })).toBe(3);
  late.find('reconciliation after a round: wallets', 'off by 1');
  expect(exitCodeOf({ ...outcome, findings: late.findings })).toBe(1);
});

test('a full run is 20 rounds of machine and partition, 5 of each other, and the control', () => {
  const { scenarios, hasControl, ttl } = readOptions([]) ?? {};
  const rounds = Object.fromEntries(scenarios?.map(({ scenario, rounds: each }) => [scenario.name, each]) ?? []);
  expect(rounds).toEqual({
    ...{ machine: 20, partition: 20, patroni: 5, postmaster: 5, 'etcd-one': 5, 'etcd-all': 5 },
    ...{ switchover: 5, standby: 5, cut: 5 },
  });
  expect({ hasControl, ttl }).toEqual({ hasControl: true, ttl: 5 });
});

test('the short run is machine and partition once, and the control', () => {
  const { scenarios, hasControl } = readOptions(['--short']) ?? {};
  expect(scenarios?.map(({ scenario, rounds }) => [scenario.name, rounds])).toEqual([
    ['machine', 1],
    ['partition', 1],
  ]);
  expect(hasControl).toBe(true);
});

test('one scenario runs without the control, and the control alone without scenarios', () => {
  expect(readOptions(['--scenario', 'standby', '--rounds', '2'])).toMatchObject({
    ...{ hasControl: false, scenarios: [{ rounds: 2 }] },
  });
  expect(readOptions(['--scenario', 'control'])).toMatchObject({ hasControl: true, scenarios: [] });
});

test('a wrong option is refused, and the refusal says what is possible', () => {
  expect(() => readOptions(['--scenario', 'flood'])).toThrow(/no scenario flood.*machine/);
  expect(() => readOptions(['--ttl', '2'])).toThrow(/from 5 to 60/);
  expect(() => readOptions(['--rounds', '0'])).toThrow(UsageError);
  expect(() => readOptions(['--tll', '5'])).toThrow(UsageError);
});

test('the control does what a scenario with synchronous replication does too', () => {
  expect(SCENARIOS).toContain(findScenario(CONTROL_SCENARIO));
});
