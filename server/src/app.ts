// The composition root: from Config to a running API, every long-lived object made here by hand. Tests pass
// `overrides` for time and for where logs go; nothing else is replaceable.
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import type { ReportDependencies } from './credit-reports/answer.ts';
import { reportJobs } from './credit-reports/jobs.ts';
import { createSourceFinder } from './credit-reports/list-charge-sources.ts';
import { registerReadingRoutes } from './credit-reports/reading-routes.ts';
import { registerReceiptRoute } from './credit-reports/receipt-routes.ts';
import { createReceiveReceipt } from './credit-reports/receive-receipt.ts';
import { registerReportRoutes } from './credit-reports/routes.ts';
import { createMetricsServer, registerHealthRoutes } from './http/health.ts';
import { registerReference } from './http/reference.ts';
import { createHttpServer } from './http/server.ts';
import { cachedClientFinder, clientFinder } from './identity/find-client.ts';
import { createFailureGuard } from './identity/guard-failures.ts';
import { payloadJob } from './identity/jobs.ts';
import { createProvider } from './identity/provider.ts';
import { registerOAuthRoutes, registerProfileRoute } from './identity/routes.ts';
import { createTokenVerifier } from './identity/verify-token.ts';
import { type Database, openDatabase } from './lib/database.ts';
import { startJobs } from './lib/jobs.ts';
import { createKeyedHash } from './lib/keyed-hash.ts';
import { openLimits } from './lib/limits.ts';
import { createLog, describeError, type Log } from './lib/log.ts';
import { createMetrics } from './lib/metrics.ts';
import { createVault } from './lib/vault.ts';
import { type LivePorts, openLive } from './open-live.ts';
import { registerTenantRoutes } from './tenants/routes.ts';
import { walletJobs } from './wallet/jobs.ts';
import { registerWalletRoutes } from './wallet/routes.ts';

export type Overrides = {
  readonly now?: () => Date;
  readonly logDestination?: DestinationStream;
  /** Stand-ins for other companies, at their ports; what is left out comes from the configuration. */
  readonly ports?: Partial<LivePorts>;
};

export interface App {
  readonly http: FastifyInstance;
  readonly log: Log;
  /** Serves requests, and runs the jobs unless the configuration leaves them to a worker. */
  listen(): Promise<{ address: string; metricsAddress: string }>;
  /** Runs the jobs alone. */
  work(): Promise<{ metricsAddress: string }>;
  /** Stops taking requests, finishes those in flight, then closes every connection. */
  close(): Promise<void>;
}

const IDLE_SWEEP_MS = 100;

export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = createLog(config.logLevel, overrides.logDestination);
  const metrics = createMetrics();
  const database = openDatabase({
    ...config.database,
    onConnectionError: (error) => log.warn('database connection lost', describeError(error)),
  });
  const limits = openLimits({
    redisUrl: config.redisUrl,
    keyPrefix: config.redisPrefix,
    timeoutMs: config.redisTimeoutMs,
    nodes: config.nodes,
    onFallback(error) {
      metrics.limitFallbacks.inc();
      log.warn('limits judged without redis', describeError(error));
    },
  });
  const findClient = clientFinder(database);
  const verify = await createTokenVerifier(config.baseUrl, config.signingKeys, cachedClientFinder(findClient));
  const gate = { verify, limits };
  const guard = createFailureGuard(limits);
  const { baseUrl: issuer, signingKeys } = config;
  const provider = createProvider({ issuer, signingKeys, database, findClient, guard, log });

  let isAccepting = true;
  const now = overrides.now ?? (() => new Date());
  const http = createHttpServer({ log, metrics, now, trustedProxies: config.trustedProxies });
  registerHealthRoutes(http, {
    isAccepting: () => isAccepting,
    isDatabaseReachable: () => isReachable(database),
  });
  registerReference(http, packageJson.version);
  registerOAuthRoutes(http, { provider, guard, baseUrl: config.baseUrl });
  registerProfileRoute(http, gate, database);
  registerTenantRoutes(http, gate, database);
  const vault = createVault(config.vaultKeys);
  const hashReference = createKeyedHash(config.hashKey, 'external-reference');
  const live = openLive(config, { database, vault, metrics, log, now }, overrides.ports);
  const reports: ReportDependencies = {
    database,
    vault,
    hashIdempotency: createKeyedHash(config.hashKey, 'idempotency'),
    hashReference,
    metrics,
    log,
    live: live?.dependencies,
  };
  registerReportRoutes(http, gate, reports);
  registerReadingRoutes(http, gate, { database, vault, hashReference });
  registerWalletRoutes(http, gate, { database, findSources: createSourceFinder(hashReference) });
  if (live) {
    const { carriers, dependencies } = live;
    const receive = createReceiveReceipt({ database, carriers, failpoint: dependencies.failpoint, log, metrics });
    registerReceiptRoute(http, receive);
  }
  const metricsServer = createMetricsServer(metrics);

  let jobs: { stop(): Promise<void> } | undefined;
  function runJobs(): void {
    jobs = startJobs(
      [
        ...reportJobs(reports, live?.dependencies, live?.dispatcher),
        ...walletJobs(database, metrics, log),
        payloadJob(database),
      ],
      {
        log,
        metrics,
      },
    );
  }
  async function openMetrics(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      metricsServer.once('error', reject).listen(config.metricsPort, config.metricsHost, resolve);
    });
    const { port } = metricsServer.address() as AddressInfo;
    return `http://${config.metricsHost}:${port}/metrics`;
  }

  return {
    http,
    log,
    async listen() {
      const address = await http.listen({ host: config.host, port: config.port });
      const metricsAddress = await openMetrics();
      if (config.runsJobs) runJobs();
      log.info('listening', { address, metricsAddress });
      return { address, metricsAddress };
    },
    async work() {
      const metricsAddress = await openMetrics();
      runJobs();
      log.info('working', { metricsAddress });
      return { metricsAddress };
    },
    async close() {
      isAccepting = false;
      // Long enough for a load balancer to see /readyz and look elsewhere, while requests are still taken.
      await setTimeout(config.drainMs);
      // Answers of the OAuth library do not pass our hooks, so their connections stay open: close them once idle.
      const sweep = setInterval(() => http.server.closeIdleConnections(), IDLE_SWEEP_MS);
      await http.close();
      clearInterval(sweep);
      metricsServer.close();
      await jobs?.stop();
      await live?.close();
      limits.close();
      await database.close();
      metrics.registry.clear();
      log.info('closed');
    },
  };
}

async function isReachable(database: Database): Promise<boolean> {
  // Opening and closing a transaction is enough: it takes a live connection and a server that answers.
  return database.asSystem(async () => true).catch(() => false);
}
