// The front door of events: the feed over HTTP, and its job. Other features append events in their own transactions (append-events.ts), and
// webhooks read them in commit order (read-events.ts).
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../http/authenticate.ts';
import type { Gate } from '../http/operations.ts';
import type { Log } from '../lib/log.ts';
import { type Metrics, watchGauge } from '../lib/metrics.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import type { DescribeReports } from './describe-events.ts';
import { eventJobs } from './jobs.ts';
import { registerEventRoutes } from './routes.ts';
import { createEventWaits } from './wait-for-events.ts';

type Around = {
  readonly database: OpenDatabase;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly log: Log;
  /** Events do not know reports: `app.ts` passes in what this caller may read of them. */
  readonly describeFor: (caller: Caller) => DescribeReports;
};

export function openEvents({ database, metrics, log, describeFor }: Around) {
  return {
    jobs: eventJobs(database.jobs),
    register(http: FastifyInstance, gate: Gate): void {
      const waits = createEventWaits(database.jobs, log);
      watchGauge(metrics.registry, 'trefoil_event_waits', 'Requests on this node that wait for an event', waits.count);
      registerEventRoutes(http, gate, { database, waits, describeFor });
    },
  };
}
