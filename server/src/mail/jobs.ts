// Mail is sent within about a second of the request that queued it, watched, and forgotten some days after.
import type { Database } from '../lib/database.ts';
import type { Job } from '../lib/jobs.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type MailDependencies, sendMails } from './send-mails.ts';
import { deleteOldMails, readMailQueue } from './store.ts';

const SEND_MS = 1_000;
const WATCH_MS = 30_000;
const HOUR_MS = 3_600_000;
/** Long enough to answer "was it sent?", short enough for an address nobody needs any more. */
const KEEP_DAYS = 7;

async function watch(database: Database, metrics: Metrics): Promise<number> {
  const { waiting, oldestSeconds } = await database.asSystem(readMailQueue);
  metrics.mailsWaiting.set(waiting);
  metrics.mailsOldest.set(oldestSeconds);
  return 0;
}

/** Without a mail server nothing is sent: what is queued waits, and the metrics show it. */
export function mailJobs(database: Database, metrics: Metrics, sending: MailDependencies | undefined): Job[] {
  const jobs: Job[] = [
    { name: 'watch-mails', everyMs: WATCH_MS, firstAfterMs: SEND_MS, run: () => watch(database, metrics) },
    { name: 'forget-mails', everyMs: HOUR_MS, run: () => database.asSystem((tx) => deleteOldMails(tx, KEEP_DAYS)) },
  ];
  if (sending) jobs.push({ name: 'send-mails', everyMs: SEND_MS, run: () => sendMails(sending) });
  return jobs;
}
