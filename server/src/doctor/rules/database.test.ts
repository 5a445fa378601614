import { expect, test } from 'vitest';
import {
  type ArchiverFacts,
  judgeArchiver,
  judgeConnections,
  judgeReplication,
  judgeSchema,
  judgeServer,
  type ServerFacts,
} from './database.ts';
import type { Finding } from './finding.ts';

const SERVER: ServerFacts = {
  ...{ version: 150_020, isStandby: false, isReadOnly: false, standbyNames: 'ANY 1 (*)', synchronousCommit: 'on' },
  ...{ archiveMode: 'on', maxConnections: 100, reservedConnections: 3, usedConnections: 20 },
};

function expectFinding(finding: Finding, status: string, told: string): void {
  expect(finding.status).toBe(status);
  expect(finding.reason).toContain(told);
  if (status !== 'ok' && status !== 'skip') expect(finding.todo && finding.see).toBeTruthy();
}

const SERVERS: [Partial<ServerFacts>, string, string][] = [
  [{}, 'ok', 'PostgreSQL 15.20'],
  [{ version: 140_001 }, 'fail', 'PostgreSQL 14 is too old'],
  [{ isStandby: true }, 'fail', 'standby'],
  [{ isReadOnly: true }, 'fail', 'takes no writes'],
];
for (const [changes, status, told] of SERVERS) {
  test(`server ${JSON.stringify(changes)}: ${status}`, () =>
    expectFinding(judgeServer({ ...SERVER, ...changes }, 3), status, told));
}

const NEEDED = ['0001_a', '0002_b', '0004_d'];
const SCHEMAS = [
  [NEEDED, 'ok', 'All 3 migrations'],
  [undefined, 'fail', 'no tables yet'],
  [[], 'fail', '3 migrations are missing'],
  [['0001_a', '0002_b'], 'fail', '1 migration is missing: 0004_d'],
  [[...NEEDED, '0005_e'], 'warn', '0005_e'],
  [[...NEEDED, '0003_c'], 'fail', '0003_c'],
] as const;
for (const [applied, status, told] of SCHEMAS) {
  test(`schema ${applied?.join()}: ${status}`, () => expectFinding(judgeSchema(NEEDED, applied), status, told));
}

const SYNC = { state: 'streaming', syncState: 'sync' };
const STANDBYS: [Partial<ServerFacts>, { state: string | null; syncState: string | null }[], string, string][] = [
  [{}, [SYNC], 'ok', '1 standby confirms'],
  [{}, [{ state: 'streaming', syncState: 'quorum' }, SYNC], 'ok', '2 standbys confirm'],
  [{ standbyNames: '' }, [{ state: 'streaming', syncState: 'async' }], 'fail', 'No standby is synchronous'],
  [{ synchronousCommit: 'off' }, [SYNC], 'fail', 'synchronous_commit is off'],
  [{ synchronousCommit: 'local' }, [SYNC], 'fail', 'synchronous_commit is local'],
  [{}, [], 'fail', 'none is connected'],
  [{}, [{ state: 'streaming', syncState: 'async' }], 'fail', 'commits wait'],
  [{}, [{ state: 'startup', syncState: 'sync' }], 'fail', 'commits wait'],
  [{}, [{ state: null, syncState: null }], 'skip', 'may not see'],
  [{ standbyNames: 'FIRST 2 (a, b)' }, [SYNC], 'fail', 'wait for 2 standbys, and 1 is connected'],
  [{ standbyNames: 'any 2 (a, b)' }, [{ state: null, syncState: null }], 'fail', 'wait for 2 standbys'],
  [{ standbyNames: '2(a, b)' }, [SYNC, { state: 'catchup', syncState: 'sync' }], 'fail', 'and 1 confirms them'],
  [{ standbyNames: 'FIRST 2 (a, b)' }, [SYNC, SYNC], 'ok', '2 standbys confirm'],
  [{ standbyNames: 'a, b' }, [SYNC, { state: 'streaming', syncState: 'potential' }], 'ok', '1 standby confirms'],
  [{ standbyNames: '2' }, [SYNC], 'ok', '1 standby confirms'],
];
for (const [changes, standbys, status, told] of STANDBYS) {
  test(`replication ${JSON.stringify([changes, standbys])}: ${status}`, () =>
    expectFinding(judgeReplication({ ...SERVER, ...changes }, standbys, false), status, told));
}
test('replication: on a developer’s machine its absence is a warning', () =>
  expectFinding(judgeReplication({ ...SERVER, standbyNames: '' }, [], true), 'warn', 'No standby'));

