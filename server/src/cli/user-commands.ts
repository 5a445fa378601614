// People, and which tenants they belong to.
import { auditAs } from '../identity/people/audit-person.ts';
import { createUser, enableUser, findUserByEmail, listUsers } from '../identity/people/change-user.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { findRole } from '../tenants/change-tenant.ts';
import { joinTenant } from '../tenants/join-tenant.ts';
import { type Answer, defineCommand, Refusal } from './command.ts';
import { email, id, required, role, tenantRef, text } from './options.ts';
import { day, state, table } from './print.ts';
import { missing, requireTenant, requireUser } from './require-found.ts';

const user = required(id, 'The person.');

async function setEnabled(database: Database, userId: string, isEnabled: boolean): Promise<Answer> {
  if (!(await database.asSystem((tx) => enableUser(tx, userId, isEnabled)))) throw missing('user', userId);
  const action = isEnabled ? 'person.enabled' : 'person.disabled';
  await auditAs(database, 'operator', { userId, action, details: {} });
  const effect = isEnabled
    ? 'The enabled credentials they own, and the secrets and keys they made, work again within seconds. They must sign in again: no earlier sign-in works.'
    : 'Every credential they own stops working within seconds, in all tenants, and so do the secrets and keys they made and their sign-ins.';
  return { text: `User ${userId} is ${state(isEnabled)}. ${effect}`, data: { userId, isEnabled } };
}

export const USER_COMMANDS = [
  defineCommand({
    noun: 'user',
    verb: 'create',
    summary: 'Add a person, who can then join tenants and own credentials.',
    options: {
      email: required(email, 'Their e-mail address, kept in lower case.'),
      'first-name': required(text, 'Their first name.'),
      'last-name': required(text, 'Their last name.'),
    },
    example: 'user create --email ada@example.com --first-name Ada --last-name Example',
    async run(database, { email: address, 'first-name': firstName, 'last-name': lastName }) {
      const userId = await database.asSystem(async (tx) => {
        const existing = await findUserByEmail(tx, address);
        if (existing) throw new Refusal(`There is already a user with the address ${address}: ${existing.id}.`);
        return createUser(tx, { email: address, firstName, lastName });
      });
      return { text: `Created user ${userId} (${address}).`, data: { userId, email: address, firstName, lastName } };
    },
  }),
  defineCommand({
    noun: 'user',
    verb: 'list',
    summary: 'Show all people.',
    options: {},
    example: 'user list',
    async run(database) {
      const users = await database.asSystem(listUsers);
      const lines = users.map((each) => [
        each.id,
        each.email,
        `${each.firstName} ${each.lastName}`,
        state(each.isEnabled),
        day(each.createdAt),
      ]);
      const none = "There are no users yet; 'user create' adds one.";
      const headings = ['USER', 'E-MAIL', 'NAME', 'STATE', 'CREATED'];
      return { text: lines.length > 0 ? table(headings, lines) : none, data: { users } };
    },
  }),
  defineCommand({
    noun: 'user',
    verb: 'disable',
    summary: 'Stop a person, every credential they own, and the secrets and keys they made.',
    notes:
      'When a person leaves, first create new credentials with another owner and move the clients over:\n' +
      'the credentials they own stop with them, and so do the secrets and keys they made for others.',
    options: { user },
    example: 'user disable --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    run: (database, values) => setEnabled(database, values.user, false),
  }),
  defineCommand({
    noun: 'user',
    verb: 'enable',
    summary: 'Let a disabled person and their credentials work again.',
    options: { user },
    example: 'user enable --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    run: (database, values) => setEnabled(database, values.user, true),
  }),
];

export const MEMBERSHIP_COMMANDS = [
  defineCommand({
    noun: 'membership',
    verb: 'create',
    summary: 'Make a person a member of a tenant, or change their role there.',
    notes:
      'The role decides what a credential of this person may do. When a role is lowered, existing credentials can do no more\n' +
      'than the new role: check them with credential list.',
    options: {
      tenant: required(tenantRef, 'The tenant, by its id or its name.'),
      user,
      role: required(role, `What they may do there: ${role.expected}.`),
    },
    example:
      'membership create --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 ' +
      '--user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718 --role owner',
    async run(database, { tenant: tenantId, user: userId, role: newRole }) {
      const previousRole = await database.asSystem(async (tx) => {
        await requireTenant(tx, tenantId);
        await requireUser(tx, userId);
        return (await findRole(tx, tenantId, userId)) ?? null;
      });
      await joinTenant(database, { tenantId, userId, role: newRole }).catch((error: unknown) => {
        throw error instanceof ServiceError ? new Refusal(error.message) : error;
      });
      const change =
        previousRole && previousRole !== newRole
          ? ` (before: ${previousRole}). Credentials they own here can do no more than this role from now on.`
          : '.';
      return {
        text: `User ${userId} is ${newRole} of tenant ${tenantId}${change}`,
        data: { tenantId, userId, role: newRole, previousRole },
      };
    },
  }),
];
