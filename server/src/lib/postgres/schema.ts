// Whether the database has every migration that this version of the code needs. A newer schema is fine: migrations
// run first, and nodes of the previous version keep working with it.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { rows, sql, type Tx } from './sql.ts';

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** PostgreSQL's errors when the table of migrations does not exist yet, or the service may not read it yet. */
const TOO_OLD = ['42P01', '42501'];

/** The names of the migrations that this version needs. */
export const listNeededMigrations = () => readdirSync(MIGRATIONS).map((file) => basename(file, '.sql'));

async function hasMigrations(tx: Tx, names: readonly string[]): Promise<boolean> {
  const [found] = await rows<{ count: number }>(
    tx,
    sql`select count(distinct name)::int as count from migrations where name = any (${names}::text[])`,
  );
  return found?.count === names.length;
}

/**
 * Queries in a transaction of the system role until the answer is yes for the first time: the schema only moves forward, so
 * later probes need not query. Logs a missing migration once, not at every probe.
 */
export function createSchemaCheck(log: Log): (tx: Tx) => Promise<boolean> {
  const needed = listNeededMigrations();
  let state: 'unknown' | 'too-old' | 'current' = 'unknown';
  return async (tx) => {
    if (state === 'current') return true;
    const isCurrent = await hasMigrations(tx, needed).catch((error: { code?: string }) => {
      if (TOO_OLD.includes(error.code ?? '')) return false;
      throw error;
    });
    if (!isCurrent && state === 'unknown') {
      log.error('the schema is older than this version needs: not ready until it is migrated');
    }
    if (isCurrent && state === 'too-old') log.info('the schema is new enough now');
    state = isCurrent ? 'current' : 'too-old';
    return isCurrent;
  };
}
