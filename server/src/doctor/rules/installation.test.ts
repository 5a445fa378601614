import { expect, test } from 'vitest';
import { duration, type Finding, ok, skip, warn, worst } from './finding.ts';
import {
  type BacklogFacts,
  type JobFacts,
  judgeAudit,
  judgeBacklog,
  judgeClock,
  judgeJobs,
  judgeKeyService,
  judgeKeys,
  judgeLedger,
  judgeSettings,
  type KeyFacts,
  type KeyServiceFacts,
  type SettingFacts,
} from './installation.ts';

const NOW = new Date('2026-11-16T12:00:00Z');

function expectFinding(finding: Finding, status: string, told: string): void {
  expect(finding.status).toBe(status);
  expect(finding.reason).toContain(told);
}

const CLOCKS: [number, number | undefined, string, string][] = [
  [0, undefined, 'ok', 'and the database agree'],
  [1_999, -1_999, 'ok', 'the database and what answers at the base address agree'],
  [2_000, undefined, 'warn', '2 seconds ahead of the database'],
  [-31_000, undefined, 'fail', '31 seconds behind the database'],
  [0, 40_000, 'fail', 'ahead of what answers at the base address'],
  [3_000, 40_000, 'fail', 'ahead of what answers'],
];
for (const [databaseMs, nodeMs, status, told] of CLOCKS) {
  test(`clock ${databaseMs}, ${nodeMs}: ${status}`, () => expectFinding(judgeClock(databaseMs, nodeMs), status, told));
}

const KEYS: KeyFacts = {
  vaultIds: ['2026-11-01'],
  signingIds: ['2026-11-13-c6180877'],
  evidence: [{ kid: 'pePGlRHWOJrmAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', validFrom: '2026-11-06T00:00:00.000Z' }],
  hashIds: ['2026-11-12'],
  retiredHashIds: [],
  hashConflict: undefined,
  missingVaultIds: [],
  missingEvidenceIds: [],
};
const RINGS: [Partial<KeyFacts>, string, string][] = [
  [
    {},
    'ok',
    'vault 2026-11-01 (15 days), signing 2026-11-13-c6180877 (3 days), evidence pePGlRHWOJrm… (10 days), hash 2026-11-12 (4 days).',
  ],
  // Of installations that were made before ids began with a date.
  [{ signingIds: ['c6180877c3832049'] }, 'ok', 'signing c6180877c3832049 (age unknown)'],
  [{ hashIds: ['hash'] }, 'ok', 'hash (age unknown)'],
  [{ vaultIds: ['2026-11', '2025-01'] }, 'ok', 'vault 2026-11 (15 days) and 1 older'],
  [{ vaultIds: ['blue'] }, 'ok', 'vault blue (age unknown)'],
  [{ vaultIds: ['2025-01-01'] }, 'warn', 'vault 2025-01-01 (684 days)'],
  [{ signingIds: ['2025-01-01-c6180877'] }, 'warn', 'signing 2025-01-01-c6180877 (684 days)'],
  [{ evidence: [{ kid: 'x', validFrom: '2025-01-01T00:00:00Z' }] }, 'warn', 'evidence x (684 days)'],
  [{ hashIds: ['2025-01-01'] }, 'warn', 'hash 2025-01-01 (684 days)'],
  [{ hashIds: ['2026-11-01'] }, 'ok', 'hash 2026-11-01 (15 days).'],
  [{ hashIds: ['2026-11-01', 'old'] }, 'ok', 'hash 2026-11-01 (15 days) and old beside it.'],
  [{ hashIds: ['2026-11-01'], retiredHashIds: ['old'] }, 'ok', 'hash 2026-11-01 (15 days) and old retired.'],
  [{ hashConflict: 'TREFOIL_HASH_KEYS lacks a key' }, 'fail', 'TREFOIL_HASH_KEYS lacks a key.'],
  [{ missingVaultIds: ['2024'] }, 'fail', 'TREFOIL_VAULT_KEYS lacks 2024'],
  [{ missingEvidenceIds: ['x'.repeat(43)] }, 'fail', `TREFOIL_EVIDENCE_KEYS lacks ${'x'.repeat(12)}…`],
];
for (const [changes, status, told] of RINGS) {
  test(`keys ${JSON.stringify(changes)}: ${status}`, () =>
    expectFinding(judgeKeys({ ...KEYS, ...changes }, NOW), status, told));
}

test('old keys of several kinds: what to do names them all', () => {
  const old = { signingIds: ['2025-01-01-c6180877'], hashIds: ['2025-01-01'] };
  expect(judgeKeys({ ...KEYS, ...old }, NOW)).toMatchObject({
    todo: 'More than a year old, so rotate: signing, hash.',
    see: 'docs/operate/configuration.md#rotate-a-signing-key',
  });
});

const SERVICE: KeyServiceFacts = {
  ...{ kind: 'aws-kms', answer: 'present', month: '2026-11' },
  keys: [
    { month: '2026-11', createdAt: new Date('2026-10-26T12:00:00Z'), isOfService: true },
    { month: '2026-09', createdAt: new Date('2026-08-26T12:00:00Z'), isOfService: true },
    { month: '2026-08', createdAt: new Date('2026-07-26T12:00:00Z'), isOfService: false },
  ],
};
const SERVICES: [Partial<KeyServiceFacts> | undefined, string, string][] = [
  [{}, 'ok', 'aws-kms answers: 2 month keys, the newest of 2026-11 (21 days old), the oldest of 2026-09'],
  [{ keys: [], answer: 'gone' }, 'ok', 'no month key yet'],
  [{ answer: 'gone' }, 'fail', 'has no usable key of 2026-11'],
  [{ answer: { fault: 'timeout: no whole answer before the deadline' } }, 'fail', '(timeout: no whole answer'],
  [undefined, 'skip', 'No key service is configured'],
];
for (const [changes, status, told] of SERVICES) {
  test(`key service ${JSON.stringify(changes)}: ${status}`, () =>
    expectFinding(judgeKeyService(changes && { ...SERVICE, ...changes }, NOW), status, told));
}

