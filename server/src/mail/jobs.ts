// Sends mail within about a second of the request that queued it, and monitors it. Deletes it a week after it is finished.

import type { Job } from '../lib/jobs.ts';
import type { Database } from '../lib/postgres/database.ts';
import { findMailQueue } from './find-mail-queue.ts';
import type { MailMetrics } from './mail-metrics.ts';
import { firstTurns, type MailDependencies, sendMails } from './send-mails.ts';

export { MAIL_NOTICES, MAILS } from './store.ts';

const SEND_MS = 1_000;
const WATCH_MS = 30_000;

async function watch(database: Database, metrics: MailMetrics): Promise<number> {
  const { waiting, oldestSeconds } = await findMailQueue(database);
  metrics.mailsWaiting.set(waiting);
  metrics.mailsOldest.set(oldestSeconds);
  return 0;
}

/** Without a mail server nothing is sent: queued mail waits, and the metrics show it. */
export function mailJobs(database: Database, metrics: MailMetrics, sending: MailDependencies | undefined): Job[] {
  const jobs: Job[] = [
    { name: 'watch-mails', everyMs: WATCH_MS, firstAfterMs: SEND_MS, run: () => watch(database, metrics) },
  ];
  const turns = firstTurns();
  if (sending) jobs.push({ name: 'send-mails', everyMs: SEND_MS, run: () => sendMails(sending, turns) });
  return jobs;
}
