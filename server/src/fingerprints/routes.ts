// The script for tenants' pages and the address it posts to. Both are public, and limited by network
// (docs/decisions/0028-fingerprint-addresses.md). Collection is the busiest public route: it waits for nothing but the
// limit, and writes nothing anywhere (docs/decisions/0136-fingerprint-script.md).
import { CollectionRequest, type CollectionResponse } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressOf } from '../http/connections/visitor-address.ts';
import { notJson } from '../http/errors.ts';
import type { CollectedFacts, DeviceSessions } from './device-session.ts';
import { userAgentFamily } from './rules/user-agent-family.ts';
import { type FingerprintScript, isStillRight } from './script.ts';

type Limit = (request: FastifyRequest) => Promise<void>;

export type FingerprintRoutes = {
  readonly script: FingerprintScript;
  readonly sessions: DeviceSessions;
  readonly now: () => Date;
  readonly addressOf: AddressOf;
  readonly limitScript: Limit;
  readonly limitCollection: Limit;
};

/** The script sends a third of this. */
const BODY_BYTES_MAX = 1_024;

/** Short, so that a corrected script is everywhere within minutes; caches may serve an old one for a day if we are down. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'Accept-Encoding',
};

/** Any page may read the response; a browser sends no cookie with the request, and could not read the response if it did. */
const COLLECTION_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
};

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};

export function registerFingerprintRoutes(app: FastifyInstance, routes: FingerprintRoutes): void {
  const { script, limitScript } = routes;
  app.get('/v1/fingerprints/device', { onRequest: limitScript }, async (request, reply) => {
    const { encoding, body, etag } = await script.choose(request.headers['accept-encoding']);
    reply.headers({ ...SCRIPT_HEADERS, etag });
    if (isStillRight(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.send(body);
  });
  app.register(async (scope) => registerCollection(scope, routes));
}

function registerCollection(scope: FastifyInstance, routes: FingerprintRoutes): void {
  const { sessions, now, limitCollection, addressOf } = routes;
  scope.addHook('onRequest', async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(COLLECTION_HEADERS);
  });
  // Plain text needs no preflight, which saves a round trip for every visitor of every page.
  scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(notJson());
    }
  });
  scope.options('/v1/fingerprints/collections', async (_request, reply) =>
    reply.code(204).headers(PREFLIGHT_HEADERS).send(),
  );
  scope.post<{ Body: CollectionRequest }>(
    '/v1/fingerprints/collections',
    { onRequest: limitCollection, bodyLimit: BODY_BYTES_MAX, schema: { body: CollectionRequest } },
    async (request, reply) => {
      const at = now();
      // A dual-stack socket shows IPv4 mapped into IPv6.
      const ipAddress = addressOf(request).replace(/^::ffff:(?=\d+\.)/i, '');
      const answer: CollectionResponse = { sessionId: sessions.seal(factsOf(request, ipAddress, at), at), ipAddress };
      return reply.code(201).send(answer);
    },
  );
}

function factsOf(request: FastifyRequest<{ Body: CollectionRequest }>, ipAddress: string, at: Date): CollectedFacts {
  // A cached script may send more: facts that nothing needs are dropped.
  const { deviceDigest, timeZone, automation, degraded } = request.body;
  return {
    deviceDigest,
    collectedAt: at.toISOString(),
    network: {
      ipAddress,
      userAgentFamily: userAgentFamily(request.headers['user-agent']),
    },
    browser: {
      timeZone: timeZone || null,
      automation: automation ?? [],
      isDegraded: degraded ?? false,
    },
  };
}
