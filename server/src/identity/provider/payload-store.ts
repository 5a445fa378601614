// What the OAuth library must remember: sessions, interactions, codes, grants, ids of used assertions. Runs as the
// system role. Ids arrive hashed, since many of them give access to a person's session.
import { agedTable } from '../../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export type NewPayload = {
  readonly model: string;
  readonly id: string;
  readonly payload: object;
  readonly uid: string | undefined;
  readonly grantId: string | undefined;
  readonly ttlSeconds: number;
};

/** False when the payload already exists: the second request must not proceed. */
export async function insertPayload(tx: Tx, added: NewPayload): Promise<boolean> {
  const inserted = await execute(
    tx,
    sql`
    insert into oidc_payloads (model, id, payload, uid, grant_id, expires_at)
    values (${added.model}, ${added.id}, ${JSON.stringify(added.payload)}, ${added.uid ?? null},
            ${added.grantId ?? null}, clock_timestamp() + make_interval(secs => ${added.ttlSeconds}))
    on conflict (model, id) do nothing`,
  );
  return inserted === 1;
}

/** Leaves an ended payload as it is: the library writes back what it read, however long ago (`endSession`). */
export async function upsertPayload(tx: Tx, added: NewPayload): Promise<void> {
  await execute(
    tx,
    sql`
    insert into oidc_payloads (model, id, payload, uid, grant_id, expires_at)
    values (${added.model}, ${added.id}, ${JSON.stringify(added.payload)}, ${added.uid ?? null},
            ${added.grantId ?? null}, clock_timestamp() + make_interval(secs => ${added.ttlSeconds}))
    on conflict (model, id) do update
       set payload = excluded.payload, uid = excluded.uid, grant_id = excluded.grant_id,
           expires_at = excluded.expires_at
     where oidc_payloads.consumed_at is null`,
  );
}

export type Payload = { readonly payload: object; readonly consumedAt: Date | null };

/** Of what is over, only a used code is found: its second use must be noticed. */
export async function findPayload(tx: Tx, model: string, id: string): Promise<Payload | undefined> {
  const [found] = await rows<Payload>(
    tx,
    sql`
    select payload, consumed_at as "consumedAt" from oidc_payloads
     where model = ${model} and id = ${id} and (expires_at is null or expires_at > clock_timestamp())
       and (consumed_at is null or model = 'AuthorizationCode')`,
  );
  return found;
}

export async function findPayloadByUid(tx: Tx, model: string, uid: string): Promise<Payload | undefined> {
  const [found] = await rows<Payload>(
    tx,
    sql`
    select payload, consumed_at as "consumedAt" from oidc_payloads
     where model = ${model} and uid = ${uid} and (expires_at is null or expires_at > clock_timestamp())`,
  );
  return found;
}

/** False when it is already consumed: of two concurrent requests, one fails. */
export async function consumePayload(tx: Tx, model: string, id: string): Promise<boolean> {
  const query = sql`
    update oidc_payloads set consumed_at = clock_timestamp()
     where model = ${model} and id = ${id} and consumed_at is null`;
  return (await execute(tx, query)) === 1;
}

/** A session that is deleted would come back with the next request that has read it: its row stays until it expires, empty. */
export async function endSession(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    sql`
    update oidc_payloads set consumed_at = clock_timestamp(), payload = '{}', uid = null
     where model = 'Session' and id = ${id} and consumed_at is null`,
  );
}

export async function deletePayload(tx: Tx, model: string, id: string): Promise<void> {
  await execute(tx, sql`delete from oidc_payloads where model = ${model} and id = ${id}`);
}

/** Expired payloads are never read. */
export const PAYLOADS = agedTable('oidc_payloads', 'expires_at', '0 seconds');
