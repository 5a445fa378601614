// Queues a mail in the transaction of the event it reports: both happen or neither. A job writes and sends it
// (send-mails.ts). Works as the app role, which may add mails and read none, and as the system role.
import { newId } from '../lib/ids.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { noticesLeft, toldOf } from './rules/day.ts';
import { insertMail, insertNotice, type MailKind, NO_COMPANY, type Notice, takeFromDay } from './store.ts';

export type { MailKind } from './store.ts';

export type NewMail = {
  readonly kind: MailKind;
  /** The id of its subject: an invitation, a password reset, a credential or a person. */
  readonly subjectId: string;
  readonly recipient: string;
  /** The company that it is sent for, if there is one. */
  readonly tenantId?: string;
};

/** A mail that its recipient waits for or must know at once: it is sent before all notices. */
export async function queueMail(tx: Tx, { tenantId = NO_COMPANY, ...mail }: NewMail): Promise<void> {
  await insertMail(tx, { id: newId(), ...mail, isNotice: false, turn: tenantId });
}

/** Tells a person at once what another member of the company did in their name, within their day's budget. */
export async function queueTold(tx: Tx, mail: NewMail & Notice, personId: string): Promise<void> {
  const busy = { ...mail, kind: 'credentials-busy', subjectId: personId } as const;
  const told = toldOf(await takeFromDay(tx, busy, 1));
  if (told !== 'nothing') await queueMail(tx, told === 'busy' ? busy : mail);
}

/** Tells members of a company what they do not wait for. Mails beyond the day's budget are not queued. */
export async function queueNotice(tx: Tx, notice: Notice, recipients: readonly string[]): Promise<void> {
  const { tenantId, kind, subjectId } = notice;
  const taken = await takeFromDay(tx, { ...notice, subjectId: NO_COMPANY }, recipients.length);
  for (const recipient of recipients.slice(0, noticesLeft(taken)))
    await insertMail(tx, { id: newId(), kind, subjectId, recipient, isNotice: true, turn: tenantId });
}

/** At most once a day (UTC) for each subject. */
export async function queueDailyNotice(tx: Tx, notice: Notice, recipients: readonly string[]): Promise<void> {
  if (await insertNotice(tx, notice)) await queueNotice(tx, notice, recipients);
}
