// Everything the service has put anywhere, as text: the database, its Redis keys, its log and its metrics.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { TestServer } from '../harness.ts';

const run = promisify(execFile);

/** The whole database as SQL; bytea columns appear in hex. */
export async function dumpDatabase(server: TestServer): Promise<string> {
  const url = server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '';
  const { stdout } = await run('pg_dump', ['--dbname', url, '--inserts'], { maxBuffer: 512 * 1024 * 1024 });
  return stdout;
}

/** Every key of this server with its value, readable and as Redis's own dump. */
export async function dumpRedis(server: TestServer): Promise<string> {
  const redis = new Redis(server.environment['TREFOIL_REDIS_URL'] ?? '');
  const pattern = `${server.environment['TREFOIL_REDIS_PREFIX']}*`;
  const lines: string[] = [];
  try {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
      for (const key of keys) {
        const type = await redis.type(key);
        const value =
          type === 'list' ? (await redis.lrange(key, 0, -1)).join(' ') : type === 'string' ? await redis.get(key) : '';
        const dump = (await redis.dumpBuffer(key))?.toString('latin1');
        lines.push(`${key} ${type} ${value} ${dump}`);
      }
      cursor = next;
    } while (cursor !== '0');
  } finally {
    redis.disconnect();
  }
  return lines.join('\n');
}

/** Collects every command that Redis gets for this server; the returned function ends that and gives them as text. */
export async function watchRedis(server: TestServer): Promise<() => Promise<string>> {
  const prefix = server.environment['TREFOIL_REDIS_PREFIX'] ?? '';
  const redis = new Redis(server.environment['TREFOIL_REDIS_URL'] ?? '');
  const monitor = await redis.monitor();
  const commands: string[] = [];
  monitor.on('monitor', (_time: string, args: string[]) => {
    const line = args.join(' ');
    if (line.includes(prefix)) commands.push(line);
  });
  return async () => {
    const marker = `${prefix}watched`;
    const seen = new Promise<void>((resolve) => {
      monitor.on('monitor', (_time: string, args: string[]) => args[1] === marker && resolve());
    });
    await redis.echo(marker);
    await seen;
    monitor.disconnect();
    redis.disconnect();
    return commands.join('\n');
  };
}

export async function readMetrics(server: TestServer): Promise<string> {
  return (await fetch(server.metricsAddress)).text();
}

/** Servers whose connection knows the statement that prints the state. */
const prepared = new WeakMap<TestServer, Promise<void>>();

/** Planned once for a server: some tests print the state of all tables a thousand times. */
async function prepareState(server: TestServer): Promise<void> {
  const tables = await server.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'webhook_fanout' order by 1`,
  );
  const lines = tables.map(
    ({ name }) =>
      `select '${name} ' || count(*) || ' ' || coalesce(md5(string_agg(line, '|' order by line)), '') as line
         from (select (to_jsonb(each) - 'last_used_at')::text as line from "${name}" each) as lines`,
  );
  await server.query(`prepare printed_state as ${lines.join(' union all ')}`);
}

/**
 * One line per table: how many rows, and a hash over all of them. Two equal prints mean nothing was written. Left out are
 * when a credential was last used and how far webhooks have read the events: both are written some time after the answer.
 */
export async function printState(server: TestServer): Promise<string> {
  const preparing = prepared.get(server) ?? prepareState(server);
  prepared.set(server, preparing);
  await preparing;
  const lines = await server.query<{ line: string }>('execute printed_state');
  return lines.map(({ line }) => line).join('\n');
}

/**
 * `printState` for a test that asks a thousand times: prints anew only after a row was written. From here on triggers count
 * every written row of the server's database, also of transactions that are rolled back.
 */
export async function watchState(server: TestServer): Promise<() => Promise<string>> {
  await server.query(`
    create sequence written_rows;
    create function count_written() returns trigger language plpgsql security definer as
      $$ begin perform nextval('public.written_rows'); return null; end $$;
    do $$
    declare named record;
    begin
      for named in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('create trigger written after insert or update or delete on %I
          for each row execute function count_written()', named.relname);
      end loop;
    end $$`);
  let known: { readonly count: string; readonly state: string } | undefined;
  return async () => {
    const [row] = await server.query<{ count: string }>('select last_value::text as count from written_rows');
    const count = row?.count ?? '';
    if (known?.count !== count) known = { count, state: await printState(server) };
    return known.state;
  };
}
