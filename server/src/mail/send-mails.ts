// Sends due mails. The worker claims each in its own transaction, with a lease that outlasts any attempt; sends it with no
// transaction open; then records the outcome. After a crash between sending and recording, another worker sends the mail
// again: a mail arrives at least once.

import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import type { LinkTokens } from './link-tokens.ts';
import type { MailMetrics } from './mail-metrics.ts';
import type { MailOutcome, MailSender } from './port.ts';
import { type LowWallet, type MailContent, writeMail } from './rules/mail-text.ts';
import { isStale, retryAfterSeconds } from './rules/retry.ts';
import {
  deleteMail,
  NO_COMPANY,
  type QueuedMail,
  takeDueMails,
  updateMailGivenUp,
  updateMailRetry,
  updateMailSent,
} from './store.ts';

export type MailDependencies = {
  readonly database: Database;
  readonly sender: MailSender;
  readonly linkTokens: LinkTokens;
  readonly baseUrl: string;
  readonly metrics: MailMetrics;
  /** The facts for an invitation's mail; undefined when the invitation is no longer open. */
  readonly describeInvitation: (
    invitationId: string,
  ) => Promise<Pick<Extract<MailContent, { kind: 'invitation' }>, 'tenantName' | 'role' | 'expiresAt'> | undefined>;
  /** The facts for a mail to a credential's owner; undefined when the recipient is no longer its owner. */
  readonly describeCredential: (
    credentialId: string,
    ownerEmail: string,
  ) => Promise<{ tenantId: string; tenantName: string; credentialName: string } | undefined>;
  /** The facts for a mail about a disabled webhook endpoint; undefined when it is enabled again or deleted. */
  readonly describeWebhook: (endpointId: string) => Promise<{ tenantName: string; host: string } | undefined>;
  /** The facts for a mail about a member of a company. */
  readonly describeMember: (
    tenantId: string,
    userId: string,
  ) => Promise<{ tenantName: string; email: string } | undefined>;
  /** The facts for a mail about a low wallet; undefined when it is not low any more. */
  readonly describeLowWallet: (tenantId: string) => Promise<LowWallet | undefined>;
};

const AT_A_TIME = 10;
/** Longer than connecting, greeting and a silence can take together. */
const LEASE_SECONDS = 120;

/** Undefined when there is nothing left to say. */
async function contentOf(dependencies: MailDependencies, mail: QueuedMail): Promise<MailContent | undefined> {
  const { linkTokens, baseUrl } = dependencies;
  const { kind, subjectId } = mail;
  if (isStale(kind, ageSeconds(mail))) return undefined;
  if (kind === 'invitation') {
    const invitation = await dependencies.describeInvitation(subjectId);
    const link = `${baseUrl}/v1/auth/invitations/${linkTokens.make(kind, subjectId)}`;
    return invitation && { kind, ...invitation, link };
  }
  if (kind === 'password-reset') {
    return { kind, link: `${baseUrl}/v1/auth/reset-password/${linkTokens.make(kind, subjectId)}` };
  }
  if (kind === 'factor-link') {
    return { kind, link: `${baseUrl}/v1/auth/first-factor/${linkTokens.make('first-factor', subjectId)}` };
  }
  if (kind === 'first-factor' || kind === 'credentials-busy') {
    const person = await dependencies.describeMember(mail.turn, subjectId);
    return person && { kind, ...person };
  }
  if (kind === 'webhook-disabled') {
    const webhook = await dependencies.describeWebhook(subjectId);
    return webhook && { kind, ...webhook };
  }
  if (kind === 'credential-named' || kind === 'credential-proof') {
    const credential = await dependencies.describeCredential(subjectId, mail.recipient);
    if (!credential) return undefined;
    const { tenantId, ...words } = credential;
    return { kind, ...words, link: `${baseUrl}/v1/auth/credentials/${tenantId}/${subjectId}` };
  }
  if (kind === 'wallet-low') {
    const wallet = await dependencies.describeLowWallet(subjectId);
    return wallet && { kind, ...wallet };
  }
  return { kind };
}

const ageSeconds = ({ createdAt }: QueuedMail) => (Date.now() - createdAt.getTime()) / 1_000;

async function settle(dependencies: MailDependencies, mail: QueuedMail, outcome: MailOutcome): Promise<string> {
  const { database } = dependencies;
  if (outcome.kind === 'accepted') {
    await database.asSystem((tx) => updateMailSent(tx, mail.id));
    return 'sent';
  }
  const isFinal = outcome.kind === 'refused' && outcome.isFinal;
  const again = isFinal ? undefined : retryAfterSeconds(mail.attempts, ageSeconds(mail));
  if (again === undefined) {
    await database.asSystem((tx) => updateMailGivenUp(tx, mail.id));
    return isFinal ? 'refused' : 'given-up';
  }
  await database.asSystem((tx) => updateMailRetry(tx, mail.id, again));
  return outcome.kind === 'unknown' ? 'unknown' : 'put-off';
}

async function sendOne(dependencies: MailDependencies, mail: QueuedMail): Promise<void> {
  const { database, sender, metrics } = dependencies;
  const content = await contentOf(dependencies, mail);
  if (!content) {
    // Given up would say that the mail server failed, and its address has no use any more.
    await database.asSystem((tx) => deleteMail(tx, mail.id));
    metrics.mails.inc({ outcome: 'pointless' });
    return;
  }
  const outcome = await sender.send({ id: mail.id, to: mail.recipient, ...writeMail(content) });
  metrics.mails.inc({ outcome: await settle(dependencies, mail, outcome) });
}

/** Whose turn was the last one, of mails that their recipients wait for and of notices. */
export type Turns = { waitedFor: string; notices: string };
export const firstTurns = (): Turns => ({ waitedFor: NO_COMPANY, notices: NO_COMPANY });

/** Notices only when no mail of the other kinds is due. */
function claim({ database }: MailDependencies, turns: Turns): Promise<QueuedMail[]> {
  const take = (tx: Tx, isNotice: boolean, after: string, limit: number) =>
    takeDueMails(tx, { isNotice, after, limit, leaseSeconds: LEASE_SECONDS });
  return database.asSystem(async (tx) => {
    const waitedFor = await take(tx, false, turns.waitedFor, AT_A_TIME);
    const left = AT_A_TIME - waitedFor.length;
    const notices = left > 0 ? await take(tx, true, turns.notices, left) : [];
    turns.waitedFor = waitedFor.at(-1)?.turn ?? turns.waitedFor;
    turns.notices = notices.at(-1)?.turn ?? turns.notices;
    return [...waitedFor, ...notices];
  });
}

/** Runs until no mail is due; returns how many it processed. */
export async function sendMails(dependencies: MailDependencies, turns: Turns): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await claim(dependencies, turns);
    const results = await Promise.allSettled(due.map((mail) => sendOne(dependencies, mail)));
    count += due.length;
    const failed = results.find((result) => result.status === 'rejected');
    // An unsettled mail is due again when its lease ends.
    if (failed) throw failed.reason;
    if (due.length < AT_A_TIME) return count;
  }
}
