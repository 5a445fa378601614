// For the orchestrator of the process: alive, ready for traffic, and metrics on a separate listener, which must not be
// reachable from outside.
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import type { Metrics } from '../lib/metrics.ts';

export type Readiness = {
  /** False once shutdown has begun: the load balancer should send requests elsewhere. */
  isAccepting(): boolean;
  /** False when the database is unavailable, its schema is older than this version needs, or a role has too much power. */
  isDatabaseReady(): Promise<boolean>;
  /** Why no request may be answered but these here, in words for the operator and without secrets; undefined when all may be. Bounded in time. */
  whyHeld(): Promise<string | undefined>;
  /** False when the queue for the database makes no progress: new requests would only lengthen it. */
  isQueueMoving(): boolean;
  /** False where a single node keeps all limits itself. */
  readonly areLimitsShared: boolean;
};

const PROBES: readonly (string | undefined)[] = ['/livez', '/readyz'];
const RETRY_SECONDS = 2;

export function registerHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  // A client that reaches this node past the load balancer is refused too.
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (PROBES.includes(routeOptions.url) || (await readiness.whyHeld()) === undefined) return;
    throw new ServiceError('service-unavailable', undefined, { retryAfterSeconds: RETRY_SECONDS });
  });
  app.get('/livez', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const isMoving = readiness.isAccepting() && readiness.isQueueMoving();
    const [isUp, reason] = await Promise.all([isMoving && readiness.isDatabaseReady(), readiness.whyHeld()]);
    const isReady = isUp && reason === undefined;
    const limits = readiness.areLimitsShared ? 'shared' : 'of-this-node';
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not-ready', limits, reason });
  });
}

export function createMetricsServer({ registry }: Metrics): Server {
  return createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
