// The name of an application, for pages that speak of it. Our own pages have none.
import type { Database } from '../../lib/database.ts';
import { isUuid } from '../../lib/ids.ts';
import { findApp } from './app-store.ts';

export type FindAppName = (clientId: string) => Promise<string | undefined>;

export function appNameFinder(database: Database): FindAppName {
  return async (clientId) =>
    isUuid(clientId) ? (await database.asSystem((tx) => findApp(tx, clientId)))?.name : undefined;
}
