// What a shorter retention would erase, before it is set.
import type { Database } from '../../lib/postgres/database.ts';
import { type Erasable, findErasable } from './purge-store.ts';

/** The query reads every report between the two ages while the operator waits. */
const COUNT_MS = 60_000;

export function previewRetention(database: Database, tenantId: string, days: number): Promise<Erasable> {
  return database.asSystem((tx) => findErasable(tx, tenantId, days), { statementMs: COUNT_MS });
}
