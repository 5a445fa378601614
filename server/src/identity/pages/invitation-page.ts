// The page behind the link of an invitation: a new person makes an account, a known one signs in and joins.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../lib/log.ts';
import {
  type Acceptance,
  type AcceptDependencies,
  acceptInvitation,
  findInvitation,
  type OpenInvitation,
} from '../../tenants/accept-invitation.ts';
import type { IsBreached } from '../proofs/breached-passwords.ts';
import { hashPassword } from '../proofs/change-password.ts';
import { judgeNewPassword } from '../proofs/change-proofs.ts';
import type { ReadSession } from '../sign-in/person-session.ts';
import { findUser } from '../store.ts';
import {
  INVITATION_OVER,
  joined,
  knownPersonView,
  newPersonView,
  otherPerson,
  signInFirst,
} from './invitation-views.ts';
import { noticeView } from './notice-views.ts';
import { formOf, registerPages, sendPage } from './page-scope.ts';
import { PASSWORD_FAULTS } from './password-words.ts';

export type InvitationPage = AcceptDependencies & {
  readonly baseUrl: string;
  readonly log: Log;
  readonly isBreached: IsBreached;
  readonly readSession: ReadSession;
};

const NAME_LENGTH_MAX = 100;

async function readNewPerson(page: InvitationPage, invitation: OpenInvitation, request: FastifyRequest) {
  const read = formOf(request);
  const values = { firstName: read('firstName').trim(), lastName: read('lastName').trim() };
  const isName = (name: string) => name !== '' && name.length <= NAME_LENGTH_MAX;
  const fault = await judgeNewPassword(page.isBreached, read('password'), invitation.email);
  const errors = {
    ...(!isName(values.firstName) && { firstName: 'Enter your first name.' }),
    ...(!isName(values.lastName) && { lastName: 'Enter your last name.' }),
    ...(fault && { password: PASSWORD_FAULTS[fault] }),
  };
  return { values, errors, password: read('password') };
}

export function registerInvitationPage(app: FastifyInstance, page: InvitationPage): void {
  const { database, readSession } = page;
  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
  const over = (reply: FastifyReply) => sendPage(reply, noticeView(INVITATION_OVER), { status: 404 });

  /** The person who is signed in, and whether the invitation is theirs. */
  async function findReader(request: FastifyRequest, reply: FastifyReply, invitation: OpenInvitation) {
    const session = await readSession(request, reply);
    const user = session && (await database.asSystem((tx) => findUser(tx, session.userId)));
    return user && { userId: user.id, isInvited: user.email === invitation.email };
  }

  function tell(request: FastifyRequest, reply: FastifyReply, invitation: OpenInvitation, outcome: Acceptance) {
    switch (outcome.kind) {
      case 'joined':
        return sendPage(reply, noticeView(joined(outcome.tenantName)));
      case 'has-account':
        return sendPage(reply, noticeView(signInFirst(invitation, request.url)));
      case 'other-person':
        return sendPage(reply, noticeView(otherPerson(invitation)), { status: 403 });
      case 'closed':
        return over(reply);
    }
  }

  async function show(request: FastifyRequest, reply: FastifyReply) {
    const invitation = await findInvitation(page, tokenOf(request));
    if (!invitation) return over(reply);
    const reader = await findReader(request, reply, invitation);
    if (reader?.isInvited) return sendPage(reply, knownPersonView({ invitation }));
    if (reader) return sendPage(reply, noticeView(otherPerson(invitation)), { status: 403 });
    return invitation.hasAccount
      ? sendPage(reply, noticeView(signInFirst(invitation, request.url)))
      : sendPage(reply, newPersonView({ invitation }));
  }

  async function accept(request: FastifyRequest, reply: FastifyReply) {
    const token = tokenOf(request);
    const invitation = await findInvitation(page, token);
    if (!invitation) return over(reply);
    const reader = await findReader(request, reply, invitation);
    if (reader) {
      const outcome = await acceptInvitation(page, token, { kind: 'known', userId: reader.userId });
      return tell(request, reply, invitation, outcome);
    }
    if (invitation.hasAccount) return sendPage(reply, noticeView(signInFirst(invitation, request.url)));
    const { values, errors, password } = await readNewPerson(page, invitation, request);
    if (Object.keys(errors).length > 0) {
      return sendPage(reply, newPersonView({ invitation, values, errors }), { status: 400 });
    }
    const passwordHash = await hashPassword(password);
    const outcome = await acceptInvitation(page, token, { kind: 'new', ...values, passwordHash });
    return tell(request, reply, invitation, outcome);
  }

  registerPages(app, page, (scope) => {
    const path = '/v1/auth/invitations/:token';
    scope.get(path, { exposeHeadRoute: false }, show);
    scope.post(path, accept);
  });
}
