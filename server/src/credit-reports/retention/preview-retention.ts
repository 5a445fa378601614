// What a shorter retention would erase, before it is set.
import type { Database } from '../../lib/postgres/database.ts';
import { type Erasable, type ErasableOrder, findErasable } from './purge-store.ts';

/** The query reads every report between the two ages while the operator waits. */
const COUNT_MS = 60_000;

export function previewForOperator(database: Database, tenantId: string, days: number): Promise<Erasable> {
  return database.asSystem((tx) => findErasable(tx, tenantId, { days, isTestOnly: false }), { statementMs: COUNT_MS });
}

/** For the tenant's own people: with the places and the time limit of its other requests, so that it delays no other tenant. */
export function previewRetention(database: Database, tenantId: string, order: ErasableOrder): Promise<Erasable> {
  return database.forTenants([tenantId], (tx) => findErasable(tx, tenantId, order));
}
