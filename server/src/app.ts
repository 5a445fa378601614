// The composition root: from Config to a running API, every long-lived object made here by hand. Tests pass
// `overrides` for time and for where logs go; nothing else is replaceable.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { registerAuditRoutes } from './audit/routes.ts';
import type { Config } from './config.ts';
import type { ReportDependencies } from './credit-reports/dependencies.ts';
import { reportJobs } from './credit-reports/jobs.ts';
import { createSourceFinder } from './credit-reports/list-charge-sources.ts';
import { registerReadingRoutes } from './credit-reports/reading-routes.ts';
import { registerReceiptRoute } from './credit-reports/receipt-routes.ts';
import { createReceiveReceipt } from './credit-reports/receive-receipt.ts';
import { registerReportRoutes } from './credit-reports/routes.ts';
import { createDeviceSessions } from './fingerprints/device-session.ts';
import { registerFingerprintRoutes } from './fingerprints/routes.ts';
import { readFingerprintScript } from './fingerprints/script.ts';
import type { VerifyToken } from './http/authenticate.ts';
import { createMetricsServer, registerHealthRoutes } from './http/health.ts';
import { createAddressLimit } from './http/rate-limit.ts';
import { registerReference } from './http/reference.ts';
import { createHttpServer } from './http/server.ts';
import { registerCredentialRoutes } from './identity/credentials/credential-routes.ts';
import { cachedClientFinder, clientFinder } from './identity/credentials/find-client.ts';
import { createUseNotes } from './identity/credentials/note-use.ts';
import { createFailureGuard } from './identity/guard-failures.ts';
import { payloadJob } from './identity/jobs.ts';
import { registerPersonPages } from './identity/pages/page-routes.ts';
import { createBreachCheck } from './identity/proofs/breached-passwords.ts';
import { createPasswordCheck } from './identity/proofs/check-password.ts';
import { createPerson } from './identity/proofs/create-person.ts';
import { relyingPartyOf } from './identity/proofs/passkeys.ts';
import { createSecretSeal } from './identity/proofs/seal-secret.ts';
import { appNameFinder } from './identity/provider/find-app-name.ts';
import { createMetadataFinder } from './identity/provider/oauth-clients.ts';
import { createProvider } from './identity/provider/provider.ts';
import { providerPages } from './identity/provider/provider-pages.ts';
import { createTokenIdentifier } from './identity/provider/verify-token.ts';
import { registerOAuthRoutes, registerProfileRoute } from './identity/routes.ts';
import { registerAuthRoutes } from './identity/sign-in/auth-routes.ts';
import { createCookieSignIns } from './identity/sign-in/cookie-sign-ins.ts';
import { cachedPersonFinder } from './identity/sign-in/find-person.ts';
import { createRequirePerson } from './identity/sign-in/person-session.ts';
import { createRefreshTokens } from './identity/sign-in/refresh-tokens.ts';
import { createWebClient } from './identity/sign-in/web-client.ts';
import { type Database, openDatabase } from './lib/database.ts';
import { startJobs } from './lib/jobs.ts';
import { createKeyedHash } from './lib/keyed-hash.ts';
import { openLimits } from './lib/limits.ts';
import { createLog, describeError, type Log } from './lib/log.ts';
import { createMetrics } from './lib/metrics.ts';
import { createVault } from './lib/vault.ts';
import { mailJobs } from './mail/jobs.ts';
import { createLinkTokens } from './mail/link-tokens.ts';
import { createSmtpSender } from './mail/smtp.ts';
import { type LivePorts, openLive } from './open-live.ts';
import { describeInvitation } from './tenants/accept-invitation.ts';
import { invitationJob } from './tenants/jobs.ts';
import { registerMemberRoutes } from './tenants/member-routes.ts';
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
  const { baseUrl, signingKeys } = config;
  const identify = await createTokenIdentifier(baseUrl, signingKeys, {
    findClient: cachedClientFinder(database),
    findPerson: cachedPersonFinder(database),
  });
  const cookies = createCookieSignIns({ baseUrl, identify, webClient: () => webClient });
  const verify: VerifyToken = async (token) => (await identify(token))?.principal;
  const uses = createUseNotes(database, log);
  const gate = { verify, cookies, limits, noteUse: uses.note };
  const guard = createFailureGuard(limits);
  const web = { baseUrl, secret: randomBytes(32).toString('base64url') };
  const refreshTokens = createRefreshTokens(createKeyedHash(config.hashKey, 'refresh-token'));
  const provider = createProvider({
    issuer: baseUrl,
    signingKeys,
    database,
    findMetadata: createMetadataFinder(database, findClient, web),
    guard,
    refreshTokens,
    noteUse: uses.note,
    cookieKey: createKeyedHash(config.hashKey, 'provider-cookies'),
    pages: providerPages,
    log,
  });

  let isAccepting = true;
  const now = overrides.now ?? (() => new Date());
  const http = createHttpServer({ log, metrics, now, trustedProxies: config.trustedProxies });
  registerHealthRoutes(http, {
    isAccepting: () => isAccepting,
    isDatabaseReachable: () => isReachable(database),
  });
  registerReference(http, packageJson.version);
  const webClient = createWebClient(http, web, createKeyedHash(config.hashKey, 'web-client'));
  const limitAddress = createAddressLimit(limits);
  registerOAuthRoutes(http, { provider, guard, baseUrl, limitAddress });
  const { readSession } = cookies;
  registerAuthRoutes(http, { baseUrl, log, database, provider, webClient, refreshTokens, readSession, limitAddress });
  registerProfileRoute(http, gate, database);
  registerTenantRoutes(http, gate, database);
  registerCredentialRoutes(http, gate, database);
  registerAuditRoutes(http, gate, database);
  registerMemberRoutes(http, gate, database);
  const collectionRate = { perSecond: config.collectionRate, burst: config.collectionRate * 4 };
  registerFingerprintRoutes(http, {
    script: readFingerprintScript(),
    sessions: createDeviceSessions(config.vaultKeys),
    now,
    limitScript: createAddressLimit(limits, { key: 'fingerprint-script', rate: collectionRate }),
    limitCollection: createAddressLimit(limits, { key: 'fingerprint', rate: collectionRate }),
  });
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
  const linkTokens = createLinkTokens(config.hashKey);
  const hashAccount = createKeyedHash(config.hashKey, 'sign-in-account');
  registerPersonPages(http, {
    ...{ baseUrl, log, database, limits, provider, linkTokens, createPerson, readSession },
    checkPassword: createPasswordCheck({ database, limits, hashAccount }),
    isBreached: createBreachCheck(config.breachedPasswordsFile),
    seal: createSecretSeal(config.vaultKeys),
    hashRecoveryCode: createKeyedHash(config.hashKey, 'recovery-code'),
    party: relyingPartyOf(baseUrl),
    findAppName: appNameFinder(database),
    requirePerson: createRequirePerson(baseUrl, readSession),
  });
  const sender = config.mail && createSmtpSender(config.mail);
  const sending = sender && {
    ...{ database, sender, linkTokens, baseUrl: config.baseUrl, metrics },
    describeInvitation: (id: string) => describeInvitation(database, id),
  };
  const metricsServer = createMetricsServer(metrics);

  let jobs: { stop(): Promise<void> } | undefined;
  function runJobs(): void {
    if (!config.mail) log.warn('no mail server is configured: invitations and password resets wait in the queue');
    jobs = startJobs(
      [
        ...reportJobs(reports, live?.dependencies, live?.dispatcher),
        ...walletJobs(database, metrics, log),
        payloadJob(database),
        ...mailJobs(database, metrics, sending),
        invitationJob(database),
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
      sender?.close();
      await live?.close();
      limits.close();
      await uses.close();
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
