// The members of a tenant and its invitations: their shape on the wire, and the operations on them.
import { type Static, Type } from 'typebox';
import { pageOf, unmetered } from './envelope.ts';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { cursor, limit } from './queries.ts';
import { Instant, oneOf, orNull, Uuid } from './schema.ts';
import { ROLES } from './scopes.ts';

const role = oneOf(ROLES, { description: 'What they may do in this tenant.' });

export const Member = Type.Object({
  userId: Uuid('The person.'),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  role,
  hasSecondFactor: Type.Boolean({
    description: 'Whether they have a second factor: an authenticator app or a passkey.',
  }),
  isEnabled: Type.Boolean({ description: 'False when the operator has disabled the person everywhere.' }),
  joinedAt: Instant('When they first joined.'),
});

export const Invitation = Type.Object({
  invitationId: Uuid('The invitation.'),
  email: Type.String({
    description: 'Where it was sent, in lower case. Only an account with this address can accept it.',
  }),
  role,
  invitedBy: orNull(Uuid('The member who invited.'), { description: 'Null when the operator of the service sent it.' }),
  createdAt: Instant('When it was made.'),
  expiresAt: Instant('When it expires and can no longer be accepted.'),
  sentCount: Type.Integer({ minimum: 1, description: 'How many times it was mailed, the first time included.' }),
});

const ofCredential = { credentialId: Uuid('The client id.'), name: Type.String() };
const StoppedCredential = Type.Object(ofCredential);
const EndedSecret = Type.Object({ ...ofCredential, secretId: Uuid('The secret.') });
const EndedKey = Type.Object({ ...ofCredential, keyId: orNull(Type.String(), { description: 'Its `kid`, if any.' }) });
const EndedEndpoint = Type.Object({
  endpointId: Uuid('The webhook endpoint.'),
  host: Type.String({ description: 'Where its messages go.' }),
});
const EndedInvitation = Type.Object({ invitationId: Uuid('The invitation.'), email: Type.String() });

/** What ends with a membership besides the member's own access. */
export const MemberEndings = Type.Object({
  credentials: Type.Array(StoppedCredential, {
    description: 'Credentials they are accountable for. They are disabled.',
  }),
  secrets: Type.Array(EndedSecret, { description: 'Secrets they made, of any credential.' }),
  keys: Type.Array(EndedKey, { description: 'Public keys they added, of any credential.' }),
  invitations: Type.Array(EndedInvitation, { description: 'Open invitations they sent. They are revoked.' }),
  webhookEndpoints: Type.Array(EndedEndpoint, {
    description:
      'Webhook endpoints that they made, whose address they chose or whose secret they replaced, or a credential did that they are accountable ' +
      'for or have made a secret or key of. They are disabled, and listed too if they are disabled already; with `webhooks=keep` their ' +
      'secrets are replaced instead.',
  }),
});

export const MemberResponse = unmetered(Member);
export const MemberListResponse = pageOf(Member);
export const RemovedMemberResponse = unmetered(
  Type.Object({
    userId: Uuid('The person who left.'),
    stoppedCredentials: Type.Array(StoppedCredential, {
      description:
        'API credentials they were accountable for. They are now disabled: give each another owner before you enable it.',
    }),
    endedSecrets: Type.Array(EndedSecret, {
      description: 'Secrets they had made, of any credential. They no longer work.',
    }),
    endedKeys: Type.Array(EndedKey, { description: 'Public keys they had added. They were removed.' }),
    disabledWebhookEndpoints: Type.Array(EndedEndpoint, {
      description:
        'Webhook endpoints of `wouldEnd`. They are now disabled; look at the address and replace the secret before you enable one.',
    }),
    rotatedWebhookSecrets: Type.Array(
      Type.Object({
        ...EndedEndpoint.properties,
        secret: Type.String({ description: 'The new secret. Shown only in this answer.' }),
      }),
      {
        description:
          'With `webhooks=keep`: the webhook endpoints of `wouldEnd`, each with its new secret. Its address and state stay. For 24 hours messages carry a signature ' +
          'with the old one too.',
      },
    ),
  }),
);
export const InvitationResponse = unmetered(Invitation);
export const InvitationListResponse = pageOf(Invitation);

export const MembersQuery = Type.Object({ limit, cursor });
export const RemoveMemberQuery = Type.Object({
  confirm: Type.Optional(
    oneOf(['false', 'true'] as const, {
      description:
        '`true`: remove the member even though credentials, secrets, keys, invitations or webhook endpoints end too.',
    }),
  ),
  webhooks: Type.Optional(
    oneOf(['disable', 'keep'] as const, {
      description:
        'What becomes of webhook endpoints that they made or changed. `disable`, or left out: nothing more is sent to them, and what happens ' +
        'waits for up to 30 days. `keep`: they go on as they are, and each gets a new secret, which is in the answer.',
    }),
  ),
});
export const ChangeMemberRequest = Type.Object({ role });
export const InviteMemberRequest = Type.Object({
  email: Type.String({
    'x-trim': true,
    format: 'email',
    maxLength: 254,
    description: 'Where the invitation goes.',
  }),
  role,
});

export type Member = Static<typeof Member>;
export type MemberPage = Static<typeof MemberListResponse>['data'];
export type MemberEndings = Static<typeof MemberEndings>;
export type RemovedMember = Static<typeof RemovedMemberResponse>['data'];
export type Invitation = Static<typeof Invitation>;
export type InvitationPage = Static<typeof InvitationListResponse>['data'];
export type MembersQuery = Static<typeof MembersQuery>;
export type InviteMemberRequest = Static<typeof InviteMemberRequest>;

