// The composition root: from Config to a running API. Every long-lived object is created by hand, here or in the front door
// of its feature. Tests and development pass `overrides` for the clock, the log output, the ports and what the API reference
// fills in; nothing else is replaceable.
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { AGED_TABLES } from './aged-tables.ts';
import { openAudit } from './audit/open-audit.ts';
import { createRoleCheck, findStartFaults, isRingForced } from './check-start.ts';
import { type Config, ConfigError } from './config.ts';
import { openCreditReports } from './credit-reports/open-credit-reports.ts';
import { createReportQueue } from './credit-reports/queue.ts';
import { monthKeyJob } from './credit-reports/retention/month-keys.ts';
import { previewRetention } from './credit-reports/retention/preview-retention.ts';
import { openDocuments } from './documents/open-documents.ts';
import { openEvents } from './events/open-events.ts';
import { openEvidence } from './evidence/open-evidence.ts';
import { openFingerprints } from './fingerprints/open-fingerprints.ts';
import { createAdmitRead } from './http/admit-read.ts';
import type { ConnectionCaps } from './http/connections/connection-limits.ts';
import { listen } from './http/connections/listen.ts';
import { readConsole } from './http/console/read-console.ts';
import { registerConsole } from './http/console/register-console.ts';
import { type Prefill, registerDocs } from './http/docs/register-docs.ts';
import { createMetricsServer, registerHealthRoutes } from './http/health.ts';
import type { Gate } from './http/operations.ts';
import { createHttpServer } from './http/server.ts';
import { openIdentity } from './identity/open-identity.ts';
import { openKeys } from './keys/open-keys.ts';
import { clockJob } from './lib/clock-watch.ts';
import { createKeyedHash } from './lib/crypto/keyed-hash.ts';
import { createSecretSeal } from './lib/crypto/secret-seal.ts';
import { createVault } from './lib/crypto/vault.ts';
import { createFailpoint } from './lib/failpoints.ts';
import { openRingWatch, type RingWatch } from './lib/hash-rings.ts';
import { type Job, startJobs } from './lib/jobs.ts';
import { openLimits } from './lib/limits/limits.ts';
import { createPresence } from './lib/limits/presence.ts';
import { createLog, describeError, type Log } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { readOpenFilesMax } from './lib/open-files.ts';
import { openDatabase } from './lib/postgres/database.ts';
import { retentionJobs } from './lib/postgres/retention.ts';
import { createSchemaCheck } from './lib/postgres/schema.ts';
import { inScope, REQUEST_MS } from './lib/request-scope.ts';
import { openTraces } from './lib/traces/open-traces.ts';
import { VERSION } from './lib/version.ts';
import { openMail } from './mail/open-mail.ts';
import { type LivePorts, openLive } from './open-live.ts';
import { openMetrics } from './open-metrics.ts';
import { reconciliationJobs } from './reconciliation/jobs.ts';
import { type Rests, shortenRest } from './rests.ts';
import { openSubjects } from './subjects/open-subjects.ts';
import { openTenants } from './tenants/open-tenants.ts';
import { openUsage } from './usage/open-usage.ts';
import { openWallet } from './wallet/open-wallet.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';
import type { Budgets } from './webhooks/rules/budgets.ts';

export type Overrides = {
  readonly now?: () => Date;
  readonly logDestination?: DestinationStream;
  /** Stand-ins for other companies, at their ports; ports left out come from the configuration. */
  readonly ports?: Partial<LivePorts>;
  /** For development: what the API reference fills in, on its own origin. */
  readonly prefill?: () => Promise<Prefill | undefined>;
  /** For a server of a checkout without the documentation site: the program that draws the API reference. */
  readonly readBundle?: () => Promise<string>;
  /**
   * How many times as long as usual the service waits for its own parts: a machine that stands still for a moment must not fail a test
   * that is about something else. No setting reaches it.
   */
  readonly patience?: number;
  readonly rests?: Rests;
  /** How much receivers of webhooks get: more, for tests that send much to one of them. */
  readonly webhookBudgets?: Budgets;
};

