// The members of a tenant: invite, show, change, remove. Every change obeys the rule of the last owner and goes to the
// tenant's audit log as the operator's.
import type { Member, MemberEndings, Role } from '@trefoil/contract';
import type { Config } from '../config.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { createLinkTokens } from '../mail/link-tokens.ts';
import { changeMember } from '../tenants/change-member.ts';
import { inviteMember } from '../tenants/invite-member.ts';
import { listMembers } from '../tenants/list-members.ts';
import { findRemovalEndings, removeMember } from '../tenants/remove-member.ts';
import { type Answer, defineCommand, Refusal } from './command.ts';
import { email, id, required, role, tenantRef } from './options.ts';
import { day, inWords, minute, state, table } from './print.ts';
import { requireTenant } from './require-found.ts';

const tenant = required(tenantRef, 'The tenant, by its id or its name.');
const user = required(id, 'The person.');
const PAGE = 200;

/** In a tenant that exists. An error of the API becomes a sentence here. */
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

const idsOf = (list: readonly { credentialId: string }[]) => [...new Set(list.map((each) => each.credentialId))];

function describeEndings({ credentials, secrets, keys, invitations, webhookEndpoints }: MemberEndings): string {
  const [owned, others] = [idsOf(credentials), idsOf([...secrets, ...keys])];
  const endpoints = webhookEndpoints.map(({ endpointId }) => endpointId);
  return [
    ...(owned.length > 0 ? [`the credentials ${inWords(owned)}`] : []),
    ...(others.length > 0 ? [`secrets or keys of ${inWords(others)}`] : []),
    ...(endpoints.length > 0 ? [`the webhook endpoints ${inWords(endpoints)}`] : []),
    ...(invitations.length > 0
      ? [`${invitations.length} open ${invitations.length === 1 ? 'invitation' : 'invitations'}`]
      : []),
  ].join('; ');
}

type Order = { readonly tenantId: string; readonly address: string; readonly newRole: Role };

async function invite(database: Database, config: Config, { tenantId, address, newRole }: Order): Promise<Answer> {
  const { invitationId, expiresAt } = await inTenant(database, tenantId, () =>
    inviteMember(database, 'operator', tenantId, { email: address, role: newRole }),
  );
  const until = minute(new Date(expiresAt));
  const data = { tenantId, invitationId, email: address, role: newRole, expiresAt };
  if (config.mail) {
    return { text: `Invited ${address} as ${newRole}, until ${until}; the mail is on its way.`, data };
  }
  const token = createLinkTokens(config.hashKeys).make('invitation', invitationId);
  const link = `${config.baseUrl}/v1/auth/invitations/${token}`;
  const text =
    `Invited ${address} as ${newRole}. No mail server is configured: give them this link yourself. It is shown\n` +
    `only once. The first person who uses it becomes a member, until ${until}.\n\n  ${link}`;
  return { text, data: { ...data, link } };
}

export const MEMBER_COMMANDS = [
  defineCommand({
    noun: 'user',
    verb: 'invite',
    summary: 'Invite a person to a tenant by mail, whether or not they have an account.',
    notes:
      'The link in the mail works once, for seven days. A second invitation to the same address replaces the first.\n' +
      'Where no mail server is configured, the link is printed instead, once.',
    options: {
      tenant,
      email: required(email, 'Where the invitation goes.'),
      role: required(role, `What they may do there: ${role.expected}.`),
    },
    example: 'user invite --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --email ada@example.com --role owner',
    run: (database, values, { config }) =>
      invite(database, config, { tenantId: values.tenant, address: values.email, newRole: values.role }),
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
      'It takes effect within seconds on all nodes. The credentials they are responsible for can then do no more than\n' +
      'the new role. The last owner keeps that role.',
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
    summary:
      'End a membership, the credentials this person is responsible for, the secrets and keys they made, and webhook endpoints they made or changed.',
    notes:
      'It takes effect within seconds on all nodes. The person keeps their account and their other memberships; user\n' +
      'disable stops them everywhere. The last owner cannot be removed.',
    options: { tenant, user },
    example: 'member remove --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    async preview(database, { tenant: tenantId, user: userId }) {
      const endings = await inTenant(database, tenantId, () => findRemovalEndings(database, tenantId, userId));
      const ends = describeEndings(endings);
      return ends === '' ? undefined : `Removing user ${userId} from tenant ${tenantId} would also end: ${ends}.`;
    },
    async run(database, { tenant: tenantId, user: userId }) {
      const { stoppedCredentials, endedSecrets, endedKeys, disabledWebhookEndpoints } = await inTenant(
        database,
        tenantId,
        () => removeMember(database, 'operator', { tenantId, userId, isConfirmed: true }),
      );
      const [ids, others] = [idsOf(stoppedCredentials), idsOf([...endedSecrets, ...endedKeys])];
      const endpoints = disabledWebhookEndpoints.map(({ endpointId }) => endpointId);
      const stopped =
        (ids.length > 0 ? ` These credentials stopped with them: ${inWords(ids)}.` : '') +
        (others.length > 0 ? ` Secrets or keys they made ended for: ${inWords(others)}.` : '') +
        (endpoints.length > 0 ? ` Webhook endpoints they made are disabled: ${inWords(endpoints)}.` : '');
      return {
        text: `User ${userId} is no longer a member of tenant ${tenantId}.${stopped}`,
        data: { tenantId, userId, stoppedCredentials, endedSecrets, endedKeys, disabledWebhookEndpoints },
      };
    },
  }),
];
