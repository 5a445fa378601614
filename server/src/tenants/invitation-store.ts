// Invitations to join a tenant. rules/invitation.ts decides whether one is open, with the database's time, which every
// row includes.
import type { Role } from '@trefoil/contract';
import { type DueRow, retain } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { Page } from './member-store.ts';
import type { InvitationState } from './rules/invitation.ts';

export type InvitationRow = InvitationState & {
  readonly tenantId: string;
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string | null;
  readonly createdAt: Date;
  readonly sentCount: number;
  readonly sentAt: Date;
  /** When the row was read. */
  readonly now: Date;
};

type Row = {
  tenant_id: string;
  id: string;
  email: string;
  role: Role;
  invited_by: string | null;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
  sent_count: number;
  sent_at: Date;
  now: Date;
};

const toInvitation = (row: Row): InvitationRow => ({
  tenantId: row.tenant_id,
  id: row.id,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  acceptedAt: row.accepted_at,
  revokedAt: row.revoked_at,
  sentCount: row.sent_count,
  sentAt: row.sent_at,
  now: row.now,
});

export type NewInvitation = Pick<InvitationRow, 'tenantId' | 'id' | 'email' | 'role' | 'invitedBy'> & {
  readonly lifetimeDays: number;
};

export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  const { tenantId, id, email, role, invitedBy, lifetimeDays } = invitation;
  await execute(
    tx,
    sql`
    insert into invitations (tenant_id, id, email, role, invited_by, expires_at)
    values (${tenantId}, ${id}, ${email}, ${role}, ${invitedBy}, clock_timestamp() + make_interval(days => ${lifetimeDays}))`,
  );
}

export async function findInvitation(tx: Tx, tenantId: string, id: string): Promise<InvitationRow | undefined> {
  const [row] = await rows<Row>(
    tx,
    sql`select *, clock_timestamp() as now from invitations where tenant_id = ${tenantId} and id = ${id}`,
  );
  return row && toInvitation(row);
}

/** Locked until the transaction ends: concurrent requests that accept, resend or revoke it see each other's changes. */
export async function lockInvitation(tx: Tx, tenantId: string, id: string): Promise<InvitationRow | undefined> {
  await execute(tx, sql`select id from invitations where tenant_id = ${tenantId} and id = ${id} for no key update`);
  return findInvitation(tx, tenantId, id);
}

export type InvitationOfTenant = InvitationRow & { readonly tenantName: string; readonly isTenantEnabled: boolean };

/** As the system role: a link names an invitation but no tenant. */
export async function findInvitationAnywhere(tx: Tx, id: string): Promise<InvitationOfTenant | undefined> {
  const [row] = await rows<Row & { tenant_name: string; is_tenant_enabled: boolean }>(
    tx,
    sql`
    select invitations.*, clock_timestamp() as now, tenants.name as tenant_name, tenants.is_enabled as is_tenant_enabled
      from invitations join tenants on tenants.id = invitations.tenant_id
     where invitations.id = ${id}`,
  );
  return row && { ...toInvitation(row), tenantName: row.tenant_name, isTenantEnabled: row.is_tenant_enabled };
}

export async function listOpenInvitations(tx: Tx, tenantId: string, { limit, before }: Page): Promise<InvitationRow[]> {
  const found = await rows<Row>(
    tx,
    sql`
    select *, clock_timestamp() as now from invitations
     where tenant_id = ${tenantId} and accepted_at is null and revoked_at is null and expires_at > clock_timestamp()
       and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
     order by id desc limit ${limit + 1}`,
  );
  return found.map(toInvitation);
}

export type SentToday = {
  readonly count: number;
  readonly retryAfterSeconds: number;
  /** When the oldest of them is a day old; null if there is none. */
  readonly resetsAt: Date | null;
};