const exampleOf = (summary: string, data: object): Examples => ({
  example: { summary, value: { meta: { request: { timeTakenMs: 6 } }, data } },
});

const userId = '01998a00-0000-7000-8000-0000000000ab';
const member: Member = {
  userId,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Example',
  role: 'developer',
  hasSecondFactor: true,
  isEnabled: true,
  joinedAt: '2026-02-03T09:30:00.000Z',
};
const invitation: Invitation = {
  invitationId: '01998a40-0000-7000-8000-0000000000ac',
  email: 'finn@example.com',
  role: 'finance',
  invitedBy: '01998a00-0000-7000-8000-0000000000aa',
  createdAt: '2026-03-02T10:15:00.123Z',
  expiresAt: '2026-03-09T10:15:00.123Z',
  sentCount: 1,
};
const invitationExamples = exampleOf('An invitation', invitation);

const inMembers = { tag: 'Members', scope: 'members:write', liveOnly: true, idempotent: false } as const;

export const MEMBER_OPERATIONS = {
  listMembers: {
    ...inMembers,
    method: 'GET',
    path: '/:tenantId/v1/members',
    summary: 'List the members',
    description: 'The people who may work in the tenant, newest account first.',
    query: MembersQuery,
    response: MemberListResponse,
    responseExamples: exampleOf('The last page', { items: [member], nextCursor: null }),
    errors: [],
  },
  changeMember: {
    ...inMembers,
    method: 'PATCH',
    path: '/:tenantId/v1/members/:userId',
    summary: 'Change the role of a member',
    description:
      'Takes effect within a minute. You cannot give a role that can do more than your own, nor raise your own; only an ' +
      'owner can change an owner; and the last owner keeps that role (409). The member’s credentials can do no more than the new role.',
    needsStepUp: true,
    body: ChangeMemberRequest,
    bodyExamples: { example: { summary: 'A new role', value: { role: 'developer' } } },
    response: MemberResponse,
    responseExamples: exampleOf('With the new role', member),
    errors: ['not-found', 'conflict'],
  },
  removeMember: {
    ...inMembers,
    method: 'DELETE',
    path: '/:tenantId/v1/members/:userId',
    summary: 'Remove a member',
    description:
      'Ends their access to this tenant within a minute, disables the API credentials they are accountable for, and ends ' +
      'the secrets and keys they made for other credentials, with the tokens those credentials hold. If any of these, ' +
      'an open invitation they sent, or a webhook endpoint they made or changed, would end, the answer is 409 with the list in `wouldEnd`, until you send ' +
      '`confirm=true`. The last owner cannot be removed (409).',
    needsStepUp: true,
    query: RemoveMemberQuery,
    response: RemovedMemberResponse,
    responseExamples: exampleOf('A member with one credential', {
      userId,
      stoppedCredentials: [{ credentialId: '01998a00-0000-7000-8000-0000000000ad', name: 'Back office' }],
      endedSecrets: [
        {
          credentialId: '01997c30-7d21-7f08-b6e5-91a2c4d8e03f',
          name: 'Claims portal',
          secretId: '01998a3f-2b10-7d41-8e52-6f708192a3b4',
        },
      ],
      endedKeys: [],
      disabledWebhookEndpoints: [{ endpointId: '01998b20-0000-7000-8000-0000000000ae', host: 'hooks.example.com' }],
      rotatedWebhookSecrets: [],
    }),
    errors: ['not-found', 'conflict'],
  },
  listInvitations: {
    ...inMembers,
    method: 'GET',
    path: '/:tenantId/v1/invitations',
    summary: 'List the open invitations',
    description: 'Invitations that can still be accepted, newest first.',
    query: MembersQuery,
    response: InvitationListResponse,
    responseExamples: exampleOf('The last page', { items: [invitation], nextCursor: null }),
    errors: [],
  },
  inviteMember: {
    ...inMembers,
    method: 'POST',
    path: '/:tenantId/v1/invitations',
    summary: 'Invite a person',
    description:
      'Mails a link that makes the reader a member, once, within seven days. A second invitation to the same address ' +
      'replaces the first, whose link then no longer works. A tenant may send 50 in 24 hours.',
    needsStepUp: true,
    body: InviteMemberRequest,
    bodyExamples: { example: { summary: 'Invite', value: { email: 'finn@example.com', role: 'finance' } } },
    response: InvitationResponse,
    responseExamples: invitationExamples,
    errors: ['conflict'],
  },
  revokeInvitation: {
    ...inMembers,
    method: 'DELETE',
    path: '/:tenantId/v1/invitations/:invitationId',
    summary: 'Revoke an invitation',
    description: 'Its link stops working at once.',
    needsStepUp: true,
    response: InvitationResponse,
    responseExamples: invitationExamples,
    errors: ['not-found'],
  },
  resendInvitation: {
    ...inMembers,
    method: 'POST',
    path: '/:tenantId/v1/invitations/:invitationId/resend',
    summary: 'Mail an invitation again',
    description:
      'Mails the same link, which is then valid for seven days. At most once a minute, and five times in all: after that, ' +
      'revoke it and invite again.',
    needsStepUp: true,
    response: InvitationResponse,
    responseExamples: exampleOf('Sent again', { ...invitation, sentCount: 2 }),
    errors: ['not-found', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
