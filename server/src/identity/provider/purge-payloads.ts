// Clears what nobody needs any more: expired sessions, codes and ids of assertions, and sign-ins of a month ago.
import type { Tx } from '../../lib/sql.ts';
import { deleteOldSignIns } from '../sign-in/sign-in-store.ts';
import { deleteExpiredPayloads } from './payload-store.ts';

export async function purgePayloads(tx: Tx): Promise<number> {
  return (await deleteExpiredPayloads(tx)) + (await deleteOldSignIns(tx));
}
