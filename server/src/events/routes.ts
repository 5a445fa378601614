// Events over HTTP.
import type { FastifyInstance } from 'fastify';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import { type ListDependencies, listEvents } from './list-events.ts';

export function registerEventRoutes(app: FastifyInstance, gate: Gate, dependencies: ListDependencies): void {
  // Requests that wait would keep a stopping server from closing.
  app.addHook('preClose', async () => dependencies.waits.close());
  registerOperation(app, gate, 'listEvents', async ({ caller, query, startedAtMs, reply, leavePlace }) => {
    const client = new AbortController();
    reply.raw.once('close', () => client.abort());
    const listening = { signal: client.signal, beforeWait: leavePlace };
    return envelope({ data: await listEvents(dependencies, caller, query, listening) }, startedAtMs);
  });
}
