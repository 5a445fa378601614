// Invitations: create, mail again, list, revoke. The link is derived from the invitation's id when the mail is written
// (mail/link-tokens.ts); nothing that could replace it is stored.
import type { Invitation, InvitationPage, InviteMemberRequest, MembersQuery, Role } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import { ServiceError } from '../lib/errors.ts';
import { isUuid, newId } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { accountEmail } from '../lib/values/email.ts';
import { queueMail } from '../mail/queue-mail.ts';
import {
  countSentToday,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listOpenInvitations,
  lockInvitation,
  revokeOpenInvitation,
  updateInvitationResent,
  updateInvitationRevoked,
} from './invitation-store.ts';
import { cutPage, pageOf } from './list-members.ts';
import { actorOf, enforce, enforceGrant, type Manager, manageMembers, noInvitation } from './manage-members.ts';
import { findMemberByEmail } from './member-store.ts';
import { DAILY_MAX, isOpen, judgeResend, LIFETIME_DAYS, SENDS_MAX } from './rules/invitation.ts';
import { judgeGrant } from './rules/membership.ts';

function describe(row: InvitationRow): Invitation {
  return {
    invitationId: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.invitedBy,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    sentCount: row.sentCount,
  };
}

async function getInvitation(tx: Tx, tenantId: string, id: string): Promise<InvitationRow> {
  const row = await findInvitation(tx, tenantId, id);
  if (!row) throw noInvitation();
  return row;
}

/** How many invitation mails a tenant may send in 24 hours, and how many it has sent. */
export async function readMailLimit(tx: Tx, tenantId: string) {
  const { count, resetsAt } = await countSentToday(tx, tenantId);
  return { max: DAILY_MAX, used: count, resetsAt };
}

/** Counted under the lock on the owners, so that concurrent requests cannot all pass the limit. */
async function limitMails(tx: Tx, tenantId: string): Promise<void> {
  const { count, retryAfterSeconds } = await countSentToday(tx, tenantId);
  if (count < DAILY_MAX) return;
  throw new ServiceError('rate-limited', `A tenant sends at most ${DAILY_MAX} invitations in 24 hours.`, {
    retryAfterSeconds,
  });
}

export async function inviteMember(
  database: Database,
  manager: Manager,
  tenantId: string,
  request: InviteMemberRequest,
): Promise<Invitation> {
  const email = accountEmail(request.email);
  const { role } = request;
  return database.forTenants([tenantId], async (tx) => {
    const { authority } = await manageMembers(tx, tenantId, manager, []);
    enforceGrant(manager, authority, role);
    if (await findMemberByEmail(tx, tenantId, email)) {
      throw new ServiceError('conflict', 'A member already has this address: change their role instead.');
    }
    if (manager !== 'operator') await limitMails(tx, tenantId);
    const replaced = await revokeOpenInvitation(tx, tenantId, email);
    const id = newId();
    const actor = actorOf(manager);
    const invitedBy = manager === 'operator' ? null : manager.userId;
    await insertInvitation(tx, { tenantId, id, email, role, invitedBy, lifetimeDays: LIFETIME_DAYS });
    await queueMail(tx, { kind: 'invitation', subjectId: id, recipient: email, tenantId });
    await appendAudit(tx, [
      ...replaced.map((old) => ({
        tenantId,
        actor,
        action: 'invitation.revoked' as const,
        subjectId: old,
        details: { replacedBy: id },
      })),
      { tenantId, actor, action: 'member.invited', subjectId: id, details: { role } },
    ]);
    return describe(await getInvitation(tx, tenantId, id));
  });
}

type Chosen = { readonly tenantId: string; readonly invitationId: string };

/** Locks the open invitation and returns it with the manager's authority, which the caller must check against its role. */
async function holdInvitation(tx: Tx, manager: Manager, { tenantId, invitationId }: Chosen) {
  const { authority } = await manageMembers(tx, tenantId, manager, []);
  const row = await lockInvitation(tx, tenantId, invitationId);
  if (!row || !isOpen(row, row.now)) throw noInvitation();
  return { row, authority };
}

export async function revokeInvitation(database: Database, manager: Manager, chosen: Chosen): Promise<Invitation> {
  const { tenantId, invitationId } = chosen;
  if (!isUuid(invitationId)) throw noInvitation();
  return database.forTenants([tenantId], async (tx) => {
    const { row, authority } = await holdInvitation(tx, manager, chosen);
    enforce(judgeGrant(authority, revocableAs(row.role)));
    await updateInvitationRevoked(tx, tenantId, row.id);
    const audit = { tenantId, actor: actorOf(manager), subjectId: row.id, details: {} };
    await appendAudit(tx, [{ ...audit, action: 'invitation.revoked' }]);
    return describe(row);
  });
}

/** Revoking follows the rule for members: only an owner may revoke an owner's invitation, any manager the others. */
const revocableAs = (role: Role): Role => (role === 'owner' ? 'owner' : 'analyst');

export async function resendInvitation(database: Database, manager: Manager, chosen: Chosen): Promise<Invitation> {
  const { tenantId, invitationId } = chosen;
  if (!isUuid(invitationId)) throw noInvitation();
  return database.forTenants([tenantId], async (tx) => {
    const { row, authority } = await holdInvitation(tx, manager, chosen);
    enforceGrant(manager, authority, row.role);
    const verdict = judgeResend(row, row.now);
    if (verdict.kind === 'too-often') {
      const sentence = `The invitation was sent ${SENDS_MAX} times: revoke it and invite again.`;
      throw new ServiceError('conflict', sentence);
    }
    if (verdict.kind === 'too-soon') {
      const { retryAfterSeconds } = verdict;
      throw new ServiceError('rate-limited', 'The invitation was sent less than a minute ago.', { retryAfterSeconds });
    }
    await limitMails(tx, tenantId);
    await updateInvitationResent(tx, tenantId, row.id, LIFETIME_DAYS);
    await queueMail(tx, { kind: 'invitation', subjectId: row.id, recipient: row.email, tenantId });
    const audit = { tenantId, actor: actorOf(manager), subjectId: row.id, details: { sentCount: row.sentCount + 1 } };
    await appendAudit(tx, [{ ...audit, action: 'member.invited' }]);
    return describe(await getInvitation(tx, tenantId, row.id));
  });
}

export async function listInvitations(
  database: Database,
  tenantId: string,
  query: MembersQuery,
): Promise<InvitationPage> {
  const page = pageOf(query);
  const found = await database.forTenants([tenantId], (tx) => listOpenInvitations(tx, tenantId, page));
  const { shown, nextCursor } = cutPage(found, page.limit, ({ id }) => id);
  return { items: shown.map(describe), nextCursor };
}
