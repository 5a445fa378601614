// Tells the owners and finance members of a tenant by mail that its wallet is low. The charge that made it low only leaves a
// mark: a charge never waits for a look-up of members.
import type { Job } from '../lib/jobs.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { takeLowMails } from './store.ts';

const LOOK_MS = 2_000;
const AT_A_TIME = 20;

/** The addresses of a tenant's owners and finance members. The wallet does not know members: `app.ts` passes this in. */
export type ListRecipients = (tx: Tx, tenantId: string) => Promise<readonly string[]>;

async function tellLow(database: Database, listRecipients: ListRecipients): Promise<number> {
  return database.asSystem(async (tx) => {
    const tenantIds = await takeLowMails(tx, AT_A_TIME);
    for (const tenantId of tenantIds) {
      for (const recipient of await listRecipients(tx, tenantId)) {
        await queueMail(tx, { kind: 'wallet-low', subjectId: tenantId, recipient });
      }
    }
    return tenantIds.length;
  });
}

export function walletJobs(database: Database, listRecipients: ListRecipients): Job[] {
  return [{ name: 'tell-low-wallets', everyMs: LOOK_MS, run: () => tellLow(database, listRecipients) }];
}
