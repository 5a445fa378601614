// Statements of one event-loop tick are one message to PostgreSQL: each has its own answer, all share one fate. What a
// transaction promises holds also where each statement goes by itself (docs/decisions/0195-grouping-can-be-turned-off.md).
import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadLocalServers } from '../../src/config.ts';
import { type OpenDatabase, openDatabase } from '../../src/lib/postgres/database.ts';
import { execute, rows, sql, type Tx } from '../../src/lib/postgres/sql.ts';
import { createSender, createSingleSender, type Patience } from '../../src/lib/postgres/statement-group.ts';

const { adminUrl } = loadLocalServers();
const PATIENT: Patience = { timeoutMs: () => 30_000, onAnswer: () => undefined, onSilence: () => true };
const table = `statement_group_${process.pid}`;
let pool: Pool;
let client: PoolClient;
beforeAll(async () => {
  pool = new Pool({ connectionString: adminUrl, max: 1, pipeline: true });
  client = await pool.connect();
  await client.query(`create table ${table} (id integer primary key)`);
});
beforeEach(() => client.query(`truncate ${table}`));
afterAll(async () => {
  await client.query(`drop table ${table}`);
  client.release();
  await pool.end();
});

const insert = (id: unknown) => ({ name: `insert-${table}`, text: `insert into ${table} values ($1)`, values: [id] });
const stored = async () => (await client.query<{ id: number }>(`select id from ${table} order by id`)).rows;
const divide = (by: number) => sql`select 1 / ${by}::integer as share`;

test('statements sent together are answered together, each with its own rows', async () => {
  let answers = 0;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on('readyForQuery', () => {
    answers += 1;
  });
  const send = createSender(client, PATIENT);
  const results = await Promise.all([
    send(sql`select generate_series(1, ${3}::integer) as number`),
    send(insert(1)),
    send({ text: 'select 2 as two', values: [] }),
    send(sql`select from pg_class where false`),
  ]);
  expect(results.map((result) => [result.command, result.rowCount, result.rows])).toEqual([
    ['SELECT', 3, [{ number: 1 }, { number: 2 }, { number: 3 }]],
    ['INSERT', 1, []],
    ['SELECT', 1, [{ two: 2 }]],
    ['SELECT', 0, []],
  ]);
  expect(answers).toBe(1);
});

