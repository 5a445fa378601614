// What a drill decides without a cluster: which answers a restored database must know, what pgBackRest is told, and that the
// planted mistakes would be noticed. The drill itself is npm run restore-drill.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Row } from '../chaos/checks.ts';
import type { Answer, Operation } from '../chaos/client.ts';
import { createTally, hasFound } from '../chaos/tally.ts';
import { ACROSS, AFTER, BEFORE, judge, mergeRepeated, type Told, whenOf } from './acknowledged.ts';
import { archiveSettings, configurationOf, isLaterWal, toTarget } from './backups.ts';
import { CONTROLS } from './controls.ts';
import { NOTHING_UNDER_WAY, WITHOUT_LOAD } from './drill.ts';
import { LOAD_RUNS, toTold } from './load.ts';
import { exitCodeOf } from './print.ts';

const POINT = { atMs: 10_000, marginMs: 1 };

const told = (changes: Partial<Told> = {}): Told => ({
  ...{ kind: 'generate', id: 'r1', tenantId: 't', creditReportId: 'r1', status: 'complete', credits: 800 },
  ...{ sentAtMs: 5_000, ackedAtMs: 5_100 },
  ...changes,
});
const row = (changes: Partial<Row> = {}): Row => ({
  ...{ id: 'r1', tenantId: 't', status: 'complete', failure: null, reference: '', challengeId: null },
  ...{ attemptsUsed: null, smsSentCount: null, sends: 0, charges: 1, charged: 800, refunds: 0, refunded: 0 },
  answered: null,
  ...changes,
});
const [before, across, after] = [
  { sentAtMs: 9_000, ackedAtMs: 9_998 },
  { sentAtMs: 9_000, ackedAtMs: 12_000 },
  { sentAtMs: 10_002, ackedAtMs: 12_000 },
];
const swept = row({ status: 'failed', failure: 'interrupted', charges: 0, charged: 0 });
const challenge = { status: 'authentication-required', challengeId: 'c1' };
const challenged = row({ status: 'challenged', challengeId: 'c1', attemptsUsed: 0, smsSentCount: 1, sends: 1 });
const code = (changes: Partial<Told>) => told({ kind: 'right', id: 'k1', credits: 0, ...changes });

const aboutOf = (answers: readonly Told[], rows: readonly Row[], topUps: readonly [string, number][] = []) => {
  const kept = { reports: new Map(rows.map((each) => [each.id, each])), topUps: new Map(topUps) };
  return [...new Set(judge(answers, kept, POINT).faults.map(({ about }) => about))];
};

for (const [times, when] of [
  [before, 'before'],
  [{ sentAtMs: 9_000, ackedAtMs: 9_999 }, 'across'], // within the margin of the clocks
  [across, 'across'],
  [{ sentAtMs: 10_001, ackedAtMs: 12_000 }, 'across'],
  [after, 'after'],
] as const) {
  test(`sent at ${times.sentAtMs}, acknowledged at ${times.ackedAtMs}, restored to 10000: ${when}`, () => {
    expect(whenOf(times, POINT)).toBe(when);
  });
}

