// The members of a tenant: invite, show, change, remove. Everything here is bound by the rule of the last owner and
// stands in the tenant's audit log as the operator's.
import type { Member, Role } from '@trefoil/contract';
import type { Config } from '../config.ts';
import type { Database } from '../lib/database.ts';
import { ServiceError } from '../lib/errors.ts';
import { createLinkTokens } from '../mail/link-tokens.ts';
import { changeMember } from '../tenants/change-member.ts';
import { inviteMember } from '../tenants/invite-member.ts';
import { listMembers } from '../tenants/list-members.ts';
import { removeMember } from '../tenants/remove-member.ts';
import { type Answer, defineCommand, defineConfiguredCommand, Refusal } from './command.ts';
import { email, id, required, role } from './options.ts';
import { day, inWords, minute, state, table } from './print.ts';
import { requireTenant } from './require-found.ts';
import { withDatabase } from './with-database.ts';

const tenant = required(id, 'The tenant.');
const user = required(id, 'The person.');
const PAGE = 200;

/** In a tenant that exists; what the API would answer with an error is a sentence here. */
async function inTenant<T>(database: Database, tenantId: string, work: () => Promise<T>): Promise<T> {
  await database.asSystem((tx) => requireTenant(tx, tenantId));
  return work().catch((error: unknown) => {
    throw error instanceof ServiceError ? new Refusal(error.message) : error;
  });
}

async function listAll(database: Database, tenantId: string): Promise<Member[]> {
  const members: Member[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await listMembers(database, tenantId, { limit: PAGE, ...(cursor && { cursor }) });
    members.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return members;
}

type Order = { readonly tenantId: string; readonly address: string; readonly newRole: Role };

async function invite(config: Config, { tenantId, address, newRole }: Order): Promise<Answer> {
  const { invitationId, expiresAt } = await withDatabase(config, (database) =>
    inTenant(database, tenantId, () => inviteMember(database, 'operator', tenantId, { email: address, role: newRole })),
  );
  const until = minute(new Date(expiresAt));
  const data = { tenantId, invitationId, email: address, role: newRole, expiresAt };
  if (config.mail) {
    return { text: `Invited ${address} as ${newRole}, until ${until}; the mail is on its way.`, data };
  }
  const token = createLinkTokens(config.hashKey).make('invitation', invitationId);
  const link = `${config.baseUrl}/v1/auth/invitations/${token}`;
  const text =
    `Invited ${address} as ${newRole}. No mail server is configured: hand them this link yourself. It is shown\n` +
    `only now and makes whoever opens it first a member, until ${until}.\n\n  ${link}`;
  return { text, data: { ...data, link } };
}

export const MEMBER_COMMANDS = [
  defineConfiguredCommand({
    noun: 'user',
    verb: 'invite',
    summary: 'Invite somebody to a tenant by mail, whether they have an account or not.',
    notes:
      'The link in the mail works once, for seven days. A second invitation to the same address replaces the first.\n' +
      'Where no mail server is configured, the link is printed instead, once.',
    options: {
      tenant,
      email: required(email, 'Where the invitation goes.'),
      role: required(role, `What they may do there: ${role.expected}.`),
    },
    example: 'user invite --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --email ada@example.com --role owner',
    runConfigured: (config, values) =>
      invite(config, { tenantId: values.tenant, address: values.email, newRole: values.role }),
  }),
  defineCommand({
    noun: 'member',
    verb: 'list',
    summary: 'Show the members of a tenant: role, second factor, since when.',
    options: { tenant },
    example: 'member list --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
    async run(database, { tenant: tenantId }) {
      const members = await inTenant(database, tenantId, () => listAll(database, tenantId));
      const lines = members.map((each) => [
        each.userId,
        each.email,
        each.role,
        each.hasSecondFactor ? 'yes' : 'no',
        state(each.isEnabled),
        day(new Date(each.joinedAt)),
      ]);
      const headings = ['USER', 'E-MAIL', 'ROLE', '2ND FACTOR', 'STATE', 'SINCE'];
      const none = "The tenant has no members yet; 'user invite' invites one.";
      return { text: lines.length > 0 ? table(headings, lines) : none, data: { members } };
    },
  }),
  defineCommand({
    noun: 'member',
    verb: 'role',
    summary: 'Give a member another role.',
    notes:
      'Works within seconds on all nodes, also on the credentials they answer for: those do no more than the new role.\n' +
      'The last owner stays one.',
    options: { tenant, user, role: required(role, `The new role: ${role.expected}.`) },
    example:
      'member role --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 ' +
      '--user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718 --role analyst',
    async run(database, { tenant: tenantId, user: userId, role: newRole }) {
      const change = { tenantId, userId, role: newRole };
      await inTenant(database, tenantId, () => changeMember(database, 'operator', change));
      return { text: `User ${userId} is ${newRole} of tenant ${tenantId}.`, data: change };
    },
  }),
  defineCommand({
    noun: 'member',
    verb: 'remove',
    summary: 'End a membership, and the API credentials that this person answers for.',
    notes:
      'Works within seconds on all nodes. The person stays, and so do their memberships elsewhere; user disable stops\n' +
      'them everywhere. The last owner cannot be removed.',
    options: { tenant, user },
    example: 'member remove --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    async run(database, { tenant: tenantId, user: userId }) {
      const { stoppedCredentials } = await inTenant(database, tenantId, () =>
        removeMember(database, 'operator', tenantId, userId),
      );
      const ids = stoppedCredentials.map(({ credentialId }) => credentialId);
      const stopped = ids.length > 0 ? ` These credentials stopped with them: ${inWords(ids)}.` : '';
      return {
        text: `User ${userId} is no longer a member of tenant ${tenantId}.${stopped}`,
        data: { tenantId, userId, stoppedCredentials },
      };
    },
  }),
];
