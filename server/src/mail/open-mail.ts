// The front door of mail: queued mail is sent while a mail server is configured, and waits otherwise.

import type { HashRing } from '../lib/crypto/hash-ring.ts';
import type { Job } from '../lib/jobs.ts';
import type { Database } from '../lib/postgres/database.ts';
import { mailJobs } from './jobs.ts';
import { createLinkTokens } from './link-tokens.ts';
import type { MailMetrics } from './mail-metrics.ts';
import type { MailDependencies } from './send-mails.ts';
import { createSmtpSender, type SmtpSettings } from './smtp.ts';

type MailSettings = {
  readonly mail: SmtpSettings | undefined;
  readonly baseUrl: string;
  readonly hashKeys: HashRing;
};

export interface Mail {
  readonly jobs: readonly Job[];
  close(): void;
}

type Describes = Pick<
  MailDependencies,
  'describeInvitation' | 'describeCredential' | 'describeMember' | 'describeLowWallet' | 'describeWebhook'
>;

export function openMail(
  { mail, baseUrl, hashKeys }: MailSettings,
  { database, metrics, ...describes }: { readonly database: Database; readonly metrics: MailMetrics } & Describes,
): Mail {
  const sender = mail && createSmtpSender(mail);
  const linkTokens = createLinkTokens(hashKeys);
  const sending = sender && { ...describes, database, sender, linkTokens, baseUrl, metrics };
  return { jobs: mailJobs(database, metrics, sending), close: () => sender?.close() };
}