const END = 'every report is in an end state';
const CASES: readonly [string, readonly Told[], readonly Row[], readonly string[]][] = [
  ['acknowledged before and there', [told(before)], [row()], []],
  ['acknowledged before and gone', [told(before)], [], [BEFORE]],
  ['acknowledged before and without its charge', [told(before)], [row({ charges: 0, charged: 0 })], [BEFORE, END]],
  ['acknowledged before and charged less', [told(before)], [row({ charged: 700 })], [BEFORE]],
  ['acknowledged before as complete and failed since', [told(before)], [swept], [BEFORE]],
  ['sent after and gone', [told(after)], [], []],
  ['sent after and there', [told(after)], [row()], [AFTER]],
  ['under way and gone', [told(across)], [], []],
  ['under way and whole', [told(across)], [row()], []],
  ['under way and ended by the sweep', [told(across)], [swept], []],
  ['under way and half there', [told(across)], [row({ charged: 700 })], [ACROSS]],
  ['under way and still open', [told(across)], [row({ status: 'pending', charges: 0, charged: 0 })], [ACROSS, END]],
  ['failed and not refunded', [], [row({ status: 'failed' })], [END]],
  ['challenged before', [told({ ...before, ...challenge })], [challenged], []],
  [
    'challenged before, another challenge',
    [told({ ...before, ...challenge, challengeId: 'c2' })],
    [challenged],
    [BEFORE],
  ],
  [
    'a wrong code before is counted',
    [told({ ...before, ...challenge }), code({ ...before, kind: 'wrong' })],
    [{ ...challenged, attemptsUsed: 1 }],
    [],
  ],
  [
    'a wrong code before is lost: a fourth guess would be possible',
    [told({ ...before, ...challenge }), code({ ...before, kind: 'wrong' })],
    [challenged],
    [BEFORE],
  ],
  [
    'a wrong code after is counted',
    [told({ ...before, ...challenge }), code({ ...after, kind: 'wrong' })],
    [{ ...challenged, attemptsUsed: 1 }],
    [BEFORE],
  ],
  [
    'a resend before is lost',
    [told({ ...before, ...challenge }), code({ ...before, kind: 'resend' })],
    [challenged],
    [BEFORE],
  ],
  [
    'a right code before',
    [told({ ...before, ...challenge }), code(before)],
    [{ ...challenged, status: 'complete' }],
    [],
  ],
  ['a right code before is lost', [told({ ...before, ...challenge }), code(before)], [challenged], [BEFORE]],
  [
    'a right code under way, swept and refunded',
    [told({ ...before, ...challenge }), code(across)],
    [{ ...challenged, status: 'failed', refunds: 1, refunded: 800 }],
    [],
  ],
  [
    'a right code under way, expired and refunded',
    [told({ ...before, ...challenge }), code(across)],
    [{ ...challenged, status: 'expired', refunds: 1, refunded: 800 }],
    [],
  ],
  [
    'a right code under way, expired and not refunded',
    [told({ ...before, ...challenge }), code(across)],
    [{ ...challenged, status: 'expired' }],
    [END],
  ],
  [
    'a right code under way, swept and not refunded',
    [told({ ...before, ...challenge }), code(across)],
    [{ ...challenged, status: 'failed' }],
    [BEFORE, END],
  ],
  [
    'complete although its code was sent after',
    [told({ ...before, ...challenge }), code(after)],
    [{ ...challenged, status: 'complete' }],
    [BEFORE],
  ],
];
for (const [name, answers, rows, abouts] of CASES) {
  test(`${name}: ${abouts.length === 0 ? 'no finding' : abouts.join('; ')}`, () => {
    expect(aboutOf(answers, rows)).toEqual(abouts);
  });
}

test('a top-up is there if it was acknowledged before, not if it was sent after, and never in part', () => {
  const topUp = (times: Partial<Told>) => told({ kind: 'top-up', id: 's1', creditReportId: '', credits: 40, ...times });
  expect(aboutOf([topUp(before)], [], [['s1', 40]])).toEqual([]);
  expect(aboutOf([topUp(before)], [])).toEqual([BEFORE]);
  expect(aboutOf([topUp(after)], [], [['s1', 40]])).toEqual([AFTER]);
  expect(aboutOf([topUp(across)], [], [['s1', 39]])).toEqual([ACROSS]);
});

test('lost is what was acknowledged at or after the point and is not there', () => {
  const answers = [
    told(before),
    told({ ...across, id: 'r2', creditReportId: 'r2' }),
    told({ ...after, id: 'r3', creditReportId: 'r3' }),
  ];
  const kept = { reports: new Map([['r1', row()]]), topUps: new Map() };
  expect(judge(answers, kept, POINT)).toMatchObject({ before: 1, across: 1, after: 1, lost: 2, faults: [] });
});

test('a repetition is the same effect, from the first request to the first answer', () => {
  const again = told({ sentAtMs: 11_000, ackedAtMs: 11_100 });
  expect(mergeRepeated([again, told()])).toMatchObject([{ sentAtMs: 5_000, ackedAtMs: 5_100 }]);
});

