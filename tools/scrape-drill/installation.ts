// A started installation to watch: a database, the simulators, two API nodes and a worker as processes, with webhook endpoints, and one
// bureau behind a proxy that can be taken away. Everything opened is closed again.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openStage, type StageTenant } from '../../bench/speed/stage.ts';
import { addEndpoints } from '../../bench/webhooks/endpoints.ts';
import { type Config, loadConfig } from '../../server/src/config.ts';
import { freePort } from '../dev/free-port.ts';
import { type SimulatedProviders, startProviders } from '../dev/simulated-providers.ts';
import { type FaultProxy, openProxy } from '../faults/proxy.ts';
import { type Server, startServer } from '../faults/servers.ts';

type Closing = () => unknown;

export type Installation = {
  readonly config: Config;
  readonly folder: string;
  readonly tenants: readonly StageTenant[];
  readonly providers: SimulatedProviders;
  /** The addresses of the API nodes. */
  readonly nodes: readonly string[];
  readonly servers: { readonly api: readonly [Server, Server]; readonly worker: Server };
  /** In front of the bureau transunion. */
  readonly bureau: FaultProxy;
  /** For the exporter: a role that may see statistics and nothing else. */
  readonly monitorUrl: string;
  /** Runs when the drill ends, however it ends, before the installation is closed. */
  readonly onClose: (close: Closing) => void;
};

const TENANTS = 2;
/** A developer's PostgreSQL has a hundred connections in all. */
const CONNECTIONS = { TREFOIL_DATABASE_CONNECTIONS: '8', TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '3' };
const DRAIN_MS = '5000';

/** As docs/operate/monitoring.md describes it. */
async function addMonitor(client: Client, ownerUrl: string, closings: Closing[]): Promise<string> {
  const url = new URL(ownerUrl);
  const role = `${url.pathname.slice(1)}_monitor`;
  await client.query(`create role ${role} login in role pg_monitor`);
  closings.push(() => client.query(`drop role ${role}`));
  url.username = role;
  url.password = '';
  url.searchParams.set('sslmode', 'disable');
  return url.href;
}

/** Of webhooks: takes every message. */
async function startWebhookReceiver(closings: Closing[]): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The settings of the bureaus, with transunion behind the proxy. */
function behindProxy(bureaus: string, port: number): string {
  const settings = JSON.parse(bureaus) as Record<string, { baseUrl: string }>;
  const { transunion, ...others } = settings;
  return JSON.stringify({ ...others, transunion: { ...transunion, baseUrl: `http://127.0.0.1:${port}` } });
}

async function open(closings: Closing[]): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-scrape-'));
  closings.push(() => rm(folder, { recursive: true, force: true }));
  const books = await openStage(TENANTS);
  closings.push(() => books.close());
  const client = new Client({ connectionString: books.ownerUrl });
  await client.connect();
  closings.push(() => client.end());
  const monitorUrl = await addMonitor(client, books.ownerUrl, closings);
  await client.query('update tenants set sms_daily_credits = 1e9, sms_daily_messages = 1e9, sms_minute_messages = 1e9');
  const providers = await startProviders();
  closings.push(() => providers.stop());
  const bureau = await openProxy(Number(new URL(providers.addresses.cygnet).port));
  closings.push(() => bureau.close());
  const environment: Record<string, string> = {
    ...books.environment,
    ...providers.environment,
    ...CONNECTIONS,
    TREFOIL_BUREAUS: behindProxy(providers.environment['TREFOIL_BUREAUS'] ?? '{}', bureau.port),
    TREFOIL_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    TREFOIL_NODES: '2',
  };
  const config = loadConfig(environment);
  const tenants = [books.hot, ...books.spread];
  const url = await startWebhookReceiver(closings);
  const tenantIds = tenants.map(({ tenantId }) => tenantId);
  await addEndpoints(client, config.vaultKeys, { tenantIds, count: tenantIds.length * 2, urlOf: () => url });
  const [first, second] = [config.port, await freePort()];
  const start = async (name: 'api' | 'worker', changes: Record<string, string>) => {
    const server = await startServer({
      ...{ name, directory: process.cwd(), cacheFolder: join(folder, 'compiled') },
      environment: { ...environment, ...changes },
    });
    closings.push(() => server.stop());
    return server;
  };
  const [one, two, worker] = await Promise.all([
    start('api', { TREFOIL_JOBS: 'off', TREFOIL_PORT: String(first) }),
    start('api', { TREFOIL_JOBS: 'off', TREFOIL_PORT: String(second), TREFOIL_DRAIN_MS: DRAIN_MS }),
    start('worker', {}),
  ]);
  return {
    ...{ config, folder, tenants, providers, bureau, monitorUrl },
    nodes: [first, second].map((port) => `http://127.0.0.1:${port}`),
    servers: { api: [one, two], worker },
    onClose: (close) => closings.push(close),
  };
}

export async function onInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const closings: Closing[] = [];
  const interrupted = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
  try {
    return await Promise.race([open(closings).then(work), interrupted]);
  } finally {
    for (const close of closings.toReversed()) {
      try {
        await close();
      } catch (error) {
        process.stderr.write(`${error}\n`);
      }
    }
  }
}
