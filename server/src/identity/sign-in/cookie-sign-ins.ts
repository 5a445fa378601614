// The person behind a request's cookies. An expired access token is replaced on the way with the refresh token; any number
// of requests may do so at once (docs/decisions/0127-refresh-tokens.md).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieSignIns } from '../../http/authenticate.ts';
import { ACCESS_COOKIE, clearCookie, REFRESH_COOKIE, readCookie, setCookie } from '../../http/cookies.ts';
import { WEB_CLIENT_ID } from '../provider/oauth-clients.ts';
import type { Identified, IdentifyToken } from '../provider/verify-token.ts';
import { REFRESH_IDLE_MS } from '../rules/refresh.ts';
import type { PersonSession, ReadSession } from '../sessions/person-session.ts';
import type { SignInTokens, WebClient } from './web-client.ts';

export function setSignInCookies(reply: FastifyReply, tokens: SignInTokens): void {
  setCookie(reply, ACCESS_COOKIE, tokens.accessToken, tokens.expiresIn);
  setCookie(reply, REFRESH_COOKIE, tokens.refreshToken, REFRESH_IDLE_MS / 1_000);
}

export function clearSignInCookies(reply: FastifyReply): void {
  clearCookie(reply, ACCESS_COOKIE);
  clearCookie(reply, REFRESH_COOKIE);
}

export type CookieOptions = {
  readonly baseUrl: string;
  readonly identify: IdentifyToken;
  /** Created after the server that it calls, and used only by requests. */
  readonly webClient: () => WebClient;
};

/** Undefined for every token that is not of our own pages. */
export type SessionOf = (accessToken: string) => Promise<PersonSession | undefined>;

function toSession({ principal, person }: Identified): PersonSession | undefined {
  if (!person) return undefined;
  const { userId, signInId, authenticatedAt, secondFactorAt } = person;
  const lacking = principal.accesses.filter((access) => access.isTenantEnabled && access.lacksSecondFactor);
  const lacksFactorIn = lacking.map(({ tenantId }) => tenantId);
  return { userId, signInId, authenticatedAt, secondFactorAt: secondFactorAt ?? undefined, lacksFactorIn };
}

export function createCookieSignIns({ baseUrl, identify, webClient }: CookieOptions): CookieSignIns & {
  readonly readSession: ReadSession;
  readonly sessionOf: SessionOf;
} {
  /** A cookie counts only with a token of our own pages: no credential's token, no other application's. */
  async function identifyOwn(token: string): Promise<Identified | undefined> {
    const identified = await identify(token);
    return identified?.person?.clientId === WEB_CLIENT_ID ? identified : undefined;
  }

  async function read(request: FastifyRequest, reply: FastifyReply): Promise<Identified | undefined> {
    const accessToken = readCookie(request, ACCESS_COOKIE);
    const identified = accessToken && (await identifyOwn(accessToken));
    if (identified) return identified;
    const refreshToken = readCookie(request, REFRESH_COOKIE);
    if (!refreshToken) return undefined;
    const tokens = await webClient().refresh(refreshToken);
    if (!tokens) {
      clearSignInCookies(reply);
      return undefined;
    }
    setSignInCookies(reply, tokens);
    return identifyOwn(tokens.accessToken);
  }

  return {
    baseUrl,
    isPresent: (request) => [ACCESS_COOKIE, REFRESH_COOKIE].some((name) => readCookie(request, name) !== undefined),
    principalOf: async (request, reply) => (await read(request, reply))?.principal,
    async readSession(request, reply) {
      const identified = await read(request, reply);
      return identified && toSession(identified);
    },
    async sessionOf(accessToken) {
      const identified = await identifyOwn(accessToken);
      return identified && toSession(identified);
    },
  };
}
