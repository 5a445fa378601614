// A neighbour on the same link connects with a link-local address, which the system tells with its interface. One such
// connection once ended the process (docs/decisions/0183-told-addresses.md).
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { networkOf } from '../../src/lib/values/ip-address.ts';
import { startSmall } from '../support/small-server.ts';

const local = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
  addresses.filter(({ address }) => address.startsWith('fe80:')).map(({ address }) => `${address}%${name}`),
)[0];

/** As the server sees them: the system may tell any of these. */
const TOLD = ['fe80::1%eth0', 'fe80::1%1', 'fe80::1%', '::ffff:192.0.2.1%eth0', '%', '[', 'x', ''];

test.each(TOLD)('a connection from %j is counted like any other and ends nothing', async (remoteAddress) => {
  const { app, port } = await startSmall();
  app.server.prependListener('connection', (socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  });
  const response = await fetch(`http://127.0.0.1:${port}/livez`);
  expect(response.status).toBe(200);
  expect(() => networkOf(remoteAddress)).not.toThrow();
});

test.skipIf(local === undefined)('200: a real link-local connection is served', async () => {
  const { app } = await startSmall({ host: '::' });
  const { port } = app.server.address() as { port: number };
  const socket = connect({ host: local ?? '', port });
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /);
});

test('a connection that cannot be judged is closed, and the next one is served', async () => {
  const { app, port } = await startSmall();
  app.server.prependOnceListener('connection', (socket) => {
    Object.defineProperty(socket, 'remoteAddress', {
      get() {
        throw new Error('no address');
      },
    });
  });
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
});
