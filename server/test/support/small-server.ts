// The HTTP server alone, without features, and sockets that keep to no manners: for attacks on connections.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createHttpServer, type Patience } from '../../src/http/server.ts';
import { createLog } from '../../src/lib/log.ts';
import { openMetrics } from '../../src/open-metrics.ts';

export const LONG: Patience = {
  headersMs: 60_000,
  requestMs: 60_000,
  checkMs: 50,
  silenceMs: 60_000,
  unreadMs: 60_000,
};

/** More than the buffers of the system take between two sockets. */
const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');

const sockets: Socket[] = [];
const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const close of closings.splice(0)) await close();
});

export function closeAfterTest(close: () => Promise<unknown>): void {
  closings.push(close);
}

/** Never closes its side, and says nothing unless told. */
export async function openSocket(port: number, from = '127.0.0.1', reads = true): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  if (reads) socket.resume();
  await once(socket, 'connect');
  return socket;
}

export async function openSockets(count: number, port: number, from?: string): Promise<Socket[]> {
  const opened: Socket[] = [];
  for (let index = 0; index < count; index += 1) opened.push(await openSocket(port, from));
  return opened;
}

/** All that the server says on a connection of its own until it closes. */
export async function sayAndRead(port: number, bytes: string, from = '127.0.0.1'): Promise<string> {
  const socket = await openSocket(port, from);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => socket.end());
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

/** The status of a request on a connection of its own; 0 when there was no answer. */
export async function ask(port: number, from = '127.0.0.1', path = '/livez'): Promise<number> {
  const text = await sayAndRead(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, from);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
}

export type Small = {
  readonly perAddress?: number;
  readonly inAll?: number;
  readonly trustedProxies?: string[];
  readonly patience?: Patience;
  readonly hstsSeconds?: number;
  readonly host?: string;
};

/** With a route that answers at the end of the test, and one whose answer is large. */
export async function startSmall({
  perAddress = 100,
  inAll = 200,
  trustedProxies = [],
  patience = LONG,
  hstsSeconds = 0,
  host = '127.0.0.1',
}: Small = {}) {
  const metrics = openMetrics();
  const app = createHttpServer({
    log: createLog('silent'),
    metrics,
    now: () => new Date(),
    trustedProxies,
    hstsSeconds,
    baseUrl: 'https://trefoil.example.com',
    isKnownOrigin: async () => false,
    connections: { perAddress, inAll },
    patience,
  });
  const held = Promise.withResolvers<void>();
  app.get('/livez', async () => ({ status: 'alive' }));
  let busy = 0;
  app.get('/held', async () => {
    busy += 1;
    await held.promise;
    return {};
  });
  let large = 0;
  app.get('/large', async (_request, reply) => {
    large += 1;
    return reply.send(LARGE);
  });
  app.post('/body', async () => ({}));
  await app.listen({ port: 0, host });
  closeAfterTest(async () => {
    held.resolve();
    app.server.closeAllConnections();
    await app.close();
  });
  const { port } = app.server.address() as { port: number };
  const count = () => new Promise<number>((resolve) => app.server.getConnections((_error, open) => resolve(open)));
  async function holdBusy(wanted: number, from: string): Promise<void> {
    const before = busy;
    for (const socket of await openSockets(wanted, port, from)) socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => expect(busy).toBe(before + wanted));
  }
  return { app, port, metrics, count, holdBusy, busy: () => busy, large: () => large };
}
