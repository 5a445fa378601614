// One migrated template per run and PostgreSQL; every test server gets its own database cloned from it.
import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../../tools/dev/local-database.ts';
import { listServers } from '../../tools/own-services/servers.ts';
import { migrate } from '../src/lib/postgres/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateName: string;
    /** Of the test servers of a project: `on`, or `off` where each statement goes by itself. */
    databaseGrouping: string;
  }
}

export default async function setup(project: TestProject) {
  const servers = listServers();
  const templateName = `trefoil_template_${randomBytes(6).toString('hex')}`;
  await Promise.all(
    servers.map(async ({ adminUrl }) => {
      await ensureDatabase(adminUrl, templateName);
      await migrate(databaseEnvironment(adminUrl, templateName)['TREFOIL_OWNER_DATABASE_URL'] ?? '');
    }),
  );
  project.provide('templateName', templateName);
  return () => Promise.all(servers.map(({ adminUrl }) => dropDatabase(adminUrl, templateName)));
}
