// The name of an application, for pages that mention it. Our own pages have no application name.

import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { findApp } from './app-store.ts';

export type FindAppName = (clientId: string) => Promise<string | undefined>;

export function appNameFinder(database: Database): FindAppName {
  return async (clientId) =>
    isUuid(clientId) ? (await database.asSystem((tx) => findApp(tx, clientId)))?.name : undefined;
}
