// The page that the mail to a credential's owner links to: what they answer for, and a button to refuse.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../lib/postgres/database.ts';
import { findOwnCredential, type OwnCredential, refuseCredential } from '../credentials/refuse-credential.ts';
import { noticeView } from '../page-kit/notice-views.ts';
import { type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';
import type { PersonSession, RequirePerson } from '../sessions/person-session.ts';
import { noFactorView } from '../sign-in/sign-in-views.ts';
import { credentialView, NOT_THEIRS, REFUSED } from './credential-views.ts';

export type CredentialPage = PageOptions & {
  readonly database: Database;
  readonly requirePerson: RequirePerson;
};

export function registerCredentialPage(app: FastifyInstance, page: CredentialPage): void {
  const { database, requirePerson } = page;
  const ownOf = (request: FastifyRequest, userId: string): OwnCredential => ({
    ...(request.params as { tenantId: string; credentialId: string }),
    userId,
  });
  /** As at the API: in a company that requires a second factor, a password alone is not enough (docs/decisions/0275-a-password-alone.md). */
  const lacksFactor = ({ lacksFactorIn }: PersonSession, { tenantId }: OwnCredential) =>
    lacksFactorIn.includes(tenantId);
  /** The same answer for another person's credential, an unknown one and a malformed address. */
  const notTheirs = (reply: FastifyReply) => sendPage(reply, noticeView(NOT_THEIRS), { status: 404 });

  registerPages(app, page, (scope) => {
    const path = '/v1/auth/credentials/:tenantId/:credentialId';
    scope.get(path, { exposeHeadRoute: false }, async (request, reply) => {
      const session = await requirePerson(request, reply);
      if (!session) return reply;
      const own = ownOf(request, session.userId);
      if (lacksFactor(session, own)) return sendPage(reply, noFactorView(), { status: 403 });
      const credential = await findOwnCredential(database, own);
      if (!credential) return notTheirs(reply);
      return sendPage(reply, credential.isRefused ? noticeView(REFUSED) : credentialView(credential));
    });
    scope.post(path, async (request, reply) => {
      const session = await requirePerson(request, reply);
      if (!session) return reply;
      const own = ownOf(request, session.userId);
      if (lacksFactor(session, own)) return sendPage(reply, noFactorView(), { status: 403 });
      const isDone = await refuseCredential(database, own);
      return isDone ? sendPage(reply, noticeView(REFUSED)) : notTheirs(reply);
    });
  });
}
