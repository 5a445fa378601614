// Queues a mail in the transaction of the event it reports: both happen or neither. A job writes and sends it
// (send-mails.ts). Works as the app role, which may add mails and read none, and as the system role.
import { newId } from '../lib/ids.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { insertMail, type MailKind } from './store.ts';

export type { MailKind } from './store.ts';

export type NewMail = {
  readonly kind: MailKind;
  /** The id of its subject: an invitation, a password reset, a credential, a person, a tenant or a webhook endpoint. */
  readonly subjectId: string;
  readonly recipient: string;
};

export async function queueMail(tx: Tx, mail: NewMail): Promise<void> {
  await insertMail(tx, { id: newId(), ...mail });
}
