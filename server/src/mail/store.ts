// The queue of mails. The app role may only insert; everything else runs as the system role.
import { agedTable } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type MailKind =
  | 'invitation'
  | 'password-reset'
  | 'password-changed'
  | 'factor-changed'
  | 'credential-named'
  | 'credential-proof'
  | 'factors-guessed'
  | 'wallet-low'
  | 'webhook-disabled';

export async function insertMail(
  tx: Tx,
  mail: { id: string; kind: MailKind; subjectId: string; recipient: string },
): Promise<void> {
  await execute(
    tx,
    sql`
    insert into mails (id, kind, subject_id, recipient)
    values (${mail.id}, ${mail.kind}, ${mail.subjectId}, ${mail.recipient})`,
  );
}

export type QueuedMail = {
  readonly id: string;
  readonly kind: MailKind;
  readonly subjectId: string;
  readonly recipient: string;
  readonly createdAt: Date;
  readonly attempts: number;
};

/**
 * Claims due mails with a lease: if the worker that claimed them dies, another claims them after the lease ends.
 * Skips rows that another node is claiming.
 */
export async function takeDueMails(tx: Tx, limit: number, leaseSeconds: number): Promise<QueuedMail[]> {
  return rows<QueuedMail>(
    tx,
    sql`
    update mails
       set attempts = attempts + 1, next_try_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     where id in (select id from mails
                   where sent_at is null and given_up_at is null and next_try_at <= clock_timestamp()
                   order by next_try_at limit ${limit} for update skip locked)
    returning id, kind, subject_id as "subjectId", recipient, created_at as "createdAt", attempts`,
  );
}

export async function updateMailSent(tx: Tx, id: string): Promise<void> {
  await execute(tx, sql`update mails set sent_at = clock_timestamp() where id = ${id} and sent_at is null`);
}

export async function updateMailGivenUp(tx: Tx, id: string): Promise<void> {
  await execute(tx, sql`update mails set given_up_at = clock_timestamp() where id = ${id} and sent_at is null`);
}

export async function updateMailRetry(tx: Tx, id: string, afterSeconds: number): Promise<void> {
  await execute(
    tx,
    sql`
    update mails set next_try_at = clock_timestamp() + make_interval(secs => ${afterSeconds})
     where id = ${id} and sent_at is null`,
  );
}

/** A week after the end: long enough to answer "was it sent?", short enough for an address that is no longer needed. */
export const MAILS = agedTable('mails', 'coalesce(sent_at, given_up_at)', '7 days');

export type MailQueue = { readonly waiting: number; readonly oldestSeconds: number };

export async function readMailQueue(tx: Tx): Promise<MailQueue> {
  const [queue] = await rows<MailQueue>(
    tx,
    sql`
    select count(*) as waiting,
           coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as "oldestSeconds"
      from mails where sent_at is null and given_up_at is null`,
  );
  return queue ?? { waiting: 0, oldestSeconds: 0 };
}
