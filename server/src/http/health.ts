// For the orchestrator of the process: alive, ready for traffic, and metrics on a separate listener, which must not be
// reachable from outside.
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../lib/metrics.ts';

export type Readiness = {
  /** False once shutdown has begun: the load balancer should send requests elsewhere. */
  isAccepting(): boolean;
  /** False when the database is unavailable, its schema is older than this version needs, or a role has too much power. */
  isDatabaseReady(): Promise<boolean>;
  /** False when the queue for the database makes no progress: new requests would only lengthen it. */
  isQueueMoving(): boolean;
  /** False where a single node keeps all limits itself. */
  readonly areLimitsShared: boolean;
};

export function registerHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/livez', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const isMoving = readiness.isAccepting() && readiness.isQueueMoving();
    const isReady = isMoving && (await readiness.isDatabaseReady());
    const limits = readiness.areLimitsShared ? 'shared' : 'of-this-node';
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not-ready', limits });
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
