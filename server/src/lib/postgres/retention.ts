// Retention by age. Due rows are processed in batches, oldest first, each in its own transaction, until none is due. Every
// table has its own job, so that a failing job does not block the others, and a metric that says how far it is behind
// (docs/decisions/0142-deletion-by-age.md). The features' stores define which rows are due and what happens to them.

import type { Metrics } from '../metrics.ts';
import type { Database } from './database.ts';
import { rows, sql, type Tx } from './sql.ts';

const REST_MS = 5 * 60_000;
/** Some milliseconds of work for most tables: no request waits long for a lock or for the disk behind a batch. */
const AT_A_TIME = 1_000;
const OLDEST = '-infinity';

export type DueRow = {
  /** How `forget` finds the row: a key, or its location in the table. */
  readonly place: string;
  /** Its position in the order of age. The next batch starts there, past deleted rows that are not yet vacuumed. */
  readonly position: string;
  /** How long the row has been due. */
  readonly overdueSeconds: number;
};

/** Rows that are listed in order of age. */
export type Aged = {
  /** The oldest due rows from this position on. */
  list(tx: Tx, from: string, limit: number): Promise<readonly DueRow[]>;
  /** Must check the age again: the row may have been used, or its location reused, since it was listed. */
  forget(tx: Tx, places: readonly string[]): Promise<number>;
};

export type Sweep = {
  /** One transaction as the system role; undefined when another node is working on this table. */
  inTurn<T>(work: (tx: Tx) => Promise<T>): Promise<T | undefined>;
  /** Aborts when the process stops: a sweep ends after its batch. */
  readonly signal: AbortSignal | undefined;
  /** Reports how far behind the table is now, since a run may take long. */
  noteOverdue(seconds: number): void;
};

/** Not done when the process stops or another node is working on the table. */
export type Forgotten = { readonly count: number; readonly isDone: boolean };

export type Retained = {
  readonly table: string;
  forgetDue(sweep: Sweep): Promise<Forgotten>;
  /** How long the oldest due row has been due; 0 when none is. */
  findOverdueSeconds(tx: Tx): Promise<number>;
};

export async function forgetAged({ inTurn, signal, noteOverdue }: Sweep, aged: Aged): Promise<Forgotten> {
  let count = 0;
  for (let from = OLDEST; !signal?.aborted; ) {
    const batch = await inTurn(async (tx) => {
      const due = await aged.list(tx, from, AT_A_TIME);
      noteOverdue(due[0]?.overdueSeconds ?? 0);
      const places = due.map(({ place }) => place);
      return { due, forgotten: places.length > 0 ? await aged.forget(tx, places) : 0 };
    });
    if (!batch) break;
    count += batch.forgotten;
    if (batch.due.length < AT_A_TIME) return { count, isDone: true };
    // Other transactions had the same rows. Without progress it would find them again and again; the next run retries.
    if (batch.forgotten === 0) break;
    from = batch.due.at(-1)?.position ?? OLDEST;
  }
  return { count, isDone: false };
}

/**
 * A table whose rows expire by age alone: `age` is an indexed column or expression, `kept` an interval. All three come from
 * stores and become part of the statement, so they must never contain outside input. Ages are compared with
 * `statement_timestamp()`: no index serves a comparison with `clock_timestamp()`, which may differ from row to row.
 */
export function agedTable(table: string, age: string, kept: string): Retained {
  const end = `statement_timestamp() - interval '${kept}'`;
  const list = `select ctid::text as place, (${age})::text as position,
                       extract(epoch from ${end} - ${age})::float8 as "overdueSeconds"
                  from ${table} where ${age} >= $1::timestamptz and ${age} < ${end} order by ${age} limit $2`;
  const forget = `delete from ${table} where ctid = any ($1::tid[]) and ${age} < ${end}`;
  return retain(table, {
    list: async (tx, from, limit) => (await tx.query<DueRow>(list, [from, limit])).rows,
    forget: async (tx, places) => (await tx.query(forget, [places])).rowCount ?? 0,
  });
}

export function retain(table: string, aged: Aged): Retained {
  return {
    table,
    forgetDue: (sweep) => forgetAged(sweep, aged),
    findOverdueSeconds: async (tx) => (await aged.list(tx, OLDEST, 1))[0]?.overdueSeconds ?? 0,
  };
}

/** A row of a table that is deleted by age: where it lies, and its age to the microsecond. */
export type AgedRow = { readonly place: string; readonly at: string };

/**
 * Deletes chosen rows before their age, as the system role, which may not read what they were chosen by. The app role has listed
 * them; another row that has come to lie in a place since has another age. The names are a store's own, as with `agedTable`.
 */
export async function deletePlaces(tx: Tx, table: string, age: string, found: readonly AgedRow[]): Promise<number> {
  if (found.length === 0) return 0;
  const text = `delete from ${table} using unnest($1::tid[], $2::timestamptz[]) as gone (place, at)
                 where ${table}.ctid = gone.place and ${table}.${age} = gone.at`;
  return (await tx.query(text, [found.map(({ place }) => place), found.map(({ at }) => at)])).rowCount ?? 0;
}

/** One node at a time: two nodes would find the same rows, and the second would only wait for the first. */
async function lockTable(tx: Tx, table: string): Promise<boolean> {
  const [lock] = await rows<{ isOurs: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended('retention ' || ${table}::text, 0)) as "isOurs"`,
  );
  return lock?.isOurs === true;
}

function takeTurns(database: Database, table: string): Sweep['inTurn'] {
  return (work) => database.asSystem(async (tx) => ((await lockTable(tx, table)) ? work(tx) : undefined));
}

/** At once and without a metric: for the operator's command line. */
export async function forgetNow(database: Database, tables: readonly Retained[]): Promise<number> {
  let sum = 0;
  for (const { table, forgetDue } of tables) {
    const inTurn = takeTurns(database, table);
    const { count } = await forgetDue({ inTurn, signal: undefined, noteOverdue: () => undefined });
    sum += count;
  }
  return sum;
}

/** One job per table, to be started with the other jobs. */
export function retentionJobs(database: Database, metrics: Metrics, tables: readonly Retained[]) {
  let last: Promise<unknown> = Promise.resolve();
  // One batch at a time per process: the few connections of the system role also look up credentials for requests.
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };

  return tables.map(({ table, forgetDue, findOverdueSeconds }) => {
    const takeTurn = takeTurns(database, table);
    const inTurn: Sweep['inTurn'] = (work) => oneAtATime(() => takeTurn(work));
    const noteOverdue = (seconds: number) => metrics.overdue.set({ table }, seconds);
    const measure = async () => noteOverdue(await oneAtATime(() => database.asSystem(findOverdueSeconds)));
    let doneAtMs = Date.now();
    return {
      name: `forget-${table.replaceAll('_', '-')}`,
      everyMs: REST_MS,
      async run(signal?: AbortSignal) {
        try {
          const { count, isDone } = await forgetDue({ inTurn, signal, noteOverdue });
          if (isDone) doneAtMs = Date.now();
          await (isDone ? noteOverdue(0) : measure());
          return count;
        } catch (error) {
          // If measuring fails, rows may have been due since this node last finished the table.
          await measure().catch(() => noteOverdue((Date.now() - doneAtMs) / 1_000));
          throw error;
        }
      },
    };
  });
}
