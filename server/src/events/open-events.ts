// The front door of events: the feed over HTTP. Other features append events in their own transactions (append-events.ts), and
// webhooks read them in commit order (read-events.ts).
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import type { Log } from '../lib/log.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import { registerEventRoutes } from './routes.ts';
import { createEventWaits } from './wait-for-events.ts';

export function openEvents({ database, log }: { readonly database: OpenDatabase; readonly log: Log }) {
  return {
    register(http: FastifyInstance, gate: Gate): void {
      registerEventRoutes(http, gate, { database, waits: createEventWaits(database.jobs, log) });
    },
  };
}
