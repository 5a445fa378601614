// One migrated template per run; every test server gets its own database cloned from it.
import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../../tools/dev/local-database.ts';
import { loadLocalServers } from '../src/config.ts';
import { migrate } from '../src/lib/postgres/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateName: string;
    /** Of the test servers of a project: `on`, or `off` where each statement goes by itself. */
    databaseGrouping: string;
  }
}

export default async function setup(project: TestProject) {
  const { adminUrl } = loadLocalServers();
  const templateName = `trefoil_template_${randomBytes(6).toString('hex')}`;
  await ensureDatabase(adminUrl, templateName);
  await migrate(databaseEnvironment(adminUrl, templateName)['TREFOIL_OWNER_DATABASE_URL'] ?? '');
  project.provide('templateName', templateName);
  return () => dropDatabase(adminUrl, templateName);
}
