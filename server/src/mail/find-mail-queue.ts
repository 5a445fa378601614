// For an operator: how much mail waits, and for how long.
import type { Database } from '../lib/postgres/database.ts';
import { type MailQueue, readMailQueue } from './store.ts';

export const findMailQueue = (database: Database): Promise<MailQueue> => database.asSystem(readMailQueue);
