// The profile, and the OAuth addresses, which are handed to the library with their raw stream unread.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { type Gate, registerOperation } from '../http/operations.ts';
import type { Database } from '../lib/database.ts';
import { addressKey, type FailureGuard } from './guard-failures.ts';
import { TooManyFailures, tokenErrorBody } from './provider.ts';
import { readProfile } from './read-profile.ts';
import { rememberOrigin } from './request-origin.ts';

export function registerProfileRoute(app: FastifyInstance, gate: Gate, database: Database): void {
  registerOperation(app, gate, 'getProfile', ({ caller }) => readProfile(database, caller));
}

export type OAuthRoutes = { readonly provider: Provider; readonly guard: FailureGuard; readonly baseUrl: string };

export function registerOAuthRoutes(app: FastifyInstance, { provider, guard, baseUrl }: OAuthRoutes): void {
  const base = new URL(baseUrl);
  const callback = provider.callback();

  async function handOver(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { raw } = request;
    rememberOrigin(raw, { ip: request.ip, requestId: request.id });
    // The library routes by the raw address, which may be the same one in another encoding.
    const query = request.url.indexOf('?');
    raw.url = `${request.routeOptions.url}${query === -1 ? '' : request.url.slice(query)}`;
    // The library builds addresses from these headers; a client must not be able to choose them.
    raw.headers.host = base.host;
    raw.headers['x-forwarded-host'] = base.host;
    raw.headers['x-forwarded-proto'] = base.protocol.slice(0, -1);
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '');
    // Errors in JSON for every client: without this a browser's Accept header would get a page.
    raw.headers.accept = 'application/json';
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
    for (const path of [
      '/v1/oauth/jwks',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
    ]) {
      scope.get(path, { exposeHeadRoute: false }, handOver);
    }
  });
}