export interface App {
  readonly http: FastifyInstance;
  readonly log: Log;
  /** Serves requests, and runs the jobs unless the configuration leaves them to a worker process. */
  listen(): Promise<{ address: string; metricsAddress: string }>;
  /** What a process does by itself, by its rest: the alerts must know each of them. */
  listJobs(): readonly Job[];
  /** Runs only the jobs. */
  work(): Promise<{ metricsAddress: string }>;
  /** For a process that runs only this app: from now on it admits as many reports as the event loop can handle. */
  followLoop(): void;
  /** For a process that serves readers: starts what would otherwise keep the first of them waiting. */
  warmUp(): Promise<void>;
  /** Stops accepting requests, finishes those in flight, then closes every connection. */
  close(): Promise<void>;
}

const IDLE_SWEEP_MS = 100;
/** If a queue run, or a wait in the queue, is this old, this node cannot serve. */
const STUCK_MS = 5_000;
const PROBE_MS = 2_000;
/** Silences closer together than this count as one. */
const SILENCE_MS = 30_000;
/** The same function for every app of the process: validators are compiled once for each clock. */
const systemNow = () => new Date();

export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = createLog(config.logLevel, overrides.logDestination);
  const metrics = openMetrics();
  const now = overrides.now ?? systemNow;
  const { patience = 1, rests = {} } = overrides;
  warnOfSettings(config, log);
  const database = openDatabase({
    ...config.database,
    patience,
    onConnectionError: (error) => log.warn('database connection lost', describeError(error)),
    onSilence: createSilenceNote(log, metrics),
  });
  metrics.limitsShared.set(config.redisUrl === undefined ? 0 : 1);
  const limits = openLimits({
    redisUrl: config.redisUrl,
    keyPrefix: config.redisPrefix,
    timeoutMs: patience * config.redisTimeoutMs,
    nodes: config.nodes,
    onFallback(error) {
      metrics.limitFallbacks.inc();
      log.warn('limits judged without redis', describeError(error));
    },
    // Under the first key alone: a rotation begins the counts of a second to an hour anew, and that is all.
    hashKey: createKeyedHash(config.hashKeys[0].key, 'limits'),
  });
  const rings = openRingWatch(database.jobs, config.hashKeys, { isForced: isRingForced(config), log });
  const presence = createPresence();
  const keys = openKeys(config.keyService, { database, metrics, log, now });
  const vault = createVault(config.vaultKeys, { working: keys?.working, isRingFirst: keys?.isRingFirst ?? false });
  const failpoint = createFailpoint(config.failpoint, () => process.kill(process.pid, 'SIGKILL'));
  const traces = openTraces(config.traces, { log, metrics });
  const { tracer } = traces;
  const queue = createReportQueue(database.queue, failpoint, tracer, patience);
  metrics.watchQueue(queue.state);

  const builtConsole = readConsole(config.consoleFolder);
  const homePath = builtConsole ? '/console' : '/v1/auth/account';
  const identity = await openIdentity(config, { database, limits, log, homePath, rests });
  const tenants = openTenants({ database, previewRetention, seal: createSecretSeal(config.vaultKeys) });
  const audit = openAudit({ database });
  const fingerprints = openFingerprints(config, { limits, metrics, log, now });
  const { openSession } = fingerprints;
  const around = { database, vault, queue, metrics, log, now };
  const live = openLive(config, { ...around, failpoint, presence, openSession, tracer, patience }, overrides.ports);
  const reports = openCreditReports(config, live, { ...around, rests });
  const { readCompleted } = reports.forDocuments;
  const evidence = openEvidence(config, {
    ...{ database, log, readCompleted },
    software: { merge: VERSION, document: VERSION },
  });
  const { describeFor, describeOf, describeNow } = reports.forEvents;
  const events = openEvents({ database, metrics, log, describeFor });
  const { describeInvitation, findTenant, listMoneyPeople, listWebhookPeople: listPeople } = tenants;
  const usage = openUsage({ database, now });
  const wallet = openWallet({
    ...{ database, metrics },
    ...reports.forStatements,
    ...usage.forStatements,
    listMoneyPeople,
    findTenant,
  });
  const documents = openDocuments({ log, metrics, readCompleted, evidence, ...wallet.forDocuments });
  const { paintSubject } = documents;
  const subjects = openSubjects(config, { database, vault, now, paintSubject, findTenant });
  const webhooks = openWebhooks(config, {
    ...{ database, metrics, log, now, tracer, describeOf, describeNow, listPeople, findTenant },
    budgets: overrides.webhookBudgets,
  });
  const { describeCredential, describeMember } = identity;
  const { describeLowWallet } = wallet;
  const { describeWebhook } = webhooks;
  const mail = openMail(config, {
    ...{ database: database.jobs, metrics },
    ...{ describeInvitation, describeCredential, describeMember, describeLowWallet, describeWebhook },
  });

  let isAccepting = true;
  const http = createHttpServer({
    ...{ log, metrics, now, tracer },
    answerMs: patience * REQUEST_MS,
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    connections: fitConnections(config.connections, log),
    hstsSeconds: config.hstsSeconds,
    isKnownOrigin: identity.isKnownOrigin,
    showUnknown: identity.showUnknown,
  });
  const isSchemaCurrent = createSchemaCheck(log);
  const areRolesBound = createRoleCheck(database, log);
  registerHealthRoutes(http, {
    isAccepting: () => isAccepting,
    isDatabaseReady: () => isReady(async () => (await database.asSystem(isSchemaCurrent)) && areRolesBound()),
    whyHeld: rings.whyHeld,
    isQueueMoving: () => queue.state().runMs < STUCK_MS && queue.state().oldestMs < STUCK_MS,
    areLimitsShared: config.redisUrl !== undefined,
  });
  const gate: Gate = {
    ...{ verify: identity.verify, cookies: identity.cookies, noteUse: identity.noteUse },
    ...{ limits, noteTenant: presence.note, letIn: reports.letIn },
    admitRead: createAdmitRead(presence, metrics),
  };
  registerDocs(http, {
    ...{ ...config, version: VERSION },
    ...{ prefill: overrides.prefill, readBundle: overrides.readBundle },
  });
  registerConsole(http, builtConsole, config.baseUrl);
  identity.register(http, gate);
  tenants.register(http, gate);
  audit.register(http, gate);
  events.register(http, gate);
  fingerprints.register(http);
  reports.register(http, gate, limits);
  documents.register(http, gate);
  evidence.register(http, gate, limits);
  wallet.register(http, gate);
  webhooks.register(http, gate);
  usage.register(http, gate);
  subjects.register(http, gate);
  const metricsServer = createMetricsServer(metrics);

  /** Runs before anything is served, and starts the jobs that every process has. */
  async function checkStart(): Promise<void> {
    const faults = await findStartFaults({ database: database.jobs, now, log, rings }, config);
    if (faults.length > 0) throw new ConfigError(faults);
    await evidence.checkRing();
    await keys?.working.prepare();
    const clock = clockJob({ database: database.jobs, now, metrics, log });
    watching = startJobs([clock, rings.job, ...(keys ? [keys.working.job] : [])], { log, metrics });
  }

  /** A worker has no /readyz: its jobs fail, and touch nothing, until row-level security binds its roles and its ring fits. */
  const onceChecked = (job: Job): Job => ({
    ...job,
    async run(signal) {
      if (!(await areRolesBound())) throw new Error('row-level security does not bind a database role');
      const reason = await rings.whyHeld();
      if (reason) throw new Error(reason);
      return job.run(signal);
    },
  });

  let watching: { stop(): Promise<void> } | undefined;
  let jobs: { stop(): Promise<void> } | undefined;
  const listJobs = (): Job[] => [
    ...reports.jobs(),
    ...(keys ? [monthKeyJob({ ...keys, database: database.jobs, log, now })] : []),
    ...reconciliationJobs(database.jobs, metrics, log),
    ...wallet.jobs,
    ...usage.jobs,
    ...events.jobs,
    ...subjects.jobs(),
    ...mail.jobs,
    ...webhooks.jobs,
    ...retentionJobs(database.jobs, metrics, AGED_TABLES),
  ];
  function runJobs(): void {
    if (!config.mail) log.warn('no mail server is configured: invitations and password resets wait in the queue');
    const own = listJobs().map((job) => onceChecked(shortenRest(job, rests)));
    jobs = startJobs(own, { log, metrics });
  }
  async function serveMetrics(): Promise<string> {
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
      await checkStart();
      const address = await listen(http, config);
      const metricsAddress = await serveMetrics();
      if (config.runsJobs) runJobs();
      log.info('listening', { address, metricsAddress });
      return { address, metricsAddress };
    },
    listJobs,
    async work() {
      await checkStart();
      const metricsAddress = await serveMetrics();
      runJobs();
      log.info('working', { metricsAddress });
      return { metricsAddress };
    },
    followLoop: () => live?.followLoop(),
    warmUp: () => documents.warmUp(),
    async close() {
      isAccepting = false;
      // Long enough for a load balancer to see /readyz and use other nodes, while this one still accepts requests.
      await setTimeout(config.drainMs);
      // Responses of the OAuth library bypass our hooks, so their connections stay open: close them once idle.
      const sweep = setInterval(() => http.server.closeIdleConnections(), IDLE_SWEEP_MS);
      await http.close();
      clearInterval(sweep);
      metricsServer.close();
      await Promise.all([jobs?.stop(), watching?.stop()]);
      // Without a database it counts as running for three minutes more.
      if (watching) await noteEnd(rings, log);
      mail.close();
      await webhooks.close();
      // Reports whose request was answered at its deadline may not be settled yet.
      await queue.idle();
      await live?.close();
      await documents.close();
      limits.close();
      await identity.close();
      await keys?.service.close();
      await database.close();
      await traces.close();
      metrics.registry.clear();
      log.info('closed');
    },
  };
}

