// Clients that ask and do not read: many requests in one go, and answers that are left lying
// (docs/decisions/0181-unread-answers.md).
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer } from '../harness.ts';
import { ask, closeAfterTest, LONG, openSocket, sayAndRead, startSmall } from '../support/small-server.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Asks for large answers and reads none of them. */
async function leaveUnread(count: number, port: number, from: string): Promise<Socket[]> {
  const opened: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = await openSocket(port, from, false);
    socket.pause();
    socket.write(get('/large'));
    opened.push(socket);
  }
  return opened;
}

test('of 2,000 requests in one chunk 16 are begun, and the connection is closed', async () => {
  const { app, port, busy } = await startSmall();
  let parsed = 0;
  app.server.on('request', () => {
    parsed += 1;
  });
  const socket = await openSocket(port);
  const closed = once(socket, 'end');
  socket.write(get('/held').repeat(2_000));
  await closed;
  expect(busy()).toBe(16);
  // Node does not even read the others.
  expect(parsed).toBe(17);
});

test('200: 16 requests in one chunk are all answered', async () => {
  const { port } = await startSmall();
  const last = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const answers = await sayAndRead(port, get('/livez').repeat(15) + last);
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(16);
});

test('requests that wait behind an unread answer are let go of with their connection', async () => {
  const { app, port } = await startSmall();
  let open = 0;
  app.server.on('request', (_request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
  });
  const socket = await openSocket(port, '127.0.0.1', false);
  socket.pause();
  socket.write(get('/large') + get('/livez').repeat(9));
  await eventually(() => expect(open).toBe(10));
  socket.destroy();
  await eventually(() => expect(open).toBe(0));
});

test('200: 100 connections of 2,000 unread requests leave a node answering, and none of them stays', async () => {
  const server = await startServer();
  closeAfterTest(() => server.close());
  const port = Number(new URL(server.baseUrl).port);
  const opened: Socket[] = [];
  for (let index = 0; index < 100; index += 1) {
    const socket = await openSocket(port, '127.0.0.1', false);
    socket.pause();
    socket.write(get('/openapi.json').repeat(40) + get('/livez').repeat(1_960));
    opened.push(socket);
  }
  expect(await ask(port)).toBe(200);
  const open = async () =>
    Number(/^trefoil_connections (\d+)$/m.exec(await (await fetch(server.metricsAddress)).text())?.[1]);
  await eventually(async () => expect(await open()).toBeLessThan(10));
  for (const socket of opened) socket.destroy();
});

test('a client that does not read its answer is closed', async () => {
  const { port, count } = await startSmall({ patience: { ...LONG, silenceMs: 300 } });
  await leaveUnread(3, port, '127.0.0.1');
  await eventually(async () => expect(await count()).toBe(0));
});

test('a client that reads slowly gets all of its answer', async () => {
  // Reading takes about two seconds at least: longer than the silence, which a stalled machine must not cause by itself.
  const { port } = await startSmall({ patience: { ...LONG, silenceMs: 1_000 } });
  const [socket] = await leaveUnread(1, port, '127.0.0.1');
  let bytes = 0;
  socket?.on('data', (chunk) => {
    bytes += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 5);
  });
  socket?.resume();
  await eventually(() => expect(bytes).toBeGreaterThan(24 * 1024 * 1024), { limitMs: 50_000 });
});

test('200: where every place is held by an unread answer, others are served, the longest unread going first', async () => {
  const { port, count, large, metrics } = await startSmall({
    perAddress: 3,
    inAll: 6,
    patience: { ...LONG, unreadMs: 200 },
  });
  const [first] = await leaveUnread(3, port, '127.0.0.1');
  await leaveUnread(3, port, '127.0.0.2');
  await eventually(() => expect(large()).toBe(6));
  await eventually(async () => expect(await ask(port, '127.0.0.3')).toBe(200));
  expect(await ask(port, '127.0.0.1')).toBe(200);
  expect(await count()).toBeLessThanOrEqual(6);
  expect(await metrics.registry.metrics()).toMatch(
    /^trefoil_connections_closed_total\{limit="all",closed="unread"\} [1-9]/m,
  );
  first?.resume();
  await eventually(() => expect(first?.closed).toBe(true));
});

test('the times are those of the documents: 30 s without progress, 5 s unread before another may take the place', async () => {
  const server = await startServer();
  closeAfterTest(() => server.close());
  expect(server.app.http.server.timeout).toBe(30_000);
});

test('400: the answer to broken HTTP carries the security headers of every other answer', async () => {
  const { port } = await startSmall({ hstsSeconds: 60 });
  const answer = await sayAndRead(port, 'BROKEN\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  for (const header of [
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'referrer-policy: no-referrer',
    'strict-transport-security: max-age=60',
  ]) {
    expect(answer).toContain(`\r\n${header}\r\n`);
  }
});
