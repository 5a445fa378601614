// The profile, and the OAuth addresses, which the library handles. We read their bodies first: the library
// would stop in the middle of one that is too large, and would parse any number of parameters.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { requireFewParameters } from '../http/body/parameters.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import { createOwnNameHook } from '../http/own-name.ts';
import type { Database } from '../lib/postgres/database.ts';
import { readProfile } from './people/read-profile.ts';
import { addressKey, type FailureGuard } from './provider/guard-failures.ts';
import { rememberOrigin } from './provider/request-origin.ts';
import { type RefusalBody, TooManyFailures, tokenErrorBody, withErrorWords } from './provider/token-errors.ts';

export function registerProfileRoute(app: FastifyInstance, gate: Gate, database: Database): void {
  registerOperation(app, gate, 'getProfile', ({ caller }) => readProfile(database, caller));
}

/** The addresses that browsers visit. */
const SHOWS_PAGES = new Set([
  '/v1/oauth/authorize',
  '/v1/oauth/authorize/:uid',
  '/v1/oauth/logout',
  '/v1/oauth/logout/confirm',
  '/v1/oauth/logout/success',
]);

/** The library accepts no more either; an assertion has a few kilobytes. */
const BODY_BYTES_MAX = 56 * 1024;

const uidOf = ({ params }: FastifyRequest) => (params as { uid?: string }).uid ?? '';

/** The same request with its body still unread, for a library that reads it itself. */
function replay(raw: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, socket, httpVersion, httpVersionMajor } = raw;
  const request = { method, url, headers, socket, httpVersion, httpVersionMajor };
  return Object.assign(Readable.from([body]), request) as unknown as IncomingMessage;
}

export type OAuthRoutes = {
  readonly provider: Provider;
  readonly guard: FailureGuard;
  readonly baseUrl: string;
  /** Refuses a client address that begins too many sign-ins. */
  readonly limitAddress: (request: FastifyRequest) => Promise<void>;
  /** Refuses a client address that continues or ends too many sign-ins. */
  readonly limitSteps: (request: FastifyRequest) => Promise<void>;
};

export function registerOAuthRoutes(app: FastifyInstance, routes: OAuthRoutes): void {
  const { provider, guard, baseUrl, limitAddress, limitSteps } = routes;
  const base = new URL(baseUrl);
  const callback = provider.callback();

  async function handOver(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { raw } = request;
    // The library routes by the raw address, which may be a different encoding of the same one.
    const query = request.url.indexOf('?');
    const path = (request.routeOptions.url ?? '').replace(':uid', encodeURIComponent(uidOf(request)));
    raw.url = `${path}${query === -1 ? '' : request.url.slice(query)}`;
    // The library builds addresses from these headers, so the client must not be able to choose them.
    raw.headers.host = base.host;
    raw.headers['x-forwarded-host'] = base.host;
    raw.headers['x-forwarded-proto'] = base.protocol.slice(0, -1);
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '');
    // Where programs call, errors are JSON: without this line a browser's Accept header would get a page.
    if (!SHOWS_PAGES.has(request.routeOptions.url ?? '')) raw.headers.accept = 'application/json';
    const message = request.body instanceof Buffer ? replay(raw, request.body) : raw;
    rememberOrigin(message, { ip: request.clientAddress, requestId: request.id });
    reply.hijack();
    await callback(message, reply.raw);
  }

  async function refuseLockedAddress(request: FastifyRequest, reply: FastifyReply) {
    const lockedSeconds = await guard.lockedSeconds(addressKey(request.clientAddress));
    if (lockedSeconds === 0) return;
    const refusal = new TooManyFailures();
    await reply
      .code(refusal.statusCode)
      .header('retry-after', lockedSeconds)
      .send(tokenErrorBody(refusal.message, refusal.error_description ?? '', { requestId: request.id, baseUrl }));
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      async (_request: FastifyRequest, body: string | Buffer) => {
        requireFewParameters(body.toString('latin1'), '');
        return body;
      },
    );
    // A payload sent from here, not by the library, is always an error.
    scope.addHook('preSerialization', async (_request, _reply, payload) => withErrorWords(payload as RefusalBody));
    scope.post('/v1/oauth/token', { onRequest: refuseLockedAddress }, handOver);
    scope.post('/v1/oauth/revoke', { onRequest: refuseLockedAddress }, handOver);
    for (const path of [
      '/v1/oauth/jwks',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
    ]) {
      scope.get(path, { exposeHeadRoute: false }, handOver);
    }
    // These query the database for unauthenticated visitors.
    for (const path of ['/v1/oauth/logout', '/v1/oauth/logout/success', '/v1/oauth/authorize/:uid']) {
      scope.get(path, { exposeHeadRoute: false, onRequest: limitSteps }, handOver);
    }
    scope.post('/v1/oauth/logout/confirm', { onRequest: limitSteps }, handOver);
    // Each request stores a row, even for an unauthenticated visitor.
    scope.get(
      '/v1/oauth/authorize',
      { exposeHeadRoute: false, onRequest: [createOwnNameHook(baseUrl), limitAddress] },
      handOver,
    );
  });
}