const SETTINGS: SettingFacts = {
  ...{ isDevelopment: false, exceptions: [], unknownSettings: [], hasFailpoint: false },
  ...{ hasWebhookNetworks: false, isVerbose: false, isLive: true },
};
const SETS: [Partial<SettingFacts>, string, string][] = [
  [{}, 'ok', 'Live mode is on'],
  [{ isLive: false }, 'ok', 'test mode alone'],
  [{ exceptions: ['database', 'redis'] }, 'warn', 'allows database, redis'],
  [{ isDevelopment: true }, 'warn', 'development installation'],
  [{ hasWebhookNetworks: true }, 'warn', 'into your network'],
  [{ isVerbose: true }, 'warn', 'debug'],
  [{ unknownSettings: ['TREFOIL_TYPO'] }, 'warn', 'TREFOIL_TYPO'],
  [{ hasFailpoint: true }, 'fail', 'kill itself'],
];
for (const [changes, status, told] of SETS) {
  test(`settings ${JSON.stringify(changes)}: ${status}`, () =>
    expectFinding(judgeSettings({ ...SETTINGS, ...changes }), status, told));
}

const JOBS: JobFacts = { sweptSecondsAgo: 4, sweepers: 2, eventSeconds: 0 };
const RUNS: [Partial<JobFacts>, string, string][] = [
  [{}, 'ok', '2 processes run the jobs, the last time 4 seconds ago'],
  [{ sweptSecondsAgo: 60 }, 'ok', '60 seconds'],
  [{ sweptSecondsAgo: 61 }, 'fail', 'for 61 seconds'],
  [{ sweptSecondsAgo: undefined }, 'fail', 'within a day'],
  [{ sweepers: undefined }, 'ok', 'A process runs the jobs, the last time 4 seconds ago'],
  [{ eventSeconds: 301 }, 'fail', 'Events wait'],
];
for (const [changes, status, told] of RUNS) {
  test(`jobs ${JSON.stringify(changes)}: ${status}`, () =>
    expectFinding(judgeJobs({ ...JOBS, ...changes }), status, told));
}

const BACKLOG: BacklogFacts = {
  ...{ mailsWaiting: 0, mailSeconds: 0, mailsEnded: { ended: 0, givenUp: 0 }, webhooksWaiting: 0, webhookSeconds: 0 },
  overdue: [{ table: 'mails', seconds: 0 }],
};
const BACKLOGS: [Partial<BacklogFacts>, string, string][] = [
  [{}, 'ok', 'keeps up'],
  [{ mailsWaiting: 3, mailSeconds: 601 }, 'warn', '3 mails unsent'],
  [{ mailsEnded: { ended: 20, givenUp: 1 } }, 'ok', 'keeps up'],
  [{ mailsEnded: { ended: 19, givenUp: 1 } }, 'warn', '1 mail was given up in the last hour, of 19'],
  [{ webhooksWaiting: 9, webhookSeconds: 300 }, 'ok', 'keeps up'],
  [{ webhooksWaiting: 9, webhookSeconds: 301 }, 'warn', '9 webhooks are due and not sent, the oldest since 5 minutes'],
  [{ overdue: [{ table: 'credit_reports', seconds: 7_300 }] }, 'warn', 'credit_reports by 2 hours'],
  [{ overdue: [{ table: 'credit_reports', seconds: 3_600 }] }, 'ok', 'keeps up'],
];
for (const [changes, status, told] of BACKLOGS) {
  test(`backlog ${JSON.stringify(changes)}: ${status}`, () =>
    expectFinding(judgeBacklog({ ...BACKLOG, ...changes }), status, told));
}

test('ledger and audit: fit without a finding, and not with one', () => {
  expectFinding(judgeLedger([], [], 0), 'ok', 'have not been done yet');
  expectFinding(judgeLedger(['held', 'held', 'chain'], [], 1), 'fail', '3 breaks in the last hour: held; chain');
  const all = { name: 'reconcile-all', secondsAgo: 7_200, found: 0 };
  expectFinding(judgeLedger([], [all], 0), 'ok', 'found none either (reconcile-all, 2 hours ago)');
  expectFinding(
    judgeLedger([], [{ ...all, found: 2 }], 0),
    'fail',
    '2 breaks found by the job reconcile-all, 2 hours ago.',
  );
  expect(judgeLedger([], [{ ...all, found: 2 }], 0).todo).toContain("'wallet reconcile --all'");
  expectFinding(judgeLedger([], [all], 2), 'warn', '2 messages were written off');
  expectFinding(judgeAudit(4, 0), 'ok', '4 audit chains');
  expectFinding(judgeAudit(4, 1), 'fail', '1 audit chain does not end');
});

test('the gravest finding decides, and those as grave are told with it', () => {
  const [first, second] = [warn('A.', 'do a', 'a'), warn('B.', 'do b', 'b')];
  expect(worst([ok('fine'), first, second, skip('x')])).toEqual({ ...first, reason: 'A. B.' });
});

const DURATIONS = [
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [7_200, '2 hours'],
  [172_800, '2 days'],
] as const;
for (const [seconds, told] of DURATIONS) test(`${seconds} s is ${told}`, () => expect(duration(seconds)).toBe(told));
