// Events over HTTP.
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../http/authenticate.ts';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import { type DescribeReports, describeEvents } from './describe-events.ts';
import { type ListDependencies, listEvents } from './list-events.ts';
import { readEvent } from './read-event.ts';

export type EventRoutes = ListDependencies & { readonly describeFor: (caller: Caller) => DescribeReports };

export function registerEventRoutes(app: FastifyInstance, gate: Gate, dependencies: EventRoutes): void {
  // Requests that wait would keep a stopping server from closing.
  app.addHook('preClose', async () => dependencies.waits.close());
  registerOperation(app, gate, 'listEvents', async ({ caller, query, startedAtMs, reply, leavePlace }) => {
    const client = new AbortController();
    reply.raw.once('close', () => client.abort());
    const listening = { signal: client.signal, beforeWait: leavePlace };
    const page = await listEvents(dependencies, caller, query, listening);
    const items = await describeEvents(dependencies.describeFor(caller), page.items);
    return envelope({ data: { ...page, items } }, startedAtMs);
  });
  registerOperation(app, gate, 'getEvent', async ({ caller, params, startedAtMs }) => {
    const event = await readEvent(dependencies.database, caller, params['eventId'] ?? '');
    const [data] = await describeEvents(dependencies.describeFor(caller), [event]);
    return envelope({ data: data ?? event }, startedAtMs);
  });
}
