// Counts new lines into the wallets' days. Tells the owners and finance members of a tenant by mail that its wallet is low. The charge that made it low only leaves a
// mark: a charge never waits for a look-up of members.
import type { Job } from '../lib/jobs.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { queueNotice } from '../mail/queue-mail.ts';
import type { CountedKind } from './days/day-store.ts';
import { rollUpDays } from './days/roll-up-days.ts';
import { listLowMails, takeLowMail } from './store.ts';
import type { WalletMetrics } from './wallet-metrics.ts';

const LOOK_MS = 2_000;
const AT_A_TIME = 20;
/** Until then a reader counts the new lines itself. */
const COUNT_MS = 10_000;

/** The addresses of a tenant's owners and finance members. The wallet does not know members: `app.ts` passes this in. */
export type ListRecipients = (tx: Tx, tenantId: string) => Promise<readonly string[]>;

/** Undoes the transaction: another worker has queued these mails meanwhile. */
class ToldByAnother extends Error {}

/** The mark is taken last: it locks the wallet, and a charge must not wait for the look-up before it. */
async function tellLow(database: Database, listRecipients: ListRecipients): Promise<number> {
  const tenantIds = await database.asSystem((tx) => listLowMails(tx, AT_A_TIME));
  for (const tenantId of tenantIds) await tellOne(database, listRecipients, tenantId);
  return tenantIds.length;
}

async function tellOne(database: Database, listRecipients: ListRecipients, tenantId: string): Promise<void> {
  const queueing = database.asSystem(async (tx) => {
    const recipients = await listRecipients(tx, tenantId);
    await queueNotice(tx, { tenantId, kind: 'wallet-low', subjectId: tenantId }, recipients);
    if (!(await takeLowMail(tx, tenantId))) throw new ToldByAnother();
  });
  await queueing.catch((error: unknown) => {
    if (!(error instanceof ToldByAnother)) throw error;
  });
}

export function walletJobs(database: Database, listRecipients: ListRecipients, metrics: WalletMetrics): Job[] {
  const count = ({ kind, lines, credits }: CountedKind) => {
    metrics.ledgerLines.inc({ kind }, lines);
    metrics.ledgerCredits.inc({ kind }, credits);
  };
  return [
    { name: 'tell-low-wallets', everyMs: LOOK_MS, run: () => tellLow(database, listRecipients) },
    { name: 'roll-up-wallets', everyMs: COUNT_MS, run: (signal) => rollUpDays(database, signal, count) },
  ];
}