test('an answer says what it acknowledges: a report, a wrong or a right code, a message; a refusal nothing', () => {
  const tenant = { tenantId: 't', clientId: '', clientSecret: '' };
  const operation = (path: string, body: object = {}): Operation => ({ tenant, path, body, key: 'k1', stretches: [] });
  const answer = (data: object, status = 200) => ({ status, body: { data, meta: { wallet: { cost: 5 } } } }) as Answer;
  const code = (text: string) => operation('/v1/credit-reports/r1/otp-challenge', { challengeId: 'c1', code: text });
  expect(toTold(operation('/v1/credit-reports'), answer({ status: 'blocked', creditReportId: 'r1' }))).toMatchObject({
    kind: 'generate',
    id: 'r1',
    status: 'blocked',
    credits: 5,
  });
  expect(toTold(code('123456'), answer({ status: 'complete' }))).toMatchObject({ kind: 'right', creditReportId: 'r1' });
  expect(toTold(code('wrong1'), answer({ status: 'retry' }))).toMatchObject({ kind: 'wrong', id: 'k1' });
  expect(toTold(operation('/v1/credit-reports/r1/resend-sms'), answer({}))).toMatchObject({ kind: 'resend', id: 'k1' });
  expect(toTold(operation('/v1/credit-reports'), answer({}, 402))).toBeUndefined();
});

test('a target is a second in UTC that PostgreSQL reads', () => {
  expect(toTarget(new Date('2026-03-01T02:30:05.000Z'))).toBe('2026-03-01 02:30:05.000+00');
});

test('a segment of the archive is compared by its name, whatever its hash and compression', () => {
  const file = '/x/archive/trefoil/15-1/0000000100000000/000000010000000000000007-0d3c.zst';
  expect(isLaterWal(file, '000000010000000000000006')).toBe(true);
  expect(isLaterWal(file, '000000010000000000000007')).toBe(false);
  expect(isLaterWal('/x/archive.info', '000000010000000000000007')).toBe(false);
});

test('the guide and the drill tell pgBackRest and PostgreSQL the same', () => {
  const guide = readFileSync('docs/operate/backups.md', 'utf8');
  const cluster = { folder: '/x', data: '/x/data', sockets: '/x/run', log: '', port: 1, adminUrl: '' };
  const lines = configurationOf('/y', cluster, 'secret').split('\n');
  const options = lines.flatMap((line) => /^(?!log-|lock-|pg1-)[a-z0-9-]+=/.exec(line)?.[0] ?? []);
  expect(options).toHaveLength(7);
  for (const option of options) expect(guide).toContain(`\n${option}`);
  for (const line of ['repo1-cipher-type=aes-256-cbc', 'compress-type=zst', 'start-fast=y']) {
    expect(lines).toContain(line);
    expect(guide).toContain(`\n${line}`);
  }
  const settings = archiveSettings({ folder: '/y', repository: '', config: '/y/c' }, 60);
  for (const setting of settings) expect(guide).toContain(setting.replace(' --config=/y/c', ''));
});

test('a drill in which too little happened proves nothing; with any other finding it has found something', () => {
  const tally = createTally();
  const machine = { stolenShare: 0, pausedShare: 0, longestStopMs: 0, foreignShare: 0 };
  expect(exitCodeOf({ tally, machine })).toBe(0);
  tally.find(WITHOUT_LOAD, 'full');
  tally.find(NOTHING_UNDER_WAY, 'none is fetching');
  tally.find(LOAD_RUNS, 'fetch failed');
  expect(exitCodeOf({ tally, machine })).toBe(3);
  tally.find(BEFORE, 'r1: no report');
  expect(exitCodeOf({ tally, machine })).toBe(1);
});

test('a mistake counts as found only by the finding that is about it', () => {
  expect(CONTROLS.map(({ id }) => id)).toEqual(['withheld-archive', 'early-second', 'lost-charge']);
  const tally = createTally();
  tally.find('the load runs', 'something else');
  for (const { finding } of CONTROLS) expect(hasFound(tally, finding)).toBe(false);
  tally.find(BEFORE, 'r1: no report');
  expect(CONTROLS.filter(({ finding }) => hasFound(tally, finding)).map(({ id }) => id)).toEqual(['early-second']);
});
