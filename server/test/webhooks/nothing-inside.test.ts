// Nothing inside is reachable: a table of tricks, each against a real listener on every address of this machine. A trick
// fails the test when the listener sees a connection, or when this process opens any connection at all.

import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { type GuardedLine, type GuardedReply, openGuardedLine } from '../../src/lib/outside/guarded-line.ts';
import { judgeOutsideUrl } from '../../src/lib/outside/outside-url.ts';
import { isPublicAddress } from '../../src/lib/outside/public-address.ts';
import { startDns, type TestDns } from '../support/dns.ts';
import { LITERAL_TRICKS, NAME_TRICKS } from '../support/inside-tricks.ts';

let dns: TestDns;
let inside: Server;
let port: number;
let reached = 0;
/** Client sockets of this process to anywhere; DNS questions are not among them. */
let opened: Socket[] = [];
const line = openGuardedLine({ allowedNetworks: [] });
const note = (message: unknown) => opened.push((message as { socket: Socket }).socket);

beforeAll(async () => {
  dns = await startDns();
  inside = createServer((socket) => {
    reached += 1;
    socket.on('error', () => undefined);
    socket.destroy();
  });
  // On every address of both families.
  await once(inside.listen(0, '::'), 'listening');
  ({ port } = inside.address() as AddressInfo);
  subscribe('net.client.socket', note);
});
afterAll(async () => {
  unsubscribe('net.client.socket', note);
  await line.close();
  inside.close();
  await dns.stop();
});

const REFUSED: GuardedReply = { kind: 'unreached', reason: 'host' };

async function post(through: GuardedLine, url: string): Promise<GuardedReply> {
  const [where] = await through.locate(url);
  if (!where) return REFUSED;
  const headers = { 'content-type': 'application/json' };
  return through.post(where, { headers, body: '{}', timeoutMs: 5_000, isWanted: async () => true });
}

async function expectNotReached(url: string): Promise<void> {
  [reached, opened] = [0, []];
  expect(await post(line, url)).toEqual(REFUSED);
  expect([reached, opened.length]).toEqual([0, 0]);
}

test('the table is long enough, and no trick is there twice', () => {
  const all = [...LITERAL_TRICKS.map(([url]) => url), ...NAME_TRICKS.map(([, rule]) => rule.name)];
  expect(all.length).toBeGreaterThanOrEqual(40);
  expect(new Set(all).size).toBe(all.length);
});

test('the listener can be reached by those who may: the refusals below have no other cause', async () => {
  const open = openGuardedLine({ allowedNetworks: ['127.0.0.0/8', '::1/128'] });
  try {
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433', '0177.0.0.1']) {
      reached = 0;
      expect(await post(open, `http://${host}:${port}/`)).toEqual({ kind: 'unreached', reason: 'connection' });
      expect([host, reached]).toEqual([host, 1]);
    }
  } finally {
    await open.close();
  }
});

describe('an address or a URL that leads inside', () => {
  test.each(LITERAL_TRICKS)('%s (%s) is refused and not connected to', async (template) => {
    await expectNotReached(template.replaceAll('PORT', String(port)));
  });

  test('every address of this machine is refused, and so is its name', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
    expect(addresses).toContain('127.0.0.1');
    for (const address of addresses) {
      const host = address.includes(':') ? `[${address.split('%')[0]}]` : address;
      await expectNotReached(`https://${host}:${port}/`);
    }
    await expectNotReached(`https://${hostname()}:${port}/`);
  });
});

describe('a name that leads inside', () => {
  test.each(NAME_TRICKS)('%s is refused and not connected to', async (_what, rule) => {
    await dns.set(rule);
    await expectNotReached(`https://${rule.name}:${port}/`);
  });

  test('a name that no DNS server knows gets the same answer as one that leads inside', async () => {
    await expectNotReached(`https://nobody.example.com:${port}/`);
  });
});

/**
 * Two listeners with one port on two addresses of this machine: 127.0.0.2 stands for the outside and is allowed, 127.0.0.1
 * is the inside.
 */
