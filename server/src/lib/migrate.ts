// Applies the SQL files of migrations/ in order, forward only. The runner holds an advisory lock, so that several
// nodes may start at once.
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The names of the migrations that ran now. Connect as the owner of the database. */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const applied = await runner({
    databaseUrl: { connectionString: ownerUrl, options: '-c lock_timeout=5000' },
    dir: MIGRATIONS,
    direction: 'up',
    migrationsTable: 'migrations',
    checkOrder: true,
    log: () => undefined,
  });
  return applied.map(({ name }) => name);
}
