// What an operator stumbles on around the start: settings with a slip, migrations, a schema that is too old, versions.
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../../../tools/dev/local-database.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { createApp } from '../../src/app.ts';
import { loadConfig, loadLocalServers } from '../../src/config.ts';
import { migrate } from '../../src/lib/postgres/migrate.ts';
import { startServer, type TestServer } from '../harness.ts';
import { runProcess } from '../support/command-line.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_LOG_LVEL: 'hush', TREFOIL_NOTHING_LIKE_IT: 'hush' } });
});
afterAll(() => server.close());

describe('settings that are not known', () => {
  test('the server warns about each with the nearest known name, starts, and repeats no value', () => {
    const lines = server
      .logText()
      .split('\n')
      .filter((line) => line.includes('an unknown setting is ignored'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'warn', setting: 'TREFOIL_LOG_LVEL', nearest: 'TREFOIL_LOG_LEVEL' }),
      expect.objectContaining({ level: 'warn', setting: 'TREFOIL_NOTHING_LIKE_IT' }),
    ]);
    expect(JSON.parse(lines[1] ?? '{}')).not.toHaveProperty('nearest');
    expect(server.logText()).not.toContain('hush');
  });

  test('a command warns on standard error and does its work', async () => {
    const { code, stdout, stderr } = await runProcess(['tenant', 'list'], server.environment);
    expect(code).toBe(0);
    expect(stdout).toContain(server.demo.tenantId);
    expect(stderr).toBe(
      'TREFOIL_LOG_LVEL is not a known setting and is ignored. Did you mean TREFOIL_LOG_LEVEL?\n' +
        'TREFOIL_NOTHING_LIKE_IT is not a known setting and is ignored.\n',
    );
  });
});

describe('migrate', () => {
  const owner = () => ({ TREFOIL_OWNER_DATABASE_URL: server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '' });

  test('needs the address of the owner and nothing else', async () => {
    expect(await runProcess(['migrate'], owner())).toEqual({
      code: 0,
      stdout: 'Nothing to apply: the schema is up to date.\n',
      stderr: '',
    });
  });

  test('names that one setting where it is missing, malformed or not safe, and no other', async () => {
    const cases = [
      [{}, 'TREFOIL_OWNER_DATABASE_URL is missing'],
      [{ TREFOIL_OWNER_DATABASE_URL: 'mysql://hush' }, 'TREFOIL_OWNER_DATABASE_URL is not valid'],
      [{ TREFOIL_OWNER_DATABASE_URL: 'postgres://o:hush@db.example.com/t' }, 'TREFOIL_OWNER_DATABASE_URL is not safe'],
    ] as const;
    for (const [environment, message] of cases) {
      const run = await runProcess(['migrate'], environment);
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toContain(message);
      expect(run.stderr.match(/TREFOIL_\w+ is/g)).toHaveLength(1);
      expect(run.stderr).not.toContain('hush');
    }
  });

  test('blames the owner’s address for what the database refuses', async () => {
    const url = new URL(owner().TREFOIL_OWNER_DATABASE_URL);
    const gone = new URL(url);
    gone.port = String(await freePort());
    const missing = new URL(url);
    missing.pathname = '/trefoil_no_such_database';
    const asApp = new URL(url);
    asApp.username = 'trefoil_app';
    asApp.pathname = '/postgres';
    for (const address of [gone, missing, asApp]) {
      const run = await runProcess(['migrate'], { TREFOIL_OWNER_DATABASE_URL: address.href });
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(/TREFOIL_OWNER_DATABASE_URL/);
      expect(run.stderr).not.toMatch(/TREFOIL_SYSTEM_DATABASE_URL|Run 'npm/);
      expect(run.stderr.trimEnd()).not.toContain('\n');
    }
  });
});

test('503: a node is not ready while the schema is older than its code needs, and ready once it is migrated', async () => {
  const { adminUrl } = loadLocalServers();
  const name = `trefoil_test_${randomBytes(6).toString('hex')}`;
  await ensureDatabase(adminUrl, name);
  const addresses = databaseEnvironment(adminUrl, name);
  const ownerUrl = addresses['TREFOIL_OWNER_DATABASE_URL'] ?? '';
  const owner = new Client({ connectionString: ownerUrl });
  const port = await freePort();
  const environment = { ...server.environment, ...addresses, TREFOIL_PORT: String(port), TREFOIL_JOBS: 'off' };
  const lines: string[] = [];
  const node = await createApp(loadConfig(environment), { logDestination: { write: (line) => lines.push(line) } });
  const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  const told = () => lines.filter((line) => line.includes('the schema is older than this version needs')).length;
  try {
    await owner.connect();
    await node.listen();
    // Nothing there at all.
    expect([await readiness(), await readiness(), told()]).toEqual([503, 503, 1]);
    await migrate(ownerUrl);
    // All but the newest.
    await owner.query('create table set_aside as select * from migrations order by id desc limit 1');
    await owner.query('delete from migrations where id in (select id from set_aside)');
    expect([await readiness(), told()]).toEqual([503, 1]);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    await owner.query('insert into migrations select * from set_aside');
    expect(await readiness()).toBe(200);
    // A migration of a newer version does not trouble this one.
    await owner.query(`insert into migrations (name, run_on) values ('9999_newer', now())`);
    expect(await readiness()).toBe(200);
  } finally {
    await node.close();
    await owner.end();
    await dropDatabase(adminUrl, name);
  }
});

test('readiness asks for the schema until it is new enough, and never again', async () => {
  const node = await server.startNode();
  const asked = async () => {
    const [row] = await server.query<{ count: number }>(
      `select (seq_scan + coalesce(idx_scan, 0))::int as count from pg_stat_user_tables where relname = 'migrations'`,
    );
    return row?.count ?? 0;
  };
  const before = await asked();
  try {
    const probe = async () => expect((await fetch(`${node.baseUrl}/readyz`)).status).toBe(200);
    await probe();
    // What another session has read is counted a moment later.
    await eventually(async () => expect(await asked()).toBe(before + 1));
    for (let probes = 0; probes < 20; probes += 1) await probe();
    // At its end every session has told what it read.
    await node.close();
    expect(await asked()).toBe(before + 1);
  } finally {
    await node.close().catch(() => undefined);
  }
});

test('a metric says which version runs', async () => {
  const metrics = await (await fetch(server.metricsAddress)).text();
  expect(metrics).toContain(`trefoil_build_info{version="${packageJson.version}"} 1`);
});

test('log levels are words', () => {
  const levels = server
    .logText()
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { level: unknown }).level);
  expect(new Set(levels)).toContain('info');
  for (const level of levels) expect(['debug', 'info', 'warn', 'error']).toContain(level);
});