async function startPair(answer = { status: 200, headers: {} as Record<string, string> }, nameMs?: number) {
  const seen = { outside: 0, inside: 0 };
  const outside = createHttpServer((request, response) => {
    seen.outside += 1;
    request.resume();
    response.writeHead(answer.status, answer.headers).end('outside');
  });
  // Not a port of the system's choice: on the other address an outgoing connection may have it.
  const shared = await freePort();
  await once(outside.listen(shared, '127.0.0.2'), 'listening');
  const hidden = createHttpServer((_request, response) => {
    seen.inside += 1;
    response.end('inside');
  });
  await once(hidden.listen(shared, '127.0.0.1'), 'listening');
  const through = openGuardedLine({ allowedNetworks: ['127.0.0.2/32'], nameMs });
  return {
    seen,
    hidden,
    port: shared,
    line: through,
    answer,
    async close() {
      await through.close();
      for (const server of [outside, hidden]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

describe('rebinding', () => {
  test('a name whose address changes after the check: the connection goes to the checked address', async () => {
    const pair = await startPair();
    try {
      // Every later question, such as one of a second look-up before the connection, gets the inside.
      await dns.set({ name: 'rebind.example.com', a: [['127.0.0.2'], ['127.0.0.1']] });
      expect(await post(pair.line, `http://rebind.example.com:${pair.port}/`)).toMatchObject({ status: 200 });
      expect(pair.seen).toEqual({ outside: 1, inside: 0 });
    } finally {
      await pair.close();
    }
  });

  test('a name that was good and leads inside at the next look: the second request is refused', async () => {
    const pair = await startPair({ status: 200, headers: { connection: 'close' } }, 0);
    try {
      await dns.set({ name: 'later.example.com', a: [['127.0.0.2'], ['127.0.0.1']] });
      const url = `http://later.example.com:${pair.port}/`;
      expect(await post(pair.line, url)).toMatchObject({ status: 200 });
      expect(await post(pair.line, url)).toEqual(REFUSED);
      expect(pair.seen).toEqual({ outside: 1, inside: 0 });
    } finally {
      await pair.close();
    }
  });

  test('a name with an allowed and an inside address in one answer is refused, in either order', async () => {
    const pair = await startPair();
    try {
      for (const [index, list] of [
        ['127.0.0.2', '127.0.0.1'],
        ['127.0.0.1', '127.0.0.2'],
      ].entries()) {
        const name = `both-${index}.example.com`;
        await dns.set({ name, a: [list] });
        expect(await post(pair.line, `http://${name}:${pair.port}/`)).toEqual(REFUSED);
      }
      await dns.set({ name: 'six.example.com', a: [['127.0.0.2']], aaaa: [['::1']] });
      expect(await post(pair.line, `http://six.example.com:${pair.port}/`)).toEqual(REFUSED);
      expect(pair.seen).toEqual({ outside: 0, inside: 0 });
    } finally {
      await pair.close();
    }
  });
});

describe('an answer that sends us inside', () => {
  test.each([301, 302, 303, 307, 308])('%i: the redirect is the answer and is not followed', async (status) => {
    const pair = await startPair();
    try {
      pair.answer.status = status;
      pair.answer.headers = { location: `http://127.0.0.1:${pair.port}/` };
      expect(await post(pair.line, `http://127.0.0.2:${pair.port}/`)).toMatchObject({ status, answer: 'outside' });
      expect(pair.seen).toEqual({ outside: 1, inside: 0 });
    } finally {
      await pair.close();
    }
  });

  test('Alt-Svc, Refresh and Link headers are not followed, now or at the next request', async () => {
    const pair = await startPair();
    try {
      const target = `http://127.0.0.1:${pair.port}/`;
      pair.answer.headers = {
        'alt-svc': `http/1.1="127.0.0.1:${pair.port}"; ma=3600`,
        refresh: `0; url=${target}`,
        link: `<${target}>; rel=preload`,
      };
      for (let count = 0; count < 2; count += 1) await post(pair.line, `http://127.0.0.2:${pair.port}/`);
      expect(pair.seen).toEqual({ outside: 2, inside: 0 });
    } finally {
      await pair.close();
    }
  });
});

/** Node reads NODE_USE_ENV_PROXY when it starts: a program of its own. It prints what came of its requests. */
async function runBehindProxy(proxy: string, code: string): Promise<unknown> {
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  const env = { ...Object.fromEntries(names.map((name) => [name, proxy])), NODE_USE_ENV_PROXY: '1', NO_PROXY: '' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { env });
  return JSON.parse(stdout);
}

test('a proxy of the environment is not used, by which Node itself would go', async () => {
  const pair = await startPair();
  const connects: unknown[] = [];
  pair.hidden.on('connect', (request, socket) => {
    connects.push(request.url);
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  });
  const [proxy, target] = [`http://127.0.0.1:${pair.port}`, `127.0.0.2:${pair.port}`];
  const module = new URL('../../src/lib/outside/guarded-line.ts', import.meta.url).href;
  try {
    const replies = await runBehindProxy(
      proxy,
      `import { openGuardedLine } from ${JSON.stringify(module)};
       const line = openGuardedLine({ allowedNetworks: ['127.0.0.2/32'] });
       const replies = [];
       for (const url of ['http://${target}/', 'https://${target}/']) {
         const [where] = await line.locate(url);
         replies.push(await line.post(where, { headers: {}, body: '{}', timeoutMs: 5000, isWanted: async () => true }));
       }
       await line.close();
       console.log(JSON.stringify(replies));`,
    );
    // What listens there speaks no TLS.
    expect(replies).toMatchObject([{ status: 200, answer: 'outside' }, { kind: 'unreached' }]);
    expect([pair.seen, connects]).toEqual([{ outside: 1, inside: 0 }, []]);
    // The setting works: Node's own request comes to the proxy.
    await runBehindProxy(proxy, `await fetch('http://${target}/').catch(() => undefined); console.log('null');`);
    expect([pair.seen.outside, pair.seen.inside + connects.length]).toEqual([1, 1]);
  } finally {
    await pair.close();
  }
});

test('plain http goes to allowed networks alone, and nowhere at all outside development', async () => {
  const rules = { isAllowed: () => false, isPlainAllowed: false };
  expect(judgeOutsideUrl('http://hooks.example.com/', rules)).toEqual({ fault: 'Use https.' });
  await dns.set({ name: 'plain.example.com', a: [['93.184.215.14']] });
  const open = openGuardedLine({ allowedNetworks: ['127.0.0.2/32'] });
  opened = [];
  expect(await post(open, 'http://plain.example.com:8080/')).toEqual(REFUSED);
  expect(opened).toEqual([]);
  await open.close();
});

test('public addresses are public: the wall does not refuse everything', () => {
  for (const address of [
    '93.184.215.14',
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '192.169.0.1',
    '100.128.0.1',
    '11.0.0.1',
  ]) {
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  }
  expect(isPublicAddress('2606:2800:21f:cb07:6820:80da:af6b:8b2c')).toBe(true);
  const rules = { isAllowed: () => false, isPlainAllowed: false };
  for (const url of ['https://hooks.example.com/a?b=c', 'https://hooks.example.com:8443/', 'https://8.8.8.8/']) {
    expect(judgeOutsideUrl(url, rules)).toHaveProperty('url');
  }
});
