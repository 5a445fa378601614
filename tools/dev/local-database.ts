// Creates and drops databases on a developer's own PostgreSQL, and names the three connections that a server needs.
import { Client } from 'pg';

async function asAdmin<T>(adminUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
  // A connection that breaks fails the query; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function ensureDatabase(adminUrl: string, name: string, template = 'template0'): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database "${name}" template "${template}"`);
  });
}

export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, (client) => client.query(`drop database if exists "${name}" with (force)`));
}

/** The environment that points a server at the database: owner for migrations, app and system for work. */
export function databaseEnvironment(adminUrl: string, name: string): Record<string, string> {
  const as = (user: string | undefined) => {
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    if (user) {
      url.username = user;
      url.password = '';
    }
    return url.href;
  };
  return {
    TREFOIL_OWNER_DATABASE_URL: as(undefined),
    TREFOIL_DATABASE_URL: as('trefoil_app'),
    TREFOIL_SYSTEM_DATABASE_URL: as('trefoil_system'),
  };
}
