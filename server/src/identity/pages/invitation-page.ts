// The page behind an invitation link: a new person creates an account, a known person signs in and joins.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setCookie } from '../../http/cookies.ts';
import {
  type Acceptance,
  type AcceptDependencies,
  acceptInvitation,
  findInvitation,
  type OpenInvitation,
} from '../../tenants/accept-invitation.ts';
import type { IsBreached } from '../factors/breached-passwords.ts';
import { judgeNewPassword } from '../factors/change-factors.ts';
import { hashPassword } from '../factors/change-password.ts';
import { findPasswordHolder } from '../factors/factor-store.ts';
import type { SecretSeal } from '../factors/seal-secret.ts';
import { noticeView } from '../page-kit/notice-views.ts';
import { formOf, type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';
import { findUser } from '../people/people-store.ts';
import type { ReadSession } from '../sessions/person-session.ts';
import { rememberChosen } from '../sign-in/chosen-password.ts';
import { LOGIN_SECONDS, loginCookieName, startSignIn } from '../sign-in/start-sign-in.ts';
import type { WebClient } from '../sign-in/web-client.ts';
import { INVITATION_OVER, knownPersonView, newPersonView, otherPerson, signInFirst } from './invitation-views.ts';
import { PASSWORD_FAULTS } from './password-words.ts';

export type InvitationPage = PageOptions &
  AcceptDependencies & {
    readonly isBreached: IsBreached;
    readonly readSession: ReadSession;
    readonly webClient: WebClient;
    readonly seal: SecretSeal;
  };

const NAME_LENGTH_MAX = 100;

const welcomePath = (tenantId: string) => `/v1/auth/account?joined=${tenantId}`;

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

  /** The signed-in person, and whether the invitation is theirs. */
  async function findReader(request: FastifyRequest, reply: FastifyReply, invitation: OpenInvitation) {
    const session = await readSession(request, reply);
    const user = session && (await database.asSystem((tx) => findUser(tx, session.userId)));
    return user && { userId: user.id, isInvited: user.email === invitation.email };
  }

  function tell(request: FastifyRequest, reply: FastifyReply, invitation: OpenInvitation, outcome: Acceptance) {
    switch (outcome.kind) {
      case 'joined':
        return reply.redirect(welcomePath(outcome.tenantId), 303);
      case 'has-account':
        return sendPage(reply, noticeView(signInFirst(invitation, request.url)));
      case 'other-person':
        return sendPage(reply, noticeView(otherPerson(invitation)), { status: 403 });
      case 'closed':
        return over(reply);
    }
  }

  /**
   * The account and its password are new, so the password counts as given (docs/decisions/0174-an-invitation-signs-in.md).
   */
  async function signIn(reply: FastifyReply, { email, tenantId }: OpenInvitation) {
    const given = await database.asSystem((tx) => findPasswordHolder(tx, email));
    const { state, cookie, location } = await startSignIn(page.webClient, welcomePath(tenantId), 'anew');
    setCookie(reply, loginCookieName(state), cookie, LOGIN_SECONDS);
    if (given) rememberChosen(reply, page.seal, state, given);
    return reply.redirect(location, 303);
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
    return outcome.kind === 'joined' ? signIn(reply, invitation) : tell(request, reply, invitation, outcome);
  }

  registerPages(app, page, (scope) => {
    const path = '/v1/auth/invitations/:token';
    scope.get(path, { exposeHeadRoute: false }, show);
    scope.post(path, accept);
  });
}
