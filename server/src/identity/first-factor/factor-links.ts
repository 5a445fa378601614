// The first factor of a person needs a link that was sent to their address: who has stolen a password has no mailbox with it
// (docs/decisions/0275-a-password-alone.md). The sign-in that follows the link may add the factor, and no other one: a person who
// follows a link that a thief asked for gives the thief nothing.
import { newId } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { LinkTokens } from '../../mail/link-tokens.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { findTenant } from '../../tenants/change-tenant.ts';
import { listOwners } from '../../tenants/list-members.ts';
import { listTenantIdsOf } from '../../tenants/list-tenants.ts';
import { auditPerson } from '../people/audit-person.ts';
import { findUser } from '../people/people-store.ts';
import type { PersonSession } from '../sessions/person-session.ts';
import { hasFactor, insertFactorLink, isLinkOpen, lockPerson, updateLinkFollowed } from './factor-link-store.ts';

export type LinkDependencies = { readonly database: Database; readonly linkTokens: LinkTokens };

const PER_HOUR = 3;
const NO_LIMIT = 1_000_000;

/** A person who has a factor needs no link: the next factor needs the first one. */
export type AskedForLink = 'sent' | 'too-often' | 'has-factor';

export async function askForLink(database: Database, { userId }: Pick<PersonSession, 'userId'>): Promise<AskedForLink> {
  const outcome = await database.asSystem(async (tx): Promise<AskedForLink> => {
    await lockPerson(tx, userId);
    if (await hasFactor(tx, userId)) return 'has-factor';
    const user = await findUser(tx, userId);
    if (!user) throw new Error('the person of a sign-in does not exist');
    const id = newId();
    if (!(await insertFactorLink(tx, { id, userId, max: PER_HOUR }))) return 'too-often';
    await queueMail(tx, { kind: 'factor-link', subjectId: id, recipient: user.email });
    return 'sent';
  });
  if (outcome === 'sent') await auditPerson(database, userId, 'factor.link-asked-for');
  return outcome;
}

const pathOf = (linkTokens: LinkTokens, id: string) => `/v1/auth/first-factor/${linkTokens.make('first-factor', id)}`;

/**
 * The operator's link, for a person whom mail does not reach: not limited, since the operator has full access anyway. Undefined for a
 * person who has a factor.
 */
export async function makeLinkPath(
  { database, linkTokens }: LinkDependencies,
  userId: string,
): Promise<string | undefined> {
  const id = newId();
  const isMade = await database.asSystem(async (tx) => {
    await lockPerson(tx, userId);
    return !(await hasFactor(tx, userId)) && insertFactorLink(tx, { id, userId, max: NO_LIMIT });
  });
  return isMade ? pathOf(linkTokens, id) : undefined;
}

/** Whether this person may follow the link. The same answer for another person's link, an old one and an unknown one. */
export async function mayFollow(
  { database, linkTokens }: LinkDependencies,
  { userId }: PersonSession,
  token: string,
): Promise<boolean> {
  const id = linkTokens.read('first-factor', token);
  return id !== undefined && database.asSystem((tx) => isLinkOpen(tx, { id, userId }));
}

/** From now on this sign-in may add a first factor. */
export async function followLink(
  { database, linkTokens }: LinkDependencies,
  { userId, signInId }: PersonSession,
  token: string,
): Promise<boolean> {
  const id = linkTokens.read('first-factor', token);
  return id !== undefined && database.asSystem((tx) => updateLinkFollowed(tx, { id, userId, signInId }));
}

/**
 * In the transaction that adds the factor. The person gets a mail of their own. No notices: the day's budget of a company must not keep
 * back the one that tells of a thief.
 */
export async function tellOwners(tx: Tx, userId: string): Promise<void> {
  const user = await findUser(tx, userId);
  for (const tenantId of await listTenantIdsOf(tx, userId)) {
    const owners = (await listOwners(tx, tenantId)).filter((email) => email !== user?.email);
    for (const recipient of owners)
      await queueMail(tx, { kind: 'first-factor', subjectId: userId, recipient, tenantId });
  }
}

/** The facts for a mail about a member of a company. */
export async function describeMember(database: Database, tenantId: string, userId: string) {
  return database.asSystem(async (tx) => {
    const [tenant, user] = [await findTenant(tx, tenantId), await findUser(tx, userId)];
    return tenant && user && { tenantName: tenant.name, email: user.email };
  });
}
