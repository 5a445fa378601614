// Connections that cost their client nothing: silent, slow, never closed. They must not keep others out, nor stay
// (docs/decisions/0147-connections.md).
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { Patience } from '../../src/http/server.ts';
import { startServer } from '../harness.ts';
import { ask, closeAfterTest, LONG, openSocket, openSockets, startSmall } from '../support/small-server.ts';

const SHORT: Patience = { ...LONG, headersMs: 300, requestMs: 900 };

test('200: 600 silent sockets leave a node ready, at their own address too, and its metrics answer', async () => {
  const server = await startServer({
    environment: { TREFOIL_CONNECTIONS_PER_ADDRESS: '200', TREFOIL_CONNECTIONS: '300' },
  });
  closeAfterTest(() => server.close());
  const { port } = new URL(server.baseUrl);
  await openSockets(300, Number(port));
  await openSockets(300, Number(port), '127.0.0.2');
  expect(await ask(Number(port), '127.0.0.1', '/readyz')).toBe(200);
  expect(await ask(Number(port), '127.0.0.3', '/readyz')).toBe(200);
  const metrics = await (await fetch(server.metricsAddress)).text();
  const open = Number(/^trefoil_connections (\d+)$/m.exec(metrics)?.[1]);
  expect(open).toBeLessThanOrEqual(300);
  expect(metrics).toMatch(/^trefoil_connections_closed_total\{limit="address",closed="idle"\} [1-9]/m);
});

test('one address has its share, and the longest idle connection goes first', async () => {
  const { port, count } = await startSmall({ perAddress: 3 });
  const opened = await openSockets(3, port);
  const closed = Promise.all(opened.slice(0, 2).map((socket) => once(socket, 'end')));
  await openSockets(2, port);
  await closed;
  expect(await count()).toBe(3);
  expect(opened[2]?.readableEnded).toBe(false);
});

test('where all connections of an address are busy a new one is closed, and other addresses go on', async () => {
  const { port, holdBusy } = await startSmall({ perAddress: 3 });
  await holdBusy(3, '127.0.0.1');
  expect(await ask(port, '127.0.0.1')).toBe(0);
  expect(await ask(port, '127.0.0.2')).toBe(200);
});

test('in all there is a limit too', async () => {
  const { port, count, holdBusy } = await startSmall({ perAddress: 3, inAll: 6 });
  await holdBusy(3, '127.0.0.1');
  await holdBusy(3, '127.0.0.2');
  expect(await ask(port, '127.0.0.3')).toBe(0);
  expect(await count()).toBe(6);
});

test('a trusted proxy may hold more than one address', async () => {
  const { port, holdBusy } = await startSmall({ perAddress: 3, trustedProxies: ['127.0.0.1'] });
  await holdBusy(10, '127.0.0.1');
  expect(await ask(port, '127.0.0.1')).toBe(200);
});

const HEAD = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

const slow: Record<string, { first: string; drip: string }> = {
  'says nothing': { first: '', drip: '' },
  'sends its head a byte at a time': { first: HEAD, drip: 'x' },
  'sends its body a byte at a time': { first: `${HEAD}Content-Length: 10000\r\n\r\n`, drip: ' ' },
  'sends its body in small chunks': { first: `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\n \r\n' },
};

test.each(Object.entries(slow))('a client that %s and never closes is closed', async (_name, { first, drip }) => {
  const { port, count } = await startSmall({ patience: SHORT });
  const socket = await openSocket(port);
  socket.write(first);
  const dripping = setInterval(() => socket.write(drip), 20);
  try {
    await eventually(async () => expect(await count()).toBe(0));
  } finally {
    clearInterval(dripping);
  }
});

test('the times are those of the documents: 10 s for the head, 30 s for all, looked at every second', async () => {
  const server = await startServer();
  closeAfterTest(() => server.close());
  expect(server.app.http.server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
  });
});
