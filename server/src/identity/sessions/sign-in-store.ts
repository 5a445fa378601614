// People's sign-ins as rows: each is the family of its refresh tokens. Runs as the system role.
import type { Role } from '@trefoil/contract';
import { agedTable } from '../../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import { WEB_CLIENT_ID } from '../rules/own-client.ts';
import { type Family, REFRESH_ABSOLUTE_MS } from '../rules/refresh.ts';

export type NewSignIn = {
  /** The id of the library's grant. */
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly scope: string;
  readonly authenticatedAt: Date;
  readonly secondFactorAt: Date | undefined;
  /** The provider's session in which the sign-in was made. */
  readonly sessionUid: string | undefined;
};

/**
 * False when the sign-in already exists, or the session that its code came from has ended. Also false when it rests only on a password
 * that has changed since, unless it belongs to the session that survived the change: `endOtherSignIns` cannot end a sign-in that is not
 * yet inserted.
 */
export async function insertSignIn(tx: Tx, signIn: NewSignIn): Promise<boolean> {
  const { id, userId, clientId, scope, authenticatedAt, secondFactorAt, sessionUid } = signIn;
  // Against `endOtherSignIns`, which must see this sign-in, or this statement must see what it ended.
  await execute(tx, sql`select 1 from users where id = ${userId} for share`);
  // One second of margin: the old password can still be read until the change is committed.
  const inserted = await execute(
    tx,
    sql`
    insert into sign_ins (id, user_id, client_id, scope, authenticated_at, second_factor_at, session_uid)
    select ${id}, ${userId}::uuid, ${clientId}, ${scope}, ${authenticatedAt}::timestamptz,
           ${secondFactorAt ?? null}::timestamptz, ${sessionUid ?? null}::text
     where exists (select from oidc_payloads
                    where model = 'Session' and uid = ${sessionUid ?? null}::text and consumed_at is null)
       and (${secondFactorAt ?? null}::timestamptz is not null
            or not exists (select from user_passwords
                            where user_id = ${userId}::uuid
                              and changed_at + interval '1 second' > ${authenticatedAt}::timestamptz)
            or exists (select from sign_ins
                        where session_uid = ${sessionUid ?? null}::text and user_id = ${userId}::uuid
                          and ended_at is null))
    on conflict (id) do nothing`,
  );
  return inserted === 1;
}

export type LockedSignIn = Family & {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly scope: string;
  readonly now: Date;
};

/** Locked, because parallel refreshes of one token must agree on one successor. The time is read after the lock. */
export async function lockSignIn(tx: Tx, id: string): Promise<LockedSignIn | undefined> {
  const [locked] = await rows<Omit<LockedSignIn, 'now'>>(
    tx,
    sql`
    select id, user_id as "userId", client_id as "clientId", scope, refresh_count as "count",
           refreshed_at as "refreshedAt", created_at as "createdAt", ended_at as "endedAt"
      from sign_ins where id = ${id} for update`,
  );
  if (!locked) return undefined;
  const [clock] = await rows<{ now: Date }>(tx, sql`select clock_timestamp() as now`);
  return clock && { ...locked, now: clock.now };
}

/** The sign-in's person and client; other code decides whether the sign-in is still valid. */
export async function findSignIn(tx: Tx, id: string): Promise<{ userId: string; clientId: string } | undefined> {
  const [signIn] = await rows<{ userId: string; clientId: string }>(
    tx,
    sql`select user_id as "userId", client_id as "clientId" from sign_ins where id = ${id}`,
  );
  return signIn;
}

export async function updateRefreshCount(tx: Tx, id: string, count: number): Promise<void> {
  await execute(
    tx,
    sql`update sign_ins set refresh_count = ${count}, refreshed_at = clock_timestamp() where id = ${id}`,
  );
}

/**
 * Returns whether it was still running. The provider's session of our own pages ends with its last such sign-in: otherwise
 * it would sign the same browser in again without asking.
 */
export async function endSignIn(tx: Tx, id: string): Promise<boolean> {
  // The sign-in's row is written before the library's, as everywhere.
  const query = sql`update sign_ins set ended_at = clock_timestamp() where id = ${id} and ended_at is null`;
  const wasRunning = (await execute(tx, query)) === 1;
  await execute(
    tx,
    sql`
    update oidc_payloads set consumed_at = clock_timestamp(), payload = '{}', uid = null
      from sign_ins
     where sign_ins.id = ${id} and sign_ins.client_id = ${WEB_CLIENT_ID}
       and oidc_payloads.model = 'Session' and oidc_payloads.uid = sign_ins.session_uid
       and not exists (select from sign_ins as others
                        where others.user_id = sign_ins.user_id and others.ended_at is null
                          and others.client_id = ${WEB_CLIENT_ID} and others.session_uid = sign_ins.session_uid)`,
  );
  await execute(tx, sql`delete from oidc_payloads where grant_id = ${id}`);
  return wasRunning;
}

