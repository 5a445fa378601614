// The script for tenants' pages and the address it posts to. Both are public, and limited by network
// (docs/decisions/0028). Collecting is the busiest thing the public can ask: it waits for nothing but the limit, and
// writes nothing anywhere (docs/decisions/0136).
import { CollectionRequest, type CollectionResponse } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notJson } from '../http/errors.ts';
import type { CollectedFacts, DeviceSessions } from './device-session.ts';
import { userAgentFamily } from './rules/user-agent-family.ts';
import { type FingerprintScript, isStillRight } from './script.ts';

type Limit = (request: FastifyRequest) => Promise<void>;

export type FingerprintRoutes = {
  readonly script: FingerprintScript;
  readonly sessions: DeviceSessions;
  readonly now: () => Date;
  readonly limitScript: Limit;
  readonly limitCollection: Limit;
};

/** What the script sends is a third of this. */
const BODY_BYTES_MAX = 1_024;

/** Short, so that a corrected script is everywhere within minutes; a day's grace where we cannot be reached. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'Accept-Encoding',
};

/** Any page may read the answer; a browser sends no cookie along, and would not be let read it if it did. */
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
    const { encoding, body, etag } = script.choose(request.headers['accept-encoding']);
    reply.headers({ ...SCRIPT_HEADERS, etag });
    if (isStillRight(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.send(body);
  });
  app.register(async (scope) => registerCollection(scope, routes));
}

function registerCollection(scope: FastifyInstance, { sessions, now, limitCollection }: FingerprintRoutes): void {
  scope.addHook('onRequest', async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(COLLECTION_HEADERS);
  });
  // Plain text needs no preflight, which is a round trip less for every visitor of every page.
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
      const answer: CollectionResponse = { sessionId: sessions.seal(factsOf(request, at), at) };
      return reply.code(201).send(answer);
    },
  );
}

function factsOf(request: FastifyRequest<{ Body: CollectionRequest }>, at: Date): CollectedFacts {
  // A script out of a cache may say more: what nothing needs is not kept.
  const { deviceDigest, timeZone, automation, degraded } = request.body;
  return {
    deviceDigest,
    collectedAt: at.toISOString(),
    network: {
      // A socket that takes both versions shows IPv4 inside IPv6.
      ipAddress: request.ip.replace(/^::ffff:(?=\d+\.)/i, ''),
      userAgentFamily: userAgentFamily(request.headers['user-agent']),
    },
    browser: {
      timeZone: timeZone || null,
      automation: automation ?? [],
      isDegraded: degraded ?? false,
    },
  };
}