const ARCHIVED: ArchiverFacts = {
  ...{ archivedCount: 9, failedCount: 0, archivedSecondsAgo: 60, failedSecondsAgo: null },
  ...{ archivedWal: '0000000100000007000000FE', currentWal: '000000010000000800000002', segmentBytes: 16 * 2 ** 20 },
};
const ARCHIVES: [string, Partial<ArchiverFacts>, string, string][] = [
  ['on', {}, 'ok', '9 WAL files archived'],
  ['off', {}, 'warn', 'does not archive'],
  [
    'on',
    { failedCount: 2, failedSecondsAgo: 5 },
    'fail',
    'Archiving fails (2 times so far; the last good one was 60 seconds',
  ],
  ['on', { failedCount: 2, failedSecondsAgo: 90 }, 'ok', 'archived'],
  ['on', { failedCount: 1, failedSecondsAgo: 5, archivedSecondsAgo: null }, 'fail', 'none was ever archived'],
  ['on', { archivedCount: 0, archivedSecondsAgo: null }, 'warn', 'yet'],
  ['on', { archivedSecondsAgo: 3 * 86_400, currentWal: '0000000100000007000000FF' }, 'warn', '3 days ago'],
  ['on', { archivedSecondsAgo: 301 }, 'fail', '3 WAL files waiting, and none was archived for 5 minutes'],
  ['on', { archivedSecondsAgo: 300 }, 'ok', 'archived'],
  ['on', { archivedSecondsAgo: 301, currentWal: '000000010000000800000001' }, 'ok', 'archived'],
  ['on', { archivedSecondsAgo: 301, currentWal: null }, 'ok', 'archived'],
  ['on', { archivedSecondsAgo: 301, archivedWal: '00000002.history' }, 'ok', 'archived'],
  ['on', { archivedSecondsAgo: 301, segmentBytes: 2 ** 20 }, 'fail', '3,843 WAL files'],
];
for (const [mode, changes, status, told] of ARCHIVES) {
  test(`archive ${mode} ${JSON.stringify(changes)}: ${status}`, () =>
    expectFinding(judgeArchiver(mode, { ...ARCHIVED, ...changes }), status, told));
}

const role = (name: string, roleLimit: number | null = null, databaseLimit: number | null = null) => ({
  ...{ role: name, roleLimit, databaseLimit },
});
const NO_LIMITS = { app: role('trefoil_app'), system: role('trefoil_system') };

const CONNECTIONS: [number, number, number, string, string][] = [
  // nodes, per process, used, expected
  [2, 25, 20, 'ok', '2 API nodes and a worker, 25 each if all have the settings of this command, need up to 75 of 97'],
  [3, 24, 20, 'warn', 'leaves few'],
  [3, 25, 20, 'fail', 'runs out'],
  [1, 25, 95, 'warn', "95 of the server's 97 are in use now"],
];
for (const [nodes, perProcess, usedConnections, status, told] of CONNECTIONS) {
  test(`connections of ${nodes} nodes with ${perProcess}, ${usedConnections} used: ${status}`, () =>
    expectFinding(
      judgeConnections({ ...SERVER, usedConnections }, NO_LIMITS, { nodes, app: perProcess - 5, system: 5 }),
      status,
      told,
    ));
}

const LIMITED: [string, typeof NO_LIMITS, string, string][] = [
  ['the app role', { ...NO_LIMITS, app: role('trefoil_app', 59) }, 'fail', '60 of them as trefoil_app'],
  ['the system role', { ...NO_LIMITS, system: role('trefoil_system', 14) }, 'fail', 'own connection limit is 14'],
  ['enough', { app: role('trefoil_app', 60), system: role('trefoil_system', 15) }, 'ok', 'of 97'],
  [
    'the database',
    { ...NO_LIMITS, app: role('trefoil_app', null, 70) },
    'fail',
    "70 connections that the database's own",
  ],
];
for (const [what, limits, status, told] of LIMITED) {
  test(`connections with a limit of its own, ${what}: ${status}`, () =>
    expectFinding(judgeConnections(SERVER, limits, { nodes: 2, app: 20, system: 5 }), status, told));
}
