// Applies the SQL files of migrations/ in order, forward only. The runner holds an advisory lock, so that several
// nodes may start at once. A file is one transaction, unless its first line is `-- no transaction`.
import { readFile } from 'node:fs/promises';
import { type MigrationBuilder, runner } from 'node-pg-migrate';
import { Client } from 'pg';
import { MIGRATIONS } from './schema.ts';

/** For `create index concurrently`, which PostgreSQL refuses inside a transaction. */
const OUTSIDE = /^-- no transaction\n/;

/** Several statements sent together form a transaction, so these are sent one by one. */
const statementsOf = (text: string) =>
  text
    .replace(/^\s*--.*\n/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

async function loadFile(path: string) {
  const text = await readFile(path, 'utf8');
  const up = (migration: MigrationBuilder) => {
    if (!OUTSIDE.test(text)) return migration.sql(text);
    migration.noTransaction();
    for (const statement of statementsOf(text)) migration.sql(statement);
  };
  return { id: path, filePaths: [path], actions: { up, down: false as const } };
}

/** Returns the names of the migrations that ran now. Connect as the owner of the database. */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl, options: '-c lock_timeout=5000' });
  // A connection that breaks fails the statement in progress. The runner's own client has no listener, and would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const applied = await runner({
      dbClient: client,
      dir: MIGRATIONS,
      direction: 'up',
      migrationsTable: 'migrations',
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: (paths) => Promise.all(paths.map(loadFile)) }],
      checkOrder: true,
      log: () => undefined,
    });
    return applied.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