function warnOfSettings({ exceptions, unknownSettings, failpoint, webhookNetworks }: Config, log: Log): void {
  if (webhookNetworks.length > 0) log.warn('webhooks may be sent to networks inside: for development only');
  for (const setting of exceptions) log.warn('an unsafe setting is allowed', { setting });
  for (const { setting, nearest } of unknownSettings) {
    log.warn('an unknown setting is ignored', { setting, nearest });
  }
  if (failpoint) log.warn('a failpoint is armed: this process will kill itself');
}

/** File descriptors for the process itself: the database, Redis, bureaus, screening and carrier, files. */
const OWN_FILES = 400;
const CONNECTIONS_MIN = 50;

/** No more connections than the process's limit of open files allows: beyond it, neither probes nor the database get one. */
function fitConnections(caps: ConnectionCaps, log: Log): ConnectionCaps {
  const inAllMax = Math.max(CONNECTIONS_MIN, (readOpenFilesMax() ?? Number.POSITIVE_INFINITY) - OWN_FILES);
  if (caps.inAll <= inAllMax) return caps;
  log.warn('the limit of open files lowers TREFOIL_CONNECTIONS', { count: inAllMax });
  return { ...caps, inAll: inAllMax };
}

/** One log line each time the database stops answering, however many statements time out; the metric counts them all. */
function createSilenceNote(log: Log, metrics: Metrics): (pool: string) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (pool) => {
    metrics.databaseTimeouts.inc({ pool });
    if (performance.now() - lastMs > SILENCE_MS) log.error('database silent', { pool });
    lastMs = performance.now();
  };
}

async function noteEnd(rings: RingWatch, log: Log): Promise<void> {
  const noted = inScope({ deadlineMs: performance.now() + PROBE_MS }, () => rings.stop()).catch((error) =>
    log.warn('the end of this process was not noted', describeError(error)),
  );
  await Promise.race([noted, setTimeout(PROBE_MS, undefined, { ref: false })]);
}

async function isReady(askDatabase: () => Promise<boolean>): Promise<boolean> {
  // Opening and closing a transaction needs a live connection and a server that answers; it also checks schema and roles.
  const scope = { deadlineMs: performance.now() + PROBE_MS };
  const asked = inScope(scope, askDatabase).catch(() => false);
  return Promise.race([asked, setTimeout(PROBE_MS, false, { ref: false })]);
}
