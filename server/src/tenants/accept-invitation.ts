// Joining a tenant by an invitation's link: once, and only with an account of the invited address. The app role can
// create neither people nor memberships. So the system role first creates what is missing: a person, and a membership
// that has already ended and gives no access. Then the app role, in one transaction under the tenant's row-level
// security, accepts the invitation, starts the membership and writes the audit row. If a crash comes in between, there
// is an account without access and an open invitation; its link then asks the person to sign in and continues.
import type { Role } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import type { LinkTokens } from '../mail/link-tokens.ts';
import {
  findInvitationAnywhere,
  type InvitationOfTenant,
  lockInvitation,
  updateInvitationAccepted,
} from './invitation-store.ts';
import { findAccount, insertDormantMembership, lockMembers, updateMemberJoined } from './member-store.ts';
import { isOpen } from './rules/invitation.ts';

export type NewPerson = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly passwordHash: string;
};

export type AcceptDependencies = {
  readonly database: Database;
  readonly linkTokens: LinkTokens;
  /** Creates the person with their password, in a transaction of the system role, and returns their id. */
  readonly createPerson: (tx: Tx, person: NewPerson) => Promise<string>;
};

/** What the page behind a link shows; undefined for every link that cannot be used, whatever the reason. */
export type OpenInvitation = {
  readonly invitationId: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly role: Role;
  readonly email: string;
  readonly expiresAt: Date;
  /** Whether this address has an account, so that its owner signs in instead of creating one. */
  readonly hasAccount: boolean;
};

export type Acceptance =
  | { readonly kind: 'joined'; readonly tenantId: string; readonly tenantName: string; readonly userId: string }
  /** The link is unknown, used, revoked or expired. */
  | { readonly kind: 'closed' }
  /** The signed-in person is not the invited one. */
  | { readonly kind: 'other-person' }
  /** The invited address has an account: sign in with it first. */
  | { readonly kind: 'has-account' };

export type Joining =
  | { readonly kind: 'new'; readonly firstName: string; readonly lastName: string; readonly passwordHash: string }
  | { readonly kind: 'known'; readonly userId: string };

async function findOpen(tx: Tx, linkTokens: LinkTokens, token: string): Promise<InvitationOfTenant | undefined> {
  const id = linkTokens.read('invitation', token);
  const invitation = id === undefined ? undefined : await findInvitationAnywhere(tx, id);
  return invitation?.isTenantEnabled && isOpen(invitation, invitation.now) ? invitation : undefined;
}

export async function findInvitation(
  { database, linkTokens }: Pick<AcceptDependencies, 'database' | 'linkTokens'>,
  token: string,
): Promise<OpenInvitation | undefined> {
  return database.asSystem(async (tx) => {
    const invitation = await findOpen(tx, linkTokens, token);
    if (!invitation) return undefined;
    const { id, tenantId, tenantName, role, email, expiresAt } = invitation;
    const hasAccount = (await findAccount(tx, { email })) !== undefined;
    return { invitationId: id, tenantId, tenantName, role, email, expiresAt, hasAccount };
  });
}

type Prepared =
  | Exclude<Acceptance, { kind: 'joined' }>
  | { kind: 'prepared'; invitation: InvitationOfTenant; userId: string };

/** As the system role. Nothing created here gives any access. */
async function prepare(tx: Tx, dependencies: AcceptDependencies, token: string, joining: Joining): Promise<Prepared> {
  const invitation = await findOpen(tx, dependencies.linkTokens, token);
  if (!invitation) return { kind: 'closed' };
  const { email, tenantId, role } = invitation;
  const account = await findAccount(tx, joining.kind === 'known' ? { userId: joining.userId } : { email });
  if (joining.kind === 'new' && account) return { kind: 'has-account' };
  if (joining.kind === 'known' && (account?.email !== email || !account.isEnabled)) return { kind: 'other-person' };
  const userId =
    joining.kind === 'known'
      ? joining.userId
      : await dependencies.createPerson(tx, {
          email,
          firstName: joining.firstName,
          lastName: joining.lastName,
          passwordHash: joining.passwordHash,
        });
  await insertDormantMembership(tx, tenantId, userId, role);
  return { kind: 'prepared', invitation, userId };
}

const isDuplicate = (error: unknown) => (error as { code?: string }).code === '23505';

export async function acceptInvitation(
  dependencies: AcceptDependencies,
  token: string,
  joining: Joining,
): Promise<Acceptance> {
  const { database } = dependencies;
  const prepared = await database
    .asSystem((tx) => prepare(tx, dependencies, token, joining))
    .catch((error: unknown): Prepared => {
      // Another request created the account at the same time, through the same link or by adding the person.
      if (joining.kind === 'new' && isDuplicate(error)) return { kind: 'has-account' };
      throw error;
    });
  if (prepared.kind !== 'prepared') return prepared;
  const { invitation, userId } = prepared;
  const { id, tenantId, tenantName } = invitation;
  return database.forTenants([tenantId], async (tx): Promise<Acceptance> => {
    // Locks members before invitations, as every other change to them does.
    await lockMembers(tx, tenantId, [userId]);
    const current = await lockInvitation(tx, tenantId, id);
    if (!current || !isOpen(current, current.now)) return { kind: 'closed' };
    await updateInvitationAccepted(tx, tenantId, id);
    // A person who has become a member in another way meanwhile keeps their role.
    if (await updateMemberJoined(tx, tenantId, userId, current.role)) {
      const details = { invitationId: id, role: current.role };
      await appendAudit(tx, [{ tenantId, actor: userId, action: 'member.joined', subjectId: userId, details }]);
    }
    return { kind: 'joined', tenantId, tenantName, userId };
  });
}

/** The contents of an invitation's mail; undefined when the invitation is no longer open. */
export async function describeInvitation(
  database: Database,
  invitationId: string,
): Promise<{ tenantName: string; role: Role; expiresAt: Date } | undefined> {
  return database.asSystem(async (tx) => {
    const invitation = await findInvitationAnywhere(tx, invitationId);
    return invitation?.isTenantEnabled && isOpen(invitation, invitation.now) ? invitation : undefined;
  });
}
