// For an operator: how much mail waits, and for how long, and how much was given up lately.
import type { Database } from '../lib/postgres/database.ts';
import { type EndedMails, type MailQueue, readEndedMails, readMailQueue } from './store.ts';

export const findMailQueue = (database: Database): Promise<MailQueue> => database.asSystem(readMailQueue);

export const findEndedMails = (database: Database): Promise<EndedMails> => database.asSystem(readEndedMails);
