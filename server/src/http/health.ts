// For whatever runs the process: alive, ready for traffic, and metrics on a listener of its own, which must not be
// reachable from outside.
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../lib/metrics.ts';

export type Readiness = {
  /** False once shutdown has begun: the load balancer should look elsewhere. */
  isAccepting(): boolean;
  isDatabaseReachable(): Promise<boolean>;
};

export function registerHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/livez', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const isReady = readiness.isAccepting() && (await readiness.isDatabaseReachable());
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not-ready' });
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
