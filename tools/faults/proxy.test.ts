// The proxy does to real connections what the names of its methods say.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, openProxy } from './proxy.ts';

let echo: Server;
let proxy: FaultProxy;
const sockets: Socket[] = [];
const SHORT_MS = 150;

beforeEach(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  proxy = await openProxy((echo.address() as AddressInfo).port);
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy.close();
  echo.close();
});

function dial(): Socket {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** What comes back within a short time; undefined when nothing does. */
async function say(socket: Socket, text: string): Promise<string | undefined> {
  socket.write(text);
  return hear(socket);
}

async function hear(socket: Socket): Promise<string | undefined> {
  const heard = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  return Promise.race([heard, sleep(SHORT_MS).then(() => undefined)]);
}

test('silence: an old connection hears nothing and is not ended, a new one works', async () => {
  const old = dial();
  expect(await say(old, 'one')).toBe('one');
  proxy.silence();
  expect(await say(old, 'two')).toBeUndefined();
  expect(old.destroyed).toBe(false);
  expect(await say(dial(), 'three')).toBe('three');
});

test('stall: nothing passes on old and new connections, and afterwards what was sent arrives', async () => {
  const old = dial();
  expect(await say(old, 'one')).toBe('one');
  proxy.stall();
  const fresh = dial();
  expect(await Promise.all([say(old, 'two'), say(fresh, 'three')])).toEqual([undefined, undefined]);
  proxy.resume();
  expect(await Promise.all([hear(old), hear(fresh)])).toEqual(['two', 'three']);
});

test('away: every connection is cut, a new one is refused, and later they work again', async () => {
  const old = dial();
  expect(await say(old, 'one')).toBe('one');
  const cut = new Promise((resolve) => old.once('close', resolve));
  await proxy.goAway();
  await cut;
  const [error] = (await once(connect(proxy.port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
  await proxy.comeBack();
  expect(await say(dial(), 'two')).toBe('two');
});

test('delay: an answer comes so much later, both ways', async () => {
  const socket = dial();
  expect(await say(socket, 'one')).toBe('one');
  proxy.delay(100);
  const startedMs = performance.now();
  socket.write('two');
  await once(socket, 'data');
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(195);
});
