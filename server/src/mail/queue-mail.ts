// Puts a mail into the queue, in the transaction of what it tells of: both happen or neither. A job writes and sends it
// (send-mails.ts). Works as the app role, which may add mails and read none, and as the system role.
import { newId } from '../lib/ids.ts';
import type { Tx } from '../lib/sql.ts';
import { insertMail, type MailKind } from './store.ts';

export type { MailKind } from './store.ts';

export type NewMail = {
  readonly kind: MailKind;
  /** What it is about: an invitation's, a password reset's or a person's id. */
  readonly subjectId: string;
  readonly recipient: string;
};

export async function queueMail(tx: Tx, mail: NewMail): Promise<void> {
  await insertMail(tx, { id: newId(), ...mail });
}
