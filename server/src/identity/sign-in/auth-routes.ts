// Signing in to and out of our own pages: /v1/auth/login, /v1/auth/callback and /v1/auth/logout.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { clearCookie, listCookies, REFRESH_COOKIE, readCookie, setCookie } from '../../http/cookies.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { type PageOptions, registerPages } from '../page-kit/page-scope.ts';
import { checkReturnTo, FACTOR_PLACE, isOnTheWay } from '../rules/return-to.ts';
import type { ReadSession } from '../sessions/person-session.ts';
import type { RefreshTokens } from '../sessions/refresh-tokens.ts';
import { clearSignInCookies, type SessionOf, setSignInCookies } from './cookie-sign-ins.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { signOut } from './sign-out.ts';
import { LOGIN_COOKIE_PREFIX, LOGIN_SECONDS, LOGINS_MAX, loginCookieName, startSignIn } from './start-sign-in.ts';
import type { WebClient } from './web-client.ts';

export type AuthRoutes = PageOptions & {
  readonly database: Database;
  readonly provider: Provider;
  readonly webClient: WebClient;
  readonly refreshTokens: RefreshTokens;
  readonly readSession: ReadSession;
  readonly sessionOf: SessionOf;
  /** Where a sign-in leads that names no other place. */
  readonly homePath: string;
  /** Refuses a client address that begins too many sign-ins. */
  readonly limitAddress: (request: FastifyRequest) => Promise<void>;
};

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** A repeated parameter is no honest mistake: we choose none of its values. */
const textOf = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined);

function readReturnTo({ returnTo }: Query, homePath: string): string {
  const path = returnTo === undefined ? homePath : checkReturnTo(textOf(returnTo) ?? '');
  if (path !== undefined) return path;
  throw new ServiceError('validation-error', 'The link that you followed does not lead to a page of Trefoil.', {
    details: [{ path: '/query/returnTo', message: 'Send a path on this server, such as /v1/auth/account.' }],
  });
}

export function registerAuthRoutes(app: FastifyInstance, routes: AuthRoutes): void {
  const { database, provider, webClient, refreshTokens, readSession, sessionOf, limitAddress } = routes;
  const { baseUrl, homePath } = routes;
  registerPages(app, routes, (scope) => {
    scope.get('/v1/auth/login', { exposeHeadRoute: false, onRequest: limitAddress }, async (request, reply) => {
      const query = request.query as Query;
      const returnTo = readReturnTo(query, homePath);
      const { state, cookie, location } = await startSignIn(
        webClient,
        returnTo,
        query['stepUp'] === 'true' ? 'step-up' : 'usual',
      );
      const begun = listCookies(request, LOGIN_COOKIE_PREFIX);
      for (const name of begun.slice(0, Math.max(0, begun.length + 1 - LOGINS_MAX))) clearCookie(reply, name);
      setCookie(reply, loginCookieName(state), cookie, LOGIN_SECONDS);
      return reply.redirect(location, 303);
    });

    scope.get('/v1/auth/callback', { exposeHeadRoute: false }, async (request, reply) => {
      const state = textOf((request.query as Query)['state']) ?? '';
      const cookie = readCookie(request, loginCookieName(state));
      if (cookie !== undefined) clearCookie(reply, loginCookieName(state));
      const { tokens, returnTo } = await finishSignIn(
        { database, webClient, refreshTokens },
        { answer: new URL(request.url, baseUrl), state, cookie, oldRefreshToken: readCookie(request, REFRESH_COOKIE) },
      );
      setSignInCookies(reply, tokens);
      // A person whose company requires a second factor, and who has none, sets one up before anything else.
      const session = isOnTheWay(returnTo) ? undefined : await sessionOf(tokens.accessToken);
      const isLacking = session !== undefined && session.lacksFactorIn.length > 0;
      return reply.redirect(isLacking ? FACTOR_PLACE : returnTo, 303);
    });

    scope.post('/v1/auth/logout', async (request, reply) => {
      const sessionCookie = provider.cookieName('session');
      const person = await readSession(request, reply);
      await signOut(database, provider, { person, sessionId: readCookie(request, sessionCookie) });
      // Drops the cookies that a refresh set on the way.
      reply.removeHeader('set-cookie');
      clearSignInCookies(reply);
      clearCookie(reply, sessionCookie);
      clearCookie(reply, `${sessionCookie}.sig`);
      return reply.redirect('/v1/auth/signed-out', 303);
    });
  });
}