/**
 * Ends every sign-in of the person but the one to keep, every provider session of theirs but its own, and every proof of an
 * unfinished sign-in: otherwise a sign-in begun with the old password could be finished later. Sessions and proofs are ended and not
 * deleted: a request that has read one writes it back (`upsertPayload`).
 */
export async function endOtherSignIns(tx: Tx, userId: string, keepSignInId: string | undefined): Promise<void> {
  const keep = keepSignInId ?? null;
  // Against `insertSignIn`.
  await execute(tx, sql`select 1 from users where id = ${userId} for no key update`);
  await execute(
    tx,
    sql`
    update sign_ins set ended_at = clock_timestamp()
     where id in (select id from sign_ins
                   where user_id = ${userId} and ended_at is null and id is distinct from ${keep}::text
                   order by id for update)`,
  );
  await execute(
    tx,
    sql`delete from oidc_payloads where payload ->> 'accountId' = ${userId} and model = 'AuthorizationCode'`,
  );
  await execute(
    tx,
    sql`
    update oidc_payloads set consumed_at = clock_timestamp(), payload = '{}', uid = null
     where model = 'Session' and payload ->> 'accountId' = ${userId}
       and uid is distinct from (select session_uid from sign_ins where id = ${keep}::text)
        or model = 'Interaction'
       and ${userId} in (payload #>> '{result,progress,userId}', payload #>> '{result,login,accountId}',
                         payload #>> '{lastSubmission,login,accountId}', payload #>> '{session,accountId}')
       and coalesce(payload #>> '{session,uid}', '')
             is distinct from (select session_uid from sign_ins where id = ${keep}::text)`,
  );
}

export type RunningSignIn = {
  readonly id: string;
  readonly clientId: string;
  readonly createdAt: Date;
  readonly refreshedAt: Date;
};

const LIST_LIMIT = 100;
const ABSOLUTE_SECONDS = REFRESH_ABSOLUTE_MS / 1_000;

export function listRunningSignIns(tx: Tx, userId: string): Promise<RunningSignIn[]> {
  return rows<RunningSignIn>(
    tx,
    sql`
    select id, client_id as "clientId", created_at as "createdAt", refreshed_at as "refreshedAt"
      from sign_ins
     where user_id = ${userId} and ended_at is null
       and created_at > clock_timestamp() - make_interval(secs => ${ABSOLUTE_SECONDS})
     order by created_at desc limit ${LIST_LIMIT}`,
  );
}

/** A signed-in person with everything that decides what they may do now. */
export type Person = {
  readonly signInId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly authenticatedAt: Date;
  readonly secondFactorAt: Date | null;
  readonly memberships: readonly {
    readonly tenantId: string;
    readonly role: Role;
    readonly isTenantEnabled: boolean;
    readonly requiresSecondFactor: boolean;
    readonly ratePerSecond: number | null;
    readonly rateBurst: number | null;
  }[];
};

/** Undefined when the sign-in has ended, or when the person or the application is disabled. */
export async function findPerson(tx: Tx, signInId: string): Promise<Person | undefined> {
  const [person] = await rows<Person>(
    tx,
    sql`
    select sign_ins.id as "signInId", sign_ins.user_id as "userId", sign_ins.client_id as "clientId",
           sign_ins.authenticated_at as "authenticatedAt", sign_ins.second_factor_at as "secondFactorAt",
           coalesce((select json_agg(json_build_object(
                              'tenantId', tenants.id, 'role', memberships.role, 'isTenantEnabled', tenants.is_enabled,
                              'requiresSecondFactor', tenants.require_second_factor,
                              'ratePerSecond', tenants.rate_per_second, 'rateBurst', tenants.rate_burst)
                            order by tenants.id)
                       from memberships join tenants on tenants.id = memberships.tenant_id
                      where memberships.user_id = users.id and memberships.removed_at is null), '[]') as memberships
      from sign_ins
      join users on users.id = sign_ins.user_id
      left join oauth_apps on oauth_apps.id::text = sign_ins.client_id
     where sign_ins.id = ${signInId} and sign_ins.ended_at is null and users.is_enabled
       and coalesce(oauth_apps.is_enabled, true)
       and sign_ins.created_at > clock_timestamp() - make_interval(secs => ${ABSOLUTE_SECONDS})`,
  );
  return person;
}

/** A sign-in lasts a day at most; a month of rows shows who was signed in when. */
export const SIGN_INS = agedTable('sign_ins', 'created_at', '30 days');
