// What a receiver may send before its status, against a real listener: informational answers and bytes are counted for each
// request, also on a connection that is kept.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GuardedLine, type GuardedReply, openGuardedLine } from './guarded-line.ts';

const INTERIM = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const answerWith = (header: string) => `HTTP/1.1 200 OK\r\n${header}content-length: 4\r\n\r\ndone`;
const EXCESS: GuardedReply = { kind: 'unreached', reason: 'excess' };
const DONE: GuardedReply = { kind: 'answered', status: 200, retryAfter: undefined, answer: 'done' };

let line: GuardedLine;
/** The sockets of this process, the listener's not among them. */
let opened: Socket[];
const note = (message: unknown) => opened.push((message as { socket: Socket }).socket);
beforeEach(() => {
  line = openGuardedLine({ allowedNetworks: ['127.0.0.0/8'] });
  opened = [];
  subscribe('net.client.socket', note);
});
afterEach(async () => {
  unsubscribe('net.client.socket', note);
  await line.close();
});

const single = (text: string) => (socket: Socket) => void socket.write(text);

/** For as long as the other side reads. */
const endless = (text: string) => (socket: Socket) => {
  const more = () => {
    let isRoom = true;
    while (isRoom && !socket.destroyed) isRoom = socket.write(text);
  };
  socket.on('drain', more);
  more();
};

/** `count` is how many requests the connection has brought, this one included. */
async function listen(send: (socket: Socket, count: number) => void) {
  const server = createServer((socket) => {
    let count = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      // The body of a request ends with a brace.
      if (!String(chunk).endsWith('}')) return;
      count += 1;
      send(socket, count);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    async post(isWanted = true) {
      const [where] = await line.locate(url);
      if (!where) throw new Error('the receiver may be reached');
      return line.post(where, { headers: {}, body: '{}', timeoutMs: 30_000, isWanted: async () => isWanted });
    },
    [Symbol.dispose]: () => void server.close(),
  };
}

const rows: [string, (socket: Socket) => void, GuardedReply][] = [
  ['10 informational answers and a status', single(INTERIM.repeat(10) + answerWith('')), DONE],
  ['11 informational answers and a status', single(INTERIM.repeat(11) + answerWith('')), EXCESS],
  ['informational answers without end', endless(INTERIM.repeat(2_000)), EXCESS],
  ['few informational answers of 12 kB', endless(`HTTP/1.1 103 Hints\r\nlink: ${'a'.repeat(12_000)}\r\n\r\n`), EXCESS],
  ['blank lines without end', endless('\r\n'.repeat(10_000)), EXCESS],
  ['a text beside the status without end', single(`HTTP/1.1 200 ${'a'.repeat(400_000)}`), EXCESS],
];
for (const [what, send, expected] of rows) {
  test(`${what}: ${expected === DONE ? 'answered' : 'closed'}`, async () => {
    using receiver = await listen(send);
    expect(await receiver.post()).toEqual(expected);
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([expected === EXCESS]);
    // Beyond the limit there is only what the same reads brought.
    expect(opened[0]?.bytesRead).toBeLessThan(256 * 1_024);
  });
}

test('a connection that is kept: each answer has the limit anew, and none is without', async () => {
  const long = single(INTERIM.repeat(4) + answerWith(`x-filler: ${'a'.repeat(10_000)}\r\n`));
  const flood = endless(INTERIM);
  using receiver = await listen((socket, count) => (count <= 10 ? long : flood)(socket));
  const replies: GuardedReply[] = [];
  while (replies.length < 100 && !replies.includes(EXCESS)) {
    const reply = await receiver.post();
    replies.push(reply.kind === 'answered' ? reply : EXCESS);
    expect(reply).toEqual(replies.at(-1));
  }
  expect(replies).toContain(EXCESS);
  expect(replies.length).toBeGreaterThan(10);
});

test('what is not wanted any more once the receiver is connected is not sent', async () => {
  const seen: number[] = [];
  using receiver = await listen((socket, count) => {
    seen.push(count);
    socket.write(answerWith(''));
  });
  expect(await receiver.post(false)).toEqual({ kind: 'unwanted' });
  expect(opened.map(({ bytesWritten, destroyed }) => [bytesWritten, destroyed])).toEqual([[0, true]]);
  expect(await receiver.post()).toEqual(DONE);
  expect(seen).toEqual([1]);
});

test('all of the last 64 bits of an IPv6 address count as one receiver', async () => {
  const inside = openGuardedLine({ allowedNetworks: ['2001:db8::/32'] });
  const blockOf = async (address: string) => (await inside.locate(`http://[${address}]:1024/`))[0]?.block;
  expect(await blockOf('2001:db8:1:2::3')).toBe('2001:db8:1:2::/64');
  expect(await blockOf('2001:db8:1:2:4:5:6:7')).toBe('2001:db8:1:2::/64');
  await inside.close();
});