test('every statement of a failed group is refused with the failure itself', async () => {
  const send = createSender(client, PATIENT);
  const outcomes = await Promise.allSettled([send(insert(1)), send(divide(0)), send(insert(2))]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
  expect(await stored()).toEqual([]);
});

test('a statement of nothing has its own empty answer, and those behind it have theirs', async () => {
  const send = createSender(client, PATIENT);
  const results = await Promise.all([
    send({ text: '-- nothing', values: [] }),
    send(sql`select ${1}::integer as behind_nothing`),
    send(insert(1)),
  ]);
  expect(results.map((result) => [result.command, result.rows])).toEqual([
    [null, []],
    ['SELECT', [{ behind_nothing: 1 }]],
    ['INSERT', []],
  ]);
  // The connection knows what it has prepared: preparing it twice would be refused.
  await expect(Promise.all([send(divide(0)), send(insert(2))])).rejects.toMatchObject({ code: '22012' });
  expect((await send(insert(2))).rowCount).toBe(1);
});

test('a group that gets no answer in time destroys its connection; one that is answered leaves no timer behind', async () => {
  const silences: number[] = [];
  const short: Patience = {
    timeoutMs: () => 300,
    onAnswer: () => undefined,
    onSilence: (sentMs) => silences.push(sentMs) > 0,
  };
  const one = await new Pool({ connectionString: adminUrl, max: 1, pipeline: true }).connect();
  one.on('error', () => undefined);
  // The time of groups stands still, so that it does not matter how long the machine takes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const send = createSender(one, short);
    await send(sql`select 1`);
    expect(vi.getTimerCount()).toBe(0);
    // steady: a statement that does not end; nothing waits for it.
    const both = Promise.allSettled([send(sql`select pg_sleep(20)`), send(sql`select 2`)]);
    await new Promise(setImmediate);
    vi.advanceTimersByTime(299);
    expect(silences).toEqual([]);
    vi.advanceTimersByTime(1);
    for (const each of await both) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEDOUT' } });
    expect(silences).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('statements that go one by one are answered one by one, and a failure is the failure of its own statement', async () => {
  let answers = 0;
  const one = await new Pool({ connectionString: adminUrl, max: 1 }).connect();
  const { connection } = one as unknown as { connection: NodeJS.EventEmitter };
  connection.on('readyForQuery', () => {
    answers += 1;
  });
  const send = createSingleSender(one, PATIENT);
  const outcomes = await Promise.allSettled([send(insert(1)), send(divide(0)), send(insert(2))]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: { command: 'INSERT', rowCount: 1 } },
    { status: 'rejected', reason: { code: '22012' } },
    { status: 'fulfilled', value: { command: 'INSERT', rowCount: 1 } },
  ]);
  expect(answers).toBe(3);
  expect(await stored()).toEqual([{ id: 1 }, { id: 2 }]);
  one.release(true);
});

describe.each([
  ['grouped', true],
  ['one by one', false],
])('a transaction whose statements go %s', (_name, isGrouped) => {
  let database: OpenDatabase;
  beforeAll(() => {
    // One connection, so that a transaction meets what the one before has left behind.
    const connections = { appConnections: 1, systemConnections: 1 };
    const urls = { appUrl: adminUrl, systemUrl: adminUrl };
    database = openDatabase({ ...urls, ...connections, isGrouped, onConnectionError: () => undefined });
  });
  afterAll(() => database.close());

  const backend = () =>
    database.asSystem(async (tx) => (await rows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`))[0]?.pid);

  test('one that fails takes the others with it, and all can be sent again on the same connection', async () => {
    // None of them is known to the connection yet: the server never hears of the one behind the failure.
    const ask = (by: number) =>
      database.asSystem((tx) =>
        Promise.all([
          rows(tx, sql`select ${1}::integer as before`),
          rows(tx, divide(by)),
          rows(tx, sql`select ${2}::integer as behind`),
          rows(tx, sql`select pg_backend_pid() as pid`),
        ]),
      );
    const before = await database.asSystem((tx) => rows(tx, sql`select pg_backend_pid() as pid`));
    await expect(ask(0)).rejects.toMatchObject({ code: '22012' });
    expect(await ask(1)).toEqual([[{ before: 1 }], [{ share: 1 }], [{ behind: 2 }], before]);
  });

  test('a commit does not go where a value before it could not', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const work = database.forTenants([], async (tx, commitNow) => {
      const writing = Promise.all([execute(tx, insert(1)), execute(tx, insert(circle))]);
      commitNow();
      await writing;
    });
    await expect(work).rejects.toThrow(/circular/);
    expect(await stored()).toEqual([]);
    await database.forTenants([], (tx) => execute(tx, insert(2)));
    expect(await stored()).toEqual([{ id: 2 }]);
  });

  test('work that fails before its first statement is sent leaves no transaction open', async () => {
    const pid = await backend();
    const work = database.asSystem(async () => {
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    const [left] = (await client.query(`select state from pg_stat_activity where pid = $1`, [pid])).rows;
    expect(left).toEqual({ state: 'idle' });
  });

  test('work that fails beside a statement that fails too is rolled back, and the connection is kept', async () => {
    const before = await backend();
    const work = database.asSystem(async (tx) => {
      rows(tx, divide(0)).catch(() => undefined);
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect(await backend()).toBe(before);
  });

  test('a commit does not go where a write before it failed', async () => {
    const before = await backend();
    const work = database.forTenants([], async (tx, commitNow) => {
      const writing = Promise.all([execute(tx, insert(1)), execute(tx, insert(1)), execute(tx, insert(2))]);
      commitNow();
      await writing;
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual([]);
    expect(await backend()).toBe(before);
  });

  test('the server looks for a node that was cut off in the middle of a group, where idle time does not count', async () => {
    const settings = (tx: Tx) =>
      rows(
        tx,
        sql`select name, setting::integer as setting from pg_settings
          where name in ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout')
          order by name`,
      );
    const expected = [
      { name: 'tcp_keepalives_count', setting: 3 },
      { name: 'tcp_keepalives_idle', setting: 5 },
      { name: 'tcp_keepalives_interval', setting: 2 },
      { name: 'tcp_user_timeout', setting: 10_000 },
    ];
    expect(await database.asSystem(settings)).toEqual(expected);
    expect(await database.forTenants([], settings)).toEqual(expected);
  });
});
