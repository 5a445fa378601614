// Everything the service has put anywhere, as text: the database, its Redis keys, its log and its metrics.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { TestServer } from '../harness.ts';

const run = promisify(execFile);

/** The whole database as SQL; bytea columns appear in hex. */
export async function dumpDatabase(server: Pick<TestServer, 'environment'>): Promise<string> {
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

/**
 * How far the events and the days of wallets have been read, and hashes of people: written some time after the answer. And which
 * hash keys a process runs with: every process notes it each minute, also without other jobs.
 */
const WRITTEN_LATER = [
  ...['webhook_fanout', 'wallet_days', 'wallet_rollups', 'usage_days', 'usage_place', 'bureau_slots'],
  ...['subject_hashes', 'subject_marks', 'hash_rings', 'job_marks', 'event_marks', 'event_marking'],
];

/** Planned once for a server: some tests print the state of all tables a thousand times. */
async function prepareState(server: TestServer): Promise<void> {
  const tables = await server.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all ($1)
      order by 1`,
    [WRITTEN_LATER],
  );
  const lines = tables.map(
    ({ name }) =>
      `select '${name} ' || count(*) || ' ' || coalesce(md5(string_agg(line, '|' order by line)), '') as line
         from (select (to_jsonb(each) - 'last_used_at')::text as line from "${name}" each) as lines`,
  );
  await server.query(`prepare printed_state as ${lines.join(' union all ')}`);
}

/**
 * One line per table: how many rows, and a hash over all of them. Two equal prints mean nothing was written. Left out is
 * what is written some time after the answer: WRITTEN_LATER, and when a credential was last used.
 */
export async function printState(server: TestServer): Promise<string> {
  const preparing = prepared.get(server) ?? prepareState(server);
  prepared.set(server, preparing);
  await preparing;
  const lines = await server.query<{ line: string }>('execute printed_state');
  return lines.map(({ line }) => line).join('\n');
}

/**
 * For a test that asks a thousand times: two equal answers mean that nothing was written in between. From here on triggers
 * note every row that is written and committed in the server's database. The answer ends with the tables written last.
 */
export async function watchState(server: TestServer): Promise<() => Promise<string>> {
  await server.query(`
    create unlogged table written_rows (place bigserial primary key, name text not null);
    create function note_written() returns trigger language plpgsql security definer as $$
    begin
      if tg_op <> 'UPDATE' or to_jsonb(new) - 'last_used_at' is distinct from to_jsonb(old) - 'last_used_at' then
        insert into public.written_rows (name) values (tg_table_name);
      end if;
      return null;
    end $$;
    do $$
    declare named record;
    begin
      for named in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
                      and relname not in ('written_rows', ${WRITTEN_LATER.map((name) => `'${name}'`).join(', ')}) loop
        execute format('create trigger written after insert or update or delete on %I
          for each row execute function note_written()', named.relname);
      end loop;
    end $$`);
  return async () => {
    const [row] = await server.query<{ state: string }>(
      `select (select count(*) from written_rows) || ' rows written, last ' ||
              (select string_agg(name, ' ') from (select name from written_rows order by place desc limit 5) as last) as state`,
    );
    return row?.state ?? '';
  };
}
