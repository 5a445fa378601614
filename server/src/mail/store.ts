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
  | 'credentials-busy'
  | 'factors-guessed'
  | 'wallet-low'
  | 'webhook-disabled'
  | 'factor-link'
  | 'first-factor';

/** The turn of mails that are sent for no company; the first of all. As a subject: the whole company. */
export const NO_COMPANY = '00000000-0000-0000-0000-000000000000';
/** Beyond the id of every company. A claim that began after it would go round without end. */
const LAST_TURN = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export async function insertMail(
  tx: Tx,
  mail: { id: string; kind: MailKind; subjectId: string; recipient: string; isNotice: boolean; turn: string },
): Promise<void> {
  await execute(
    tx,
    sql`
    insert into mails (id, kind, subject_id, recipient, is_notice, turn)
    values (${mail.id}, ${mail.kind}, ${mail.subjectId}, ${mail.recipient}, ${mail.isNotice}, ${mail.turn})`,
  );
}

export type Notice = { readonly tenantId: string; readonly kind: MailKind; readonly subjectId: string };

/** False when it was noted today already. */
export async function insertNotice(tx: Tx, { tenantId, kind, subjectId }: Notice): Promise<boolean> {
  const added = await execute(
    tx,
    sql`
    insert into mail_notices (tenant_id, day, kind, subject_id, mails)
    values (${tenantId}, (clock_timestamp() at time zone 'UTC')::date, ${kind}, ${subjectId}, 0)
    on conflict do nothing`,
  );
  return added === 1;
}

/** Takes so many mails from the day of this subject in this company, and returns how many were taken before. */
export async function takeFromDay(tx: Tx, { tenantId, kind, subjectId }: Notice, count: number): Promise<number> {
  const [day] = await rows<{ mails: number }>(
    tx,
    sql`
    insert into mail_notices as day (tenant_id, day, kind, subject_id, mails)
    values (${tenantId}, (clock_timestamp() at time zone 'UTC')::date, ${kind}, ${subjectId}, ${count})
    on conflict (tenant_id, day, kind, subject_id) do update set mails = day.mails + excluded.mails
    returning mails`,
  );
  if (!day) throw new Error('an upsert returned no row');
  return day.mails - count;
}

export type QueuedMail = {
  readonly id: string;
  readonly kind: MailKind;
  readonly subjectId: string;
  readonly recipient: string;
  readonly createdAt: Date;
  readonly attempts: number;
  readonly turn: string;
};

export type Turn = {
  readonly isNotice: boolean;
  /** The turn at which the claim before ended. */
  readonly after: string;
  readonly limit: number;
  readonly leaseSeconds: number;
};

/**
 * Claims due mails with a lease: if the worker that claimed them dies, another claims them after the lease ends. It goes from
 * company to company in the index of what waits, beginning after the one where the last claim ended, and takes one mail of each
 * before a second of any: a company with thousands of mails delays nobody. Skips rows that another node is claiming.
 */
export async function takeDueMails(tx: Tx, { isNotice, after, limit, leaseSeconds }: Turn): Promise<QueuedMail[]> {
  const taken = await rows<QueuedMail & { readonly step: number }>(
    tx,
    sql`
    with recursive waiting (step, turn, until) as (
      select 0, ${after}::uuid, ${LAST_TURN}::uuid
      union all
      select waiting.step + 1, next.turn, next.until
        from waiting,
          lateral (
            (select turn, waiting.until from mails
              where sent_at is null and given_up_at is null and is_notice = ${isNotice}
                and turn > waiting.turn and turn <= waiting.until
              order by turn limit 1)
            union all
            -- From the last one to the first one, once.
            (select turn, ${after}::uuid from mails
              where waiting.until = ${LAST_TURN}::uuid and sent_at is null and given_up_at is null
                and is_notice = ${isNotice} and turn <= ${after}::uuid
              order by turn limit 1)
            limit 1) as next),
    asked as (
      -- No order and no count in here: so PostgreSQL goes no further than this limit asks for.
      select turn, step from waiting
       where step > 0
         and exists (select from mails where sent_at is null and given_up_at is null and is_notice = ${isNotice}
                                         and turn = waiting.turn and next_try_at <= clock_timestamp())
       limit ${limit}),
    chosen as (
      select due.id, step
        from asked,
          lateral (
            select id, row_number() over () as place
              from (select id from mails
                     where sent_at is null and given_up_at is null and is_notice = ${isNotice} and turn = asked.turn
                       and next_try_at <= clock_timestamp()
                     order by next_try_at limit ${limit} for update skip locked) as own) as due
       order by place, step limit ${limit})
    update mails
       set attempts = attempts + 1, next_try_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      from chosen where mails.id = chosen.id
    returning mails.id, kind, subject_id as "subjectId", recipient, created_at as "createdAt", attempts, turn, step`,
  );
  return taken.toSorted((a, b) => a.step - b.step);
}

export async function updateMailSent(tx: Tx, id: string): Promise<void> {
  await execute(tx, sql`update mails set sent_at = clock_timestamp() where id = ${id} and sent_at is null`);
}

export async function updateMailGivenUp(tx: Tx, id: string): Promise<void> {
  await execute(tx, sql`update mails set given_up_at = clock_timestamp() where id = ${id} and sent_at is null`);
}

export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await execute(tx, sql`delete from mails where id = ${id} and sent_at is null`);
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

/** Yesterday's are asked for by nobody. */
export const MAIL_NOTICES = agedTable('mail_notices', 'noted_at', '7 days');

export type EndedMails = { readonly ended: number; readonly givenUp: number };

/** Of the last hour. */
export async function readEndedMails(tx: Tx): Promise<EndedMails> {
  const [found] = await rows<EndedMails>(
    tx,
    sql`
    select count(*) as ended, count(given_up_at) as "givenUp"
      from mails where coalesce(sent_at, given_up_at) > statement_timestamp() - interval '1 hour'`,
  );
  return found ?? { ended: 0, givenUp: 0 };
}

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
