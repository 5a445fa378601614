// The entry point of credit reports: their routes and jobs, and what the wallet's statement needs from them.
import type { FastifyInstance } from 'fastify';
import type { HttpMetrics } from '../http/http-metrics.ts';
import type { Gate } from '../http/operations.ts';
import { createAddressLimit, REFUSED_RECEIPTS } from '../http/rate-limit.ts';
import { createRingHash, type HashKey, type HashRing } from '../lib/crypto/hash-ring.ts';
import type { Vault } from '../lib/crypto/vault.ts';
import type { Job } from '../lib/jobs.ts';
import type { Limits } from '../lib/limits/limits.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import type { Carrier } from '../sms/port.ts';
import { FETCH_WAIT_MS } from './challenge/fetch-after-challenge.ts';
import type { LiveDependencies, ReportDependencies, ReportQueue } from './dependencies.ts';
import { type LiveJobs, reportJobs } from './jobs.ts';
import { letIn } from './live/admit-report.ts';
import { registerReceiptRoute } from './messages/receipt-routes.ts';
import { createReceiveReceipt } from './messages/receive-receipt.ts';
import { registerQuoteRoutes } from './quoting/quote-routes.ts';
import { createReaderDescriber, createReportDescriber } from './reading/describe-reports.ts';
import { createSourceFinder } from './reading/list-charge-sources.ts';
import { type ReadCompleted, readCompletedReport } from './reading/read-completed.ts';
import { findSmsBudget } from './reading/read-limits.ts';
import { createReferenceOpener, createReferenceReader } from './reading/read-references.ts';
import { registerReadingRoutes } from './reading/reading-routes.ts';
import type { ReportMetrics } from './report-metrics.ts';
import { destroyReports } from './retention/erase-reports.ts';
import { registerReportRoutes } from './routes.ts';
import { createDelay } from './sandbox/delay-requests.ts';
import { registerSandboxRoutes } from './sandbox/sandbox-routes.ts';

/** The parts of live mode; undefined while the deployment has no providers. */
type LiveParts =
  | (NonNullable<LiveJobs> & {
      readonly dependencies: LiveDependencies;
      readonly carriers: ReadonlyMap<string, Carrier>;
    })
  | undefined;

type Surroundings = {
  readonly database: OpenDatabase;
  readonly vault: Vault;
  readonly queue: ReportQueue;
  readonly metrics: Metrics & HttpMetrics & ReportMetrics;
  readonly log: Log;
  readonly now: () => Date;
  readonly rests: { readonly reachableMs?: number; readonly fetchMs?: number };
};

type ReportSettings = { readonly hashKeys: HashRing; readonly retiredHashKeys: readonly HashKey[] };

export function openCreditReports(settings: ReportSettings, live: LiveParts, around: Surroundings) {
  const { database, vault, queue, metrics, log, now, rests } = around;
  const { hashKeys, retiredHashKeys } = settings;
  // References are kept for good: those under a retired key must still be found.
  const hashReference = createRingHash([...hashKeys, ...retiredHashKeys], 'external-reference');
  const openReferences = createReferenceOpener({ database, vault, log });
  const dependencies: ReportDependencies = {
    ...{ database, vault, queue, metrics, log, hashReference, openReferences },
    hashIdempotency: createRingHash(hashKeys, 'idempotency'),
    delay: createDelay(),
    // The look-ups of tokens have few connections: an erasure that waits for a lock must not hold one.
    purge: ({ tenantId, creditReportId }) =>
      database.jobs.asSystem((tx) => destroyReports(tx, tenantId, [creditReportId])),
    live: live?.dependencies,
    fetchWaitMs: rests.fetchMs ?? FETCH_WAIT_MS,
  };
  return {
    /** False if this tenant's generate would be refused anyway, so that its body need not be read. */
    letIn: (operation: string, tenantId: string) =>
      operation !== 'generateCreditReport' || !live || letIn({ live: live.dependencies, metrics }, tenantId),
    /** What the wallet's routes need from reports. */
    forStatements: {
      findSmsBudget,
      findSources: createSourceFinder(hashReference),
      referencesFor: createReferenceReader(openReferences, queue),
    },
    /** What events and webhooks say of reports. */
    forEvents: {
      describeFor: createReaderDescriber({ database, openReferences }, queue),
      describeOf: createReportDescriber(database.jobs),
      /** The same while a request waits for it. */
      describeNow: createReportDescriber(database),
    },
    /** What documents and evidence need from reports. */
    forDocuments: {
      readCompleted: ((caller, creditReportId, action) =>
        readCompletedReport({ database, vault, queue }, caller, creditReportId, action)) satisfies ReadCompleted,
    },
    jobs: (): Job[] =>
      reportJobs(
        { database: database.jobs, queue, metrics, reachableForMs: database.reachableForMs },
        live,
        rests.reachableMs,
      ),
    register(http: FastifyInstance, gate: Gate, limits: Limits): void {
      registerReportRoutes(http, gate, dependencies);
      registerQuoteRoutes(http, gate, dependencies);
      registerSandboxRoutes(http, gate, dependencies);
      registerReadingRoutes(http, gate, { database, vault, queue, hashReference, openReferences, now });
      if (!live) return;
      registerReceiptRoute(http, {
        receive: createReceiveReceipt(live.carriers, live.receipts, metrics),
        limitRefused: createAddressLimit(limits, REFUSED_RECEIPTS),
      });
    },
  };
}
