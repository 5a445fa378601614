// The profile, and the OAuth addresses, which are handed to the library with their raw stream unread.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { type Gate, registerOperation } from '../http/operations.ts';
import type { Database } from '../lib/database.ts';
import { addressKey, type FailureGuard } from './guard-failures.ts';
import { rememberOrigin } from './provider/request-origin.ts';
import { TooManyFailures, tokenErrorBody } from './provider/token-errors.ts';
import { readProfile } from './read-profile.ts';

export function registerProfileRoute(app: FastifyInstance, gate: Gate, database: Database): void {
  registerOperation(app, gate, 'getProfile', ({ caller }) => readProfile(database, caller));
}

/** Addresses that browsers visit. */
const SHOWS_PAGES = new Set([
  '/v1/oauth/authorize',
  '/v1/oauth/authorize/:uid',
  '/v1/oauth/logout',
  '/v1/oauth/logout/confirm',
  '/v1/oauth/logout/success',
]);

const uidOf = ({ params }: FastifyRequest) => (params as { uid?: string }).uid ?? '';

export type OAuthRoutes = {
  readonly provider: Provider;
  readonly guard: FailureGuard;
  readonly baseUrl: string;
  /** Refuses an address that begins too many sign-ins. */
  readonly limitAddress: (request: FastifyRequest) => Promise<void>;
};

export function registerOAuthRoutes(app: FastifyInstance, routes: OAuthRoutes): void {
  const { provider, guard, baseUrl, limitAddress } = routes;
  const base = new URL(baseUrl);
  const callback = provider.callback();

  async function handOver(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { raw } = request;
    rememberOrigin(raw, { ip: request.ip, requestId: request.id });
    // The library routes by the raw address, which may be the same one in another encoding.
    const query = request.url.indexOf('?');
    const path = (request.routeOptions.url ?? '').replace(':uid', encodeURIComponent(uidOf(request)));
    raw.url = `${path}${query === -1 ? '' : request.url.slice(query)}`;
    // The library builds addresses from these headers; a client must not be able to choose them.
    raw.headers.host = base.host;
    raw.headers['x-forwarded-host'] = base.host;
    raw.headers['x-forwarded-proto'] = base.protocol.slice(0, -1);
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '');
    // Where programs ask, errors come in JSON: without this a browser's Accept header would get a page.
    if (!SHOWS_PAGES.has(request.routeOptions.url ?? '')) raw.headers.accept = 'application/json';
    reply.hijack();
    await callback(raw, reply.raw);
  }

  async function refuseLockedAddress(request: FastifyRequest, reply: FastifyReply) {
    const lockedSeconds = await guard.lockedSeconds(addressKey(request.ip));
    if (lockedSeconds === 0) return;
    const refusal = new TooManyFailures();
    await reply
      .code(refusal.statusCode)
      .header('retry-after', lockedSeconds)
      .send(tokenErrorBody(refusal.message, refusal.error_description ?? '', request.id));
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.post('/v1/oauth/token', { onRequest: refuseLockedAddress }, handOver);
    scope.post('/v1/oauth/revoke', { onRequest: refuseLockedAddress }, handOver);
    for (const path of [
      '/v1/oauth/jwks',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/v1/oauth/logout',
      '/v1/oauth/logout/success',
      '/v1/oauth/authorize/:uid',
    ]) {
      scope.get(path, { exposeHeadRoute: false }, handOver);
    }
    scope.post('/v1/oauth/logout/confirm', handOver);
    // Each leaves a row behind, whoever asks.
    scope.get('/v1/oauth/authorize', { exposeHeadRoute: false, onRequest: limitAddress }, handOver);
  });
}
