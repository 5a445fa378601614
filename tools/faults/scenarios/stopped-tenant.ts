// An operator disables a company whose webhooks are being sent, some of them to a receiver that takes seconds to connect: no message begins
// more than two seconds later. Enabled again, it gets everything that waited.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../../../server/src/cli/run-command.ts';
import { openCompany } from '../company.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const ENDPOINTS = 20;
const EVENTS = 100;
const STOPPED_MS_MAX = 2_000;
/** Less than the worker waits for a connection. */
const SLOW_CONNECT_MS = 5_000;
const ANSWER_MS = 100;
/** Longer than the worker waits for a connection, from the last moment at which a message may begin. */
const WATCH_MS = 12_000;
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** One receiver that is reached at once, and one whose connections take as long as it is told. */
async function openReceivers({ certificate }: Stage) {
  if (!certificate) throw new Error('the stage has no certificate');
  const arrivals: { readonly key: string; readonly atMs: number }[] = [];
  const connecting = new Set<Socket>();
  let connectMs = 0;
  const take: RequestListener = (request, response) => {
    arrivals.push({ key: `${request.url} ${String(request.headers['webhook-id'])}`, atMs: Date.now() });
    request.resume().on('end', () => setTimeout(() => response.writeHead(204).end(), ANSWER_MS));
  };
  const quick = createServer(take);
  const secure = createTlsServer({ ...certificate }, take).on('tlsClientError', () => undefined);
  // Connected for TCP, and silent until the handshake of TLS goes on.
  const slow = createTcpServer((socket) => {
    connecting.add(socket.on('error', () => undefined));
    setTimeout(() => {
      connecting.delete(socket);
      secure.emit('connection', socket);
    }, connectMs);
  });
  const quickUrl = `http://127.0.0.1:${await listen(quick)}`;
  const slowUrl = `https://localhost:${await listen(slow)}`;
  return {
    ...{ arrivals, connecting, quickUrl, slowUrl },
    keys: () => new Set(arrivals.map(({ key }) => key)).size,
    setConnectMs(ms: number) {
      connectMs = ms;
    },
    close() {
      for (const server of [quick, secure]) server.closeAllConnections();
      for (const server of [quick, slow]) server.close();
    },
  };
}

async function operate({ config }: Stage, verb: 'disable' | 'enable', tenantId: string): Promise<void> {
  const said: string[] = [];
  const terminal = { log: (text: string) => said.push(text), error: (text: string) => said.push(text) };
  const code = await runCommand(['tenant', verb, '--tenant', tenantId], () => config, terminal);
  if (code !== 0) throw new Error(`tenant ${verb} ended with ${code}: ${said.join('; ')}`);
}

export const stoppedTenant: Scenario = {
  name: 'stopped-tenant',
  promise: 'no message begins more than 2 s after its company is disabled, and none that waited is lost',
  wish: { hasReceivers: true, hasCertificate: true },
  seconds: 4,
  async play({ stage, tally, seconds, say }) {
    const { hot } = stage;
    const receivers = await openReceivers(stage);
    const { arrivals, connecting, quickUrl, slowUrl, keys } = receivers;
    const awaitKeys = async (count: number) => {
      const startedMs = performance.now();
      while (keys() < count && performance.now() - startedMs < PATIENCE_MS) await sleep(LOOK_MS);
      return count - keys();
    };
    try {
      const company = openCompany(stage, hot);
      await company.prove([quickUrl, slowUrl]);
      await company.add(
        Array.from({ length: ENDPOINTS }, (_, place) => `${place % 2 === 0 ? quickUrl : slowUrl}/${place}`),
      );
      await company.happen(1);
      if ((await awaitKeys(ENDPOINTS)) > 0) throw new Error('the first webhooks did not arrive');
      receivers.setConnectMs(SLOW_CONNECT_MS);
      await company.happen(EVENTS);
      await sleep(seconds * 1_000);
      await operate(stage, 'disable', hot.tenantId);
      const [stoppedMs, before, waited] = [Date.now(), keys(), connecting.size];
      say(`  disabled: ${before} had arrived, ${waited} connections are waited for`);
      if (waited === 0) tally.find('connections are waited for when the company is disabled', 'none was');
      await sleep(WATCH_MS);
      const afterMs = arrivals.map(({ atMs }) => atMs - stoppedMs).filter((ms) => ms > 0);
      const late = afterMs.filter((ms) => ms > STOPPED_MS_MAX);
      const lastMs = Math.max(0, ...afterMs);
      if (late.length > 0) {
        tally.find(
          'nothing begins more than 2 s after the company is disabled',
          `${late.length}, the last ${lastMs} ms after`,
        );
      }
      receivers.setConnectMs(0);
      await operate(stage, 'enable', hot.tenantId);
      const lost = await awaitKeys(ENDPOINTS * (EVENTS + 1));
      if (lost > 0) tally.find('nothing that waited is lost', `${lost} did not arrive within two minutes`);
      return {
        stopped: `${afterMs.length} began after it, the last ${lastMs} ms; ${waited} were connecting`,
        arrived: keys(),
      };
    } finally {
      receivers.close();
    }
  },
};
