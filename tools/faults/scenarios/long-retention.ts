// Five million reports of a tenant with a long retention, some due reports of another, and due rows of all other
// tables with retention by age. The worker clears due rows in short transactions, and nothing else.
import { setTimeout as sleep } from 'node:timers/promises';
import { AGED, fillOldRows, REPORTS_DUE } from '../old-rows.ts';
import type { Run, Scenario } from '../scenario.ts';

const REPORTS = 5_000_000;
const SECONDS = 200;
const BATCH_MS_MAX = 1_000;
const LOOK_MS = 20;
const COUNT_MS = 5_000;

/** The jobs rest for minutes; in the copy for ten seconds. */
const HASTEN = [
  {
    file: 'server/src/lib/postgres/retention.ts',
    find: 'const REST_MS = 5 * 60_000;',
    replace: 'const REST_MS = 10_000;',
  },
];

const RUNNING = `
  select (extract(epoch from clock_timestamp() - xact_start) * 1000)::integer as ms, query from pg_stat_activity
   where datname = current_database() and usename in ('trefoil_system', 'trefoil_app') and state <> 'idle'
     and query ~* '\\m(delete|purged_at)\\M'`;

/** How long the clearing transactions take, as another session sees them. */
async function watchBatches({ stage }: Run): Promise<{ stop(): Promise<Map<string, number>> }> {
  const session = await stage.openSession();
  const longest = new Map<string, number>();
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      for (const { ms, query } of (await session.query<{ ms: number; query: string }>(RUNNING)).rows) {
        const name = /(?:delete from|from|update)\s+(\w+)/i.exec(query)?.[1] ?? query;
        longest.set(name, Math.max(longest.get(name) ?? 0, ms));
      }
      await sleep(LOOK_MS);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await watching;
      return longest;
    },
  };
}

type Counts = ReadonlyMap<string, number>;

async function countRows({ stage }: Run, which: 'due' | 'kept'): Promise<Counts> {
  const counts = new Map<string, number>();
  const count = async (table: string, condition: string, values: string[] = []) => {
    const text = `select count(*)::integer as rows from ${table} where ${condition}`;
    const [found] = await stage.query<{ rows: number }>(text, values);
    counts.set(table, found?.rows ?? 0);
  };
  if (which === 'due') await count('credit_reports', REPORTS_DUE, [stage.tenantOf(0).tenantId]);
  // A purged report stays as a row without content.
  else await count('credit_reports', 'tenant_id = $1 and purged_at is null', [stage.hot.tenantId]);
  for (const { table, due } of AGED) await count(table, which === 'due' ? due : `(${due}) is not true`);
  return counts;
}

const tell = (counts: Counts) =>
  [...counts].flatMap(([table, rows]) => (rows > 0 ? `${table} ${rows.toLocaleString('en')}` : [])).join(', ');

export const longRetention: Scenario = {
  name: 'long-retention',
  promise: 'among five million kept reports what is due is cleared in batches of at most a second',
  wish: {
    fill: (session, { hot, tenants }, { seconds, say }) =>
      fillOldRows(
        session,
        { keepsLong: hot.tenantId, keepsShort: tenants[0]?.tenantId ?? '' },
        Math.round(REPORTS * Math.min(1, seconds / SECONDS)),
        say,
      ),
  },
  hasten: HASTEN,
  seconds: SECONDS,
  limitSeconds: 600,
  async play(run) {
    const { tally, seconds, say } = run;
    const batches = await watchBatches(run);
    const startedMs = performance.now();
    const [due, kept] = [await countRows(run, 'due'), await countRows(run, 'kept')];
    let left = due;
    while (tell(left) !== '' && performance.now() - startedMs < seconds * 1_000) {
      say(`  due: ${tell(left)}`);
      await sleep(COUNT_MS);
      left = await countRows(run, 'due');
    }
    const clearedSeconds = Math.round((performance.now() - startedMs) / 1_000);
    const longest = await batches.stop();
    if (tell(left) !== '') tally.find('everything due is gone', tell(left));
    for (const [table, rows] of await countRows(run, 'kept')) {
      const before = kept.get(table) ?? 0;
      if (rows < before) tally.find('what is not due stays', `${table}: ${rows} of ${before}`);
    }
    for (const [table, ms] of longest) {
      if (ms > BATCH_MS_MAX) tally.find('each batch takes at most 1 s', `${table}: ${ms} ms`);
    }
    return {
      due: Object.fromEntries(due),
      kept: kept.get('credit_reports') ?? 0,
      clearedSeconds,
      longestMs: Object.fromEntries(longest),
    };
  },
};
