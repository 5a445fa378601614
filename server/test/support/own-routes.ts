// Routes of the app on a server of the test's own, which lets every request in as one caller of a tenant: for tests that hold
// what the app would give the routes, such as turns and places, in their own hands.
import { SCOPES } from '@trefoil/contract';
import type { FastifyInstance } from 'fastify';
import type { DemoTenant } from '../../../tools/dev/seed.ts';
import type { Access, Principal } from '../../src/http/authenticate.ts';
import type { Gate } from '../../src/http/operations.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { REQUEST_MS } from '../../src/lib/request-scope.ts';
import { openMetrics } from '../../src/open-metrics.ts';
import { PATIENCE, type TestServer } from '../harness.ts';

export async function openRoutes(
  server: TestServer,
  { tenantId, clientId }: DemoTenant,
  register: (http: FastifyInstance, gate: Gate) => void,
  admitRead?: Gate['admitRead'],
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const rate = { perSecond: 1_000, burst: 1_000 };
  const access: Access = {
    ...{ tenantId, isTenantEnabled: true, role: 'owner', scopes: new Set(SCOPES), rate },
    lacksSecondFactor: false,
  };
  const caller: Principal = {
    ...{ kind: 'credential', id: clientId, userId: clientId, accesses: [access] },
    ...{ isTestOnly: false, secondFactorAt: undefined },
  };
  const verdict = { isAllowed: true, remaining: 1, resetUs: 0, retryAfterUs: 0 };
  const limits = {
    take: async () => verdict,
    failures: async () => 0,
    forgive: async () => undefined,
    close: () => undefined,
  };
  const http = createHttpServer({
    ...{ log: server.app.log, metrics: openMetrics(), now: () => new Date(), baseUrl: server.baseUrl },
    answerMs: PATIENCE * REQUEST_MS,
    ...{ trustedProxies: [], connections: server.config.connections, hstsSeconds: 0 },
    isKnownOrigin: async () => false,
  });
  register(http, { verify: async () => caller, limits, ...(admitRead && { admitRead }) });
  const baseUrl = await http.listen({ host: '127.0.0.1', port: 0 });
  return { baseUrl, close: () => http.close() };
}

export const AUTHORIZED = { authorization: 'Bearer good' };
