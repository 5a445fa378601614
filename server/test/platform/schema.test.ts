// The database against the contract, and migrations from empty.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ROLE_SCOPES } from '@trefoil/contract';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../../../tools/dev/local-database.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { explainMigrationError } from '../../src/cli/explain-error.ts';
import { loadLocalServers } from '../../src/config.ts';
import { migrate } from '../../src/lib/postgres/migrate.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('the roles table says what the contract says', async () => {
  const rows = await server.query<{ name: string; scopes: string[] }>('select name, scopes from roles');
  const sorted = (scopes: readonly string[]) => scopes.toSorted();
  expect(Object.fromEntries(rows.map(({ name, scopes }) => [name, sorted(scopes)]))).toEqual(
    Object.fromEntries(Object.entries(ROLE_SCOPES).map(([name, scopes]) => [name, sorted(scopes)])),
  );
});

test('the page about privacy names every table', async () => {
  const page = await readFile(new URL('../../../docs/operate/privacy.md', import.meta.url), 'utf8');
  const tables = await server.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
  );
  const named = new Set([...page.matchAll(/`(\w+)(?:\.\w+)?`/g)].map(([, name]) => name));
  expect(tables.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});

test('migrating again applies nothing', async () => {
  const ownerUrl = server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '';
  expect(await migrate(ownerUrl)).toEqual([]);
});

test('on a database in use: indexes are built while others write, and one whose build broke off is built anew', async () => {
  const { adminUrl } = loadLocalServers();
  const name = `trefoil_test_${randomBytes(6).toString('hex')}`;
  await ensureDatabase(adminUrl, name);
  const ownerUrl = databaseEnvironment(adminUrl, name)['TREFOIL_OWNER_DATABASE_URL'] ?? '';
  const dir = fileURLToPath(new URL('../../migrations', import.meta.url));
  const before = { databaseUrl: ownerUrl, dir, migrationsTable: 'migrations', log: () => undefined };
  await runner({ ...before, direction: 'up', count: 4 });
  const [busy, other] = [new Client({ connectionString: ownerUrl }), new Client({ connectionString: ownerUrl })];
  try {
    await Promise.all([busy.connect(), other.connect()]);
    await other.query(`insert into tenants (id, name) values (gen_random_uuid(), 'In use')`);
    const add = `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request)
                 select id, gen_random_uuid(), true, id, 'blocked', '' from tenants`;
    await other.query('create index sms_sends_queued on sms_sends (state)');
    await other.query(`update pg_index set indisvalid = false where indexrelid = 'sms_sends_queued'::regclass`);
    await busy.query('begin');
    await busy.query(add);
    const migrating = migrate(ownerUrl);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                        and query like 'create index concurrently credit_reports_kept%'`;
    await eventually(async () => expect((await other.query(waiting)).rowCount).toBe(1));
    // A plain build would hold this one up for as long as it waits itself.
    await other.query('set statement_timeout = 20000');
    await other.query(add);
    await busy.query('commit');
    expect(await migrating).toContain('0009_indexes_by_age');
    const { rows } = await other.query(
      `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
        where indexrelid::regclass::text in ('credit_reports_kept', 'credit_reports_to_purge', 'sms_sends_queued')
           or not indisvalid order by 1`,
    );
    expect(rows).toEqual([
      { name: 'credit_reports_kept', valid: true },
      { name: 'sms_sends_queued', valid: true },
    ]);
    const { rows: limits } = await other.query('select pg_get_indexdef($1::regclass) as is', ['sms_sends_queued']);
    expect(limits[0]?.is).toContain(`WHERE (state = 'queued'::text)`);
  } finally {
    await Promise.all([busy.end(), other.end()]);
    await dropDatabase(adminUrl, name);
  }
});

test('a migration whose connection breaks fails, and does not end the process', async () => {
  const { adminUrl } = loadLocalServers();
  const name = `trefoil_test_${randomBytes(6).toString('hex')}`;
  await ensureDatabase(adminUrl, name);
  const ownerUrl = databaseEnvironment(adminUrl, name)['TREFOIL_OWNER_DATABASE_URL'] ?? '';
  const other = new Client({ connectionString: ownerUrl });
  try {
    await other.connect();
    await other.query('begin');
    // The same table of a transaction that has not ended: the migration waits for its end.
    await other.query('create table migrations (id int)');
    const migrating = migrate(ownerUrl).then(() => 'done', explainMigrationError);
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`;
    await eventually(async () => expect((await server.query(end, [name])).length).toBe(1));
    expect(await migrating).toMatch(/closed the connection\. Run 'migrate' again/);
  } finally {
    await other.end();
    await dropDatabase(adminUrl, name);
  }
});

test('the same externalReference has the same hash in one tenant and another in the next', async () => {
  const body = generateBody({ externalReference: 'case-7' });
  await server.trefoil.generate(body);
  await server.trefoil.generate(body);
  await server.otherTrefoil.generate(body);
  const rows = await server.query<{ hash: string; count: number }>(
    `select encode(external_reference_hash, 'hex') as hash, count(*)::int from credit_reports group by 1 order by 2`,
  );
  expect(rows.map(({ count }) => count)).toEqual([1, 2]);
});
