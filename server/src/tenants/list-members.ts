// The members of a tenant, for the people who manage them.
import {
  type Member,
  type MemberPage,
  type MembersQuery,
  PAGE_DEFAULT,
  ROLE_SCOPES,
  ROLES,
  type Role,
  type Scope,
} from '@trefoil/contract';
import { isUuid } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../lib/values/cursor.ts';
import { listAddresses, listMemberPage, listWithSecondFactor, type MemberRow, type Page } from './member-store.ts';

/** Where a page begins, from the query. */
export function pageOf({ limit = PAGE_DEFAULT, cursor }: MembersQuery): Page {
  return { limit, before: cursor === undefined ? undefined : readCursor(cursor, isUuid) };
}

/** The rows of the page, from one row more than that, and where the next page begins. */
export function cutPage<Row>(found: readonly Row[], limit: number, idOf: (row: Row) => string) {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, nextCursor: found.length > limit && last !== undefined ? writeCursor(idOf(last)) : null };
}

/** Factors belong to people, not to tenants: a separate query, as the system role, finds who has a second factor. */
export async function describeMembers(database: Database, members: readonly MemberRow[]): Promise<Member[]> {
  const ids = members.map(({ userId }) => userId);
  const proved = ids.length > 0 ? await database.asSystem((tx) => listWithSecondFactor(tx, ids)) : new Set();
  return members.map(({ userId, email, firstName, lastName, role, isEnabled, joinedAt }) => ({
    userId,
    email,
    firstName,
    lastName,
    role,
    hasSecondFactor: proved.has(userId),
    isEnabled,
    joinedAt: joinedAt.toISOString(),
  }));
}

export async function listMembers(database: Database, tenantId: string, query: MembersQuery): Promise<MemberPage> {
  const page = pageOf(query);
  const found = await database.forTenants([tenantId], (tx) => listMemberPage(tx, tenantId, page));
  const { shown, nextCursor } = cutPage(found, page.limit, ({ userId }) => userId);
  return { items: await describeMembers(database, shown), nextCursor };
}

const WEBHOOK_ROLES = ROLES.filter((role) => (ROLE_SCOPES[role] as readonly Scope[]).includes('webhooks:write'));

/** The addresses of the members who look after webhooks, for mails about them. */
export function listWebhookPeople(tx: Tx, tenantId: string): Promise<string[]> {
  return listAddresses(tx, tenantId, WEBHOOK_ROLES);
}

/** The addresses of the owners, for mails about their people. */
export function listOwners(tx: Tx, tenantId: string): Promise<string[]> {
  return listAddresses(tx, tenantId, ['owner']);
}

const MONEY_ROLES: readonly Role[] = ['owner', 'finance'];

/** The addresses of the members who look after the wallet, for mails about it. */
export function listMoneyPeople(tx: Tx, tenantId: string): Promise<string[]> {
  return listAddresses(tx, tenantId, MONEY_ROLES);
}
