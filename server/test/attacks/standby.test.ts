// A failover that leaves connections behind: they lead to a server that takes no writes any more, and must not be kept
// (docs/decisions/0150-connections-to-the-database.md). The database is made read-only, which is what a standby looks like
// from outside.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { openDatabase } from '../../src/lib/postgres/database.ts';
import { rows, sql, type Tx } from '../../src/lib/postgres/sql.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterEach(() => setReadOnly(false));
afterAll(() => server.close());

/** Connections that are made from now on are read-only, or are not; those that there are stay as they are. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await server.query(
    `alter database "${server.databaseName}" set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  );
}

const terminateBackends = () =>
  server.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename in ('trefoil_app', 'trefoil_system')`,
  );

const generate = () =>
  server.trefoil.generate(generateBody()).then(
    () => 200,
    (error: { status?: number }) => error.status,
  );

test('200 again as soon as there is a server that takes writes: no connection to the standby is kept', async () => {
  expect(await generate()).toBe(200);
  await setReadOnly(true);
  await terminateBackends();
  // Every connection of every pool is made anew, and each finds itself on the standby.
  const during = await Promise.all(Array.from({ length: 30 }, generate));
  expect(new Set(during)).toEqual(new Set([503]));
  expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(503);
  await setReadOnly(false);
  const after = await Promise.all(Array.from({ length: 30 }, generate));
  expect(new Set(after)).toEqual(new Set([200]));
  expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
});

const options = () => ({
  ...server.config.database,
  appConnections: 1,
  systemConnections: 1,
  onConnectionError: () => undefined,
});
const pidOf = async (tx: Tx) => (await rows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`))[0]?.pid;

test('a connection on which a write is refused is closed, and the next one is another', async () => {
  const database = openDatabase(options());
  try {
    const first = await database.asSystem(pidOf);
    const refused = database.asSystem(async (tx) => {
      // As if the server had become a standby under it.
      await tx.query('set transaction read only', []);
      await tx.query('update tenants set is_enabled = is_enabled', []);
    });
    await expect(refused).rejects.toMatchObject({ code: '25006' });
    expect(await database.asSystem(pidOf)).not.toBe(first);
  } finally {
    await database.close();
  }
});

test('reads are not served by a standby either: connections are looked at again after trouble', async () => {
  const database = openDatabase(options());
  try {
    await database.asSystem(pidOf);
    await setReadOnly(true);
    await terminateBackends();
    for (let count = 0; count < 3; count += 1) await expect(database.asSystem(pidOf)).rejects.toThrow();
    await setReadOnly(false);
    await expect(database.asSystem(pidOf)).resolves.toBeGreaterThan(0);
  } finally {
    await database.close();
  }
});

test('a connection has a life: used all the time, it is still replaced', async () => {
  const database = openDatabase({ ...options(), connectionSeconds: 1 });
  try {
    const first = await database.asSystem(pidOf);
    await eventually(async () => expect(await database.asSystem(pidOf)).not.toBe(first));
  } finally {
    await database.close();
  }
});
