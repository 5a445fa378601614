// The proxy does to real connections what the names of its methods say.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, openProxy } from './proxy.ts';

let echo: Server;
let proxy: FaultProxy;
const sockets: Socket[] = [];

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

async function hear(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return String(data);
}

/** What comes back. */
async function say(socket: Socket, text: string): Promise<string> {
  const heard = hear(socket);
  socket.write(text);
  return heard;
}

/** Whether nothing came back, although more was said meanwhile, and answered, past the proxy. */
async function hearsNothing(...asked: readonly Socket[]): Promise<boolean> {
  let isHeard = false;
  const note = () => {
    isHeard = true;
  };
  for (const socket of asked) socket.once('data', note);
  const direct = connect((echo.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(direct);
  for (let count = 0; count < 20; count += 1) await say(direct, 'meanwhile');
  for (const socket of asked) socket.off('data', note).pause();
  return !isHeard;
}

test('silence: an old connection hears nothing and is not ended, a new one works', async () => {
  const old = dial();
  expect(await say(old, 'one')).toBe('one');
  proxy.silence();
  old.write('two');
  expect(await hearsNothing(old)).toBe(true);
  expect(old.destroyed).toBe(false);
  expect(await say(dial(), 'three')).toBe('three');
});

test('stall: nothing passes on old and new connections, and afterwards what was sent arrives', async () => {
  const old = dial();
  expect(await say(old, 'one')).toBe('one');
  proxy.stall();
  const fresh = dial();
  old.write('two');
  fresh.write('three');
  expect(await hearsNothing(old, fresh)).toBe(true);
  proxy.resume();
  expect(await Promise.all([hear(old.resume()), hear(fresh.resume())])).toEqual(['two', 'three']);
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
  // steady: at least so long; a slow machine only takes longer.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(195);
});
