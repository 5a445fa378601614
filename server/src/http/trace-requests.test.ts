// The HTTP server alone: clients that hang up, and clients that are slow to send.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { OPERATIONS } from '@trefoil/contract';
import { Registry } from 'prom-client';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../lib/ids.ts';
import { createLog } from '../lib/log.ts';
import { ownMs } from '../lib/request-scope.ts';
import { followReport, type Span } from '../lib/traces/span.ts';
import { contextOf, createTracer } from '../lib/traces/tracer.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { createHttpServer } from './server.ts';

const PATH = OPERATIONS.generateCreditReport.path;
const ADDRESS = PATH.replace(':tenantId', newId());
const closings: (() => unknown)[] = [];
/** After it, nothing more can be recorded. */
async function closeAll(): Promise<void> {
  for (const close of closings.splice(0).reverse()) await close();
}
afterEach(async () => {
  vi.useRealTimers();
  await closeAll();
});

async function start(handle: () => Promise<unknown>) {
  const recorded: Span[] = [];
  const record = (span: Span) => void recorded.push(span);
  const app = createHttpServer({
    log: createLog('silent'),
    metrics: createHttpMetrics(new Registry()),
    now: () => new Date(),
    tracer: createTracer({ ratio: 1, callers: 'link', tells: [], record }),
    connections: { perAddress: 10, inAll: 10 },
    trustedProxies: [],
    hstsSeconds: 0,
    baseUrl: 'http://127.0.0.1',
    isKnownOrigin: async () => false,
  });
  const waitsForBody = Promise.withResolvers<void>();
  app.addHook('preParsing', async () => waitsForBody.resolve());
  app.post(PATH, { config: { operation: 'generateCreditReport' } }, handle);
  await app.listen({ port: 0, host: '127.0.0.1' });
  closings.push(() => app.close());
  const { port } = app.server.address() as { port: number };
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    closings.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const requests = () => recorded.filter(({ kind }) => kind === 'server');
  const countConnections = () => promisify(app.server.getConnections.bind(app.server))();
  return { open, requests, countConnections, waitsForBody: waitsForBody.promise };
}

const head = (bytes: number) =>
  `POST ${ADDRESS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

test('a client that hangs up: the request is the root of its report’s trace, and ends once, with the work', async () => {
  const id = newId();
  const begun = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const { open, requests, countConnections } = await start(async () => {
    begun.resolve();
    await hungUp.promise;
    // The report is only reserved now.
    followReport(id, true);
    await done.promise;
    return {};
  });
  const socket = await open();
  socket.write(`${head(2)}{}`);
  await begun.promise;
  socket.resetAndDestroy();
  await eventually(async () => expect(await countConnections()).toBe(0));
  expect(requests()).toEqual([]);
  hungUp.resolve();
  await new Promise(setImmediate);
  expect(requests()).toEqual([]);
  done.resolve();
  await eventually(() => expect(requests()).toHaveLength(1));
  await closeAll();
  expect(requests()).toMatchObject([{ name: `POST ${PATH}`, spanId: contextOf(id).spanId, parent: undefined }]);
});

test('a client that hangs up while it sends: a trace of its own, ended once', async () => {
  const { open, requests, waitsForBody } = await start(async () => ({}));
  const socket = await open();
  socket.write(`${head(100)}{`);
  await waitsForBody;
  socket.resetAndDestroy();
  await eventually(() => expect(requests()).toHaveLength(1));
  await closeAll();
  expect(requests()).toHaveLength(1);
});

test('a client that reads its answer: ended once', async () => {
  const { open, requests } = await start(async () => ({}));
  const socket = await open();
  socket.write(`${head(2)}{}`);
  await once(socket, 'data');
  socket.end();
  await once(socket.resume(), 'close');
  await closeAll();
  expect(requests()).toMatchObject([{ isFailed: false, attributes: { 'http.response.status_code': 200 } }]);
});

test('a client that is slow to send: that time is not the request’s own', async () => {
  // On a clock that only this test moves, the request itself takes no time.
  vi.useFakeTimers({ toFake: ['performance'] });
  let usedMs: number | undefined;
  const { open, waitsForBody } = await start(async () => {
    usedMs = ownMs();
    return {};
  });
  const socket = await open();
  socket.write(`${head(2)}{`);
  await waitsForBody;
  vi.advanceTimersByTime(600);
  socket.write('}');
  await once(socket, 'data');
  expect(usedMs).toBe(0);
});