/** Mails of the invitations created in the last 24 hours, and the time until the oldest of these is a day old. */
export async function countSentToday(tx: Tx, tenantId: string): Promise<SentToday> {
  const [sent] = await rows<SentToday>(
    tx,
    sql`
    select coalesce(sum(sent_count), 0)::int as count,
           coalesce(ceil(extract(epoch from min(created_at) + interval '24 hours' - clock_timestamp())), 0)::int
             as "retryAfterSeconds",
           min(created_at) + interval '24 hours' as "resetsAt"
      from invitations
     where tenant_id = ${tenantId} and created_at > clock_timestamp() - interval '24 hours'`,
  );
  return sent ?? { count: 0, retryAfterSeconds: 0, resetsAt: null };
}

/** Revokes the invitation that is being replaced, or an expired one that still occupies the address. */
export async function revokeOpenInvitation(tx: Tx, tenantId: string, email: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    update invitations set revoked_at = clock_timestamp()
     where tenant_id = ${tenantId} and email = ${email} and accepted_at is null and revoked_at is null
    returning id`,
  );
  return found.map(({ id }) => id);
}

/** A member's open invitations, shown before the member is removed. */
export function listInvitationsBy(
  tx: Tx,
  tenantId: string,
  invitedBy: string,
): Promise<{ invitationId: string; email: string }[]> {
  return rows(
    tx,
    sql`
    select id as "invitationId", email from invitations
     where tenant_id = ${tenantId} and invited_by = ${invitedBy} and accepted_at is null and revoked_at is null
       and expires_at > clock_timestamp()
     order by id`,
  );
}

/** Revokes the open invitations of a member who could no longer send them. */
export async function revokeInvitationsBy(
  tx: Tx,
  tenantId: string,
  invitedBy: string,
  stillGrants: readonly Role[],
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    update invitations set revoked_at = clock_timestamp()
     where tenant_id = ${tenantId} and invited_by = ${invitedBy} and accepted_at is null and revoked_at is null
       and not role = any (${stillGrants}::text[])
    returning id`,
  );
  return found.map(({ id }) => id);
}

export async function updateInvitationRevoked(tx: Tx, tenantId: string, id: string): Promise<void> {
  await execute(
    tx,
    sql`update invitations set revoked_at = clock_timestamp() where tenant_id = ${tenantId} and id = ${id}`,
  );
}

export async function updateInvitationAccepted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await execute(
    tx,
    sql`update invitations set accepted_at = clock_timestamp() where tenant_id = ${tenantId} and id = ${id}`,
  );
}

export async function updateInvitationResent(
  tx: Tx,
  tenantId: string,
  id: string,
  lifetimeDays: number,
): Promise<void> {
  await execute(
    tx,
    sql`
    update invitations
       set sent_count = sent_count + 1, sent_at = clock_timestamp(),
           expires_at = clock_timestamp() + make_interval(days => ${lifetimeDays})
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

/**
 * As the system role, thirty days after an invitation is over: until then a tenant can see whom it invited and the
 * outcome. The row stays because the audit log refers to it; its address becomes empty. An expired invitation then
 * counts as revoked, since an address may have only one open invitation.
 */
export const INVITATIONS = retain('invitations', {
  list: (tx, from, limit) =>
    rows<DueRow>(
      tx,
      sql`
      select id as place, coalesce(accepted_at, revoked_at, expires_at)::text as position,
             extract(epoch from statement_timestamp() - interval '30 days'
                                - coalesce(accepted_at, revoked_at, expires_at))::float8 as "overdueSeconds"
        from invitations
       where email <> '' and coalesce(accepted_at, revoked_at, expires_at) >= ${from}::timestamptz
         and coalesce(accepted_at, revoked_at, expires_at) < statement_timestamp() - interval '30 days'
       order by coalesce(accepted_at, revoked_at, expires_at) limit ${limit}`,
    ),
  forget: (tx, ids) =>
    execute(
      tx,
      sql`
      update invitations
         set email = '', revoked_at = case when accepted_at is null then coalesce(revoked_at, expires_at) end
       where id = any (${ids}::uuid[]) and email <> ''
         and coalesce(accepted_at, revoked_at, expires_at) < statement_timestamp() - interval '30 days'`,
    ),
});
