// The person behind a request's cookies, for pages. Only our own pages may post forms: see `requireOwnOrigin`.
// Such a page must be served with `Referrer-Policy: same-origin`: under `no-referrer` browsers post `Origin: null`.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSafeMethod, requireOwnOrigin } from '../../http/authenticate.ts';

export type PersonSession = {
  readonly userId: string;
  readonly signInId: string;
  readonly authenticatedAt: Date;
  readonly secondFactorAt: Date | undefined;
  /** The person's companies that require a second factor, which this sign-in has not proved. */
  readonly lacksFactorIn: readonly string[];
};

/** Undefined when the visitor is not signed in; the reply is then already sent, and the handler returns it. */
export type RequirePerson = (request: FastifyRequest, reply: FastifyReply) => Promise<PersonSession | undefined>;

/** The person whom the request's cookies sign in; refreshed cookies are set on the reply. */
export type ReadSession = (request: FastifyRequest, reply: FastifyReply) => Promise<PersonSession | undefined>;

export function createRequirePerson(baseUrl: string, readSession: ReadSession): RequirePerson {
  return async (request, reply) => {
    const isSafe = isSafeMethod(request);
    if (!isSafe) requireOwnOrigin(request, baseUrl);
    const session = await readSession(request, reply);
    if (session) return session;
    // The posted form is lost; a page that accepts only forms could not be shown again.
    const returnTo = isSafe ? request.url : '/v1/auth/account';
    await reply.redirect(`/v1/auth/login?returnTo=${encodeURIComponent(returnTo)}`, 303);
    return undefined;
  };
}
