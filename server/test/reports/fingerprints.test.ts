// The two public addresses of the device fingerprint over HTTP: how the script is handed out, what the collection takes
// and seals, that it writes nothing, and that keys can be exchanged meanwhile.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createDeviceSessions, type DeviceFacts } from '../../src/fingerprints/device-session.ts';
import { startServer, type TestServer } from '../harness.ts';
import { dumpRedis, printState, watchRedis } from '../support/dump.ts';
import { readError, send, type WireRequest } from '../support/wire.ts';

const SCRIPT = '/v1/fingerprints/device';
const COLLECTION = '/v1/fingerprints/collections';
const FILE = readFileSync(new URL('../../src/fingerprints/device.js', import.meta.url), 'utf8');
const DIGEST = '3f0c9a7be1d24856a0f47c19d2b3e865';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const COLLECTED = {
  deviceDigest: DIGEST,
  timeZone: 'Europe/London',
  automation: [],
  degraded: false,
};

const AS_TEXT = { 'content-type': 'text/plain;charset=UTF-8' };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_COLLECTION_RATE: '10000' } });
});
afterAll(() => server.close());

const collectRequest = (body: unknown, headers: Record<string, string> = {}): WireRequest => ({
  method: 'POST',
  path: COLLECTION,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json', 'user-agent': FIREFOX, ...headers },
});

async function collect(body: unknown, headers: Record<string, string> = {}, at = server): Promise<string> {
  const reply = await send(at.baseUrl, collectRequest(body, headers));
  expect(reply.status, reply.text).toBe(201);
  return (JSON.parse(reply.text) as { sessionId: string }).sessionId;
}

function open(sessionId: string, at = server): DeviceFacts {
  const opened = createDeviceSessions(at.config.vaultKeys).open(sessionId, new Date());
  if (opened.kind !== 'known') throw new Error('the session is unknown');
  return opened.facts;
}

describe('the script', () => {
  test('200: compressed as the client likes, at most 20 kB, each form with a strong tag of its own', async () => {
    const tags = new Set<string>();
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['identity', null],
      ['gzip;q=0', null],
    ] as const) {
      const response = await fetch(server.baseUrl + SCRIPT, { headers: { 'accept-encoding': accepted } });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-encoding')).toBe(encoding);
      if (encoding) expect(Number(response.headers.get('content-length'))).toBeLessThanOrEqual(20_000);
      expect(await response.text()).toBe(FILE);
      expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/);
      tags.add(response.headers.get('etag') ?? '');
    }
    expect(tags.size).toBe(3);
  });

  test('200: short caching, no sniffing, for any page, no cookie, and without CORS, which is the collection’s alone', async () => {
    const { headers } = await send(server.baseUrl, { method: 'GET', path: SCRIPT });
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toMatch(/^public, max-age=300, stale-while-revalidate=\d+/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['set-cookie']).toBeUndefined();
    expect(FILE).not.toContain('sourceMappingURL');
  });

  test('304: for the tag it has, weak or in a list; 200 for another; HEAD like GET without the body', async () => {
    const { headers } = await send(server.baseUrl, { method: 'GET', path: SCRIPT });
    const etag = headers.etag ?? '';
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await send(server.baseUrl, { method: 'GET', path: SCRIPT, headers: { 'if-none-match': tag } });
      expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', etag]);
    }
    for (const tag of ['"x"', '', etag.slice(1, -1)]) {
      const reply = await send(server.baseUrl, { method: 'GET', path: SCRIPT, headers: { 'if-none-match': tag } });
      expect(reply.status).toBe(200);
    }
    const head = await send(server.baseUrl, { method: 'HEAD', path: SCRIPT });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', etag]);
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(FILE));
  });
});

describe('the collection', () => {
  test('201: the answer has the session and the address that the request came from', async () => {
    const { status, text } = await send(server.baseUrl, collectRequest(COLLECTED));
    expect([status, JSON.parse(text)]).toEqual([
      201,
      { sessionId: expect.stringMatching(/^ds1\./), ipAddress: '127.0.0.1' },
    ]);
  });

  test('201: what was collected and seen is sealed into the session', async () => {
    const facts = open(await collect({ ...COLLECTED, automation: ['webdriver', 'headless'] }));
    expect(facts).toEqual({
      deviceDigest: DIGEST,
      collectedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      network: { ipAddress: '127.0.0.1', userAgentFamily: 'Firefox' },
      timeZone: 'Europe/London',
      automation: ['webdriver', 'headless'],
      isDegraded: false,
      isAutomated: true,
    });
  });

  test('201: a digest alone will do, also as plain text, which needs no preflight', async () => {
    const alone = { timeZone: null, automation: [], isDegraded: false };
    expect(open(await collect({ deviceDigest: DIGEST }))).toMatchObject(alone);
    expect(open(await collect({ deviceDigest: DIGEST, degraded: true }, AS_TEXT)).isDegraded).toBe(true);
  });

  test('201: a zone of strange characters is sealed as it came, and a key said twice counts as said last', async () => {
    for (const timeZone of ['\0', '\u2028</script>', '🌿'.repeat(10)]) {
      expect(open(await collect({ ...COLLECTED, timeZone }, AS_TEXT)).timeZone).toBe(timeZone);
    }
    const twice = `{"deviceDigest":"${DIGEST}","timeZone":"A","timeZone":"B"}`;
    expect(open(await collect(twice, AS_TEXT)).timeZone).toBe('B');
  });

  test('201: what an older script says beyond need is taken and not sealed', async () => {
    const facts = open(await collect({ ...COLLECTED, language: 'cy-GB', automation: ['no-languages'] }));
    expect(Object.values(facts)).not.toContain('cy-GB');
    expect(facts.isAutomated).toBe(false);
  });

  test('201 and 204: any origin may, and none with credentials', async () => {
    const origin = { origin: 'https://tenant.example.com' };
    const reply = await send(server.baseUrl, collectRequest(COLLECTED, origin));
    const preflight = await send(server.baseUrl, {
      method: 'OPTIONS',
      path: COLLECTION,
      headers: { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toBe('POST');
    expect(preflight.headers['access-control-allow-headers']).toBe('content-type');
    for (const { headers } of [reply, preflight]) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  const refused: readonly (readonly [name: string, request: WireRequest, status: number, code: string])[] = [
    ['no body', { method: 'POST', path: COLLECTION }, 400, 'validation-error'],
    ['no JSON', collectRequest('{'), 400, 'validation-error'],
    ['no JSON, as text', collectRequest('{', { 'content-type': 'text/plain' }), 400, 'validation-error'],
    ['a text', collectRequest('"x"', { 'content-type': 'text/plain' }), 400, 'validation-error'],
    ['no digest', collectRequest({}), 400, 'validation-error'],
    ['a digest of other letters', collectRequest({ deviceDigest: 'g'.repeat(32) }), 400, 'validation-error'],
    ['a short digest', collectRequest({ deviceDigest: 'a'.repeat(31) }), 400, 'validation-error'],
    ['a long digest', collectRequest({ deviceDigest: 'a'.repeat(65) }), 400, 'validation-error'],
    ['a long zone', collectRequest({ ...COLLECTED, timeZone: 'x'.repeat(65) }), 400, 'validation-error'],
    ['an unknown marker', collectRequest({ ...COLLECTED, automation: ['x'] }), 400, 'validation-error'],
    ['too much', collectRequest({ ...COLLECTED, more: 'x'.repeat(1_024) }), 413, 'payload-too-large'],
    [
      'a form',
      collectRequest('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported-media-type',
    ],
    ['an empty text', collectRequest('', { 'content-type': 'text/plain' }), 400, 'validation-error'],
    ['a list', collectRequest('[]', { 'content-type': 'text/plain' }), 400, 'validation-error'],
    ['a deep nest', collectRequest('['.repeat(500) + ']'.repeat(500), AS_TEXT), 400, 'validation-error'],
    [
      'a digest by way of a prototype',
      collectRequest(`{"__proto__":{"deviceDigest":"${DIGEST}"}}`, AS_TEXT),
      400,
      'validation-error',
    ],
    ['a digest with a NUL', collectRequest({ deviceDigest: `${DIGEST}\0` }, AS_TEXT), 400, 'validation-error'],
    ['a zone that is no text', collectRequest({ ...COLLECTED, timeZone: 7 }, AS_TEXT), 400, 'validation-error'],
    [
      'the same marker twice',
      collectRequest({ ...COLLECTED, automation: ['headless', 'headless'] }),
      400,
      'validation-error',
    ],
    ['bytes squeezed', collectRequest(COLLECTED, { 'content-encoding': 'gzip' }), 415, 'unsupported-media-type'],
    [
      'no type',
      { method: 'POST', path: COLLECTION, body: '{}', headers: { 'content-type': '' } },
      415,
      'unsupported-media-type',
    ],
    ['a GET', { method: 'GET', path: COLLECTION }, 405, 'method-not-allowed'],
    ['a PUT', { ...collectRequest(COLLECTED), method: 'PUT' }, 405, 'method-not-allowed'],
    ['a DELETE', { method: 'DELETE', path: COLLECTION }, 405, 'method-not-allowed'],
  ];
  for (const [name, request, status, code] of refused) {
    test(`${status} ${code}: ${name}`, async () => {
      const reply = await send(server.baseUrl, request);
      expect([reply.status, readError(reply).code]).toEqual([status, code]);
      expect(reply.text).not.toContain('sessionId');
      if (status !== 405) expect(reply.headers['access-control-allow-origin']).toBe('*');
    });
  }

  test('nothing is written: no row, no key but the limit’s, nothing of the device in the log', async () => {
    const before = await printState(server);
    const stop = await watchRedis(server);
    for (let count = 0; count < 50; count += 1) await collect({ ...COLLECTED, timeZone: 'Antarctica/Troll' });
    const commands = (await stop()).split('\n');
    expect(await printState(server)).toBe(before);
    // Lua's own commands are in the watch as well, and so is the word that ended it.
    const isLimit = (line: string) => /^(evalsha|eval|get|set) .*rate:fingerprint:[\w-]{22}( |$)/i.test(line);
    expect(commands.filter((line) => !isLimit(line) && !line.startsWith('echo '))).toEqual([]);
    expect(await dumpRedis(server)).not.toContain(DIGEST);
    for (const text of [DIGEST, 'Troll', 'ds1.', 'Firefox', '127.0.0.1"']) expect(server.logText()).not.toContain(text);
  });
});

describe('the limit by network', () => {
  test('429 rate-limited with Retry-After, for script and collection apart; another network goes on', async () => {
    const narrow = await startServer({
      environment: { TREFOIL_COLLECTION_RATE: '1', TREFOIL_TRUSTED_PROXIES: '127.0.0.1' },
    });
    try {
      const from = (ip: string) => ({ 'x-forwarded-for': ip });
      const post = (ip: string) => send(narrow.baseUrl, collectRequest(COLLECTED, from(ip)));
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) statuses.push((await post(`2001:db8::${count}`)).status);
      expect(statuses).toEqual([201, 201, 201, 201, 429]);
      const reply = await post('2001:db8::99');
      expect(readError(reply).code).toBe('rate-limited');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      const script = { method: 'GET', path: SCRIPT, headers: from('2001:db8::99') };
      expect((await send(narrow.baseUrl, script)).status).toBe(200);
      // And the address that is sealed is the one that was forwarded.
      expect(open(await collect(COLLECTED, from('2001:db8:1::7'), narrow), narrow).network.ipAddress).toBe(
        '2001:db8:1::7',
      );
    } finally {
      await narrow.close();
    }
  });

  test('a forwarded address is not believed from just anybody', async () => {
    const facts = open(await collect(COLLECTED, { 'x-forwarded-for': '203.0.113.9' }));
    expect(facts.network.ipAddress).toBe('127.0.0.1');
  });
});

test('keys are exchanged under load: every session opens on every node that runs at the time', async () => {
  const [k1, k2] = ['k1', 'k2'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
  // Each node with the ring of its step: the new key is first known everywhere, then used, then alone.
  const rings = [`${k1}`, `${k1},${k2}`, `${k2},${k1}`, `${k2}`];
  const startNode = async (ring: string) => {
    const port = await freePort();
    const environment = {
      ...server.environment,
      TREFOIL_VAULT_KEYS: ring,
      TREFOIL_PORT: String(port),
      TREFOIL_JOBS: 'off',
    };
    const config = loadConfig(environment);
    const app = await createApp(config, { logDestination: { write: () => undefined } });
    await app.listen();
    return { baseUrl: `http://127.0.0.1:${port}`, sessions: createDeviceSessions(config.vaultKeys), app };
  };
  let [older, newer] = [await startNode(rings[0] ?? ''), await startNode(rings[1] ?? '')];
  const keyIds: string[] = [];
  for (const next of [rings[2], rings[3], undefined]) {
    const minted = await Promise.all(
      Array.from({ length: 200 }, async (_, count) => {
        const reply = await send((count % 2 ? older : newer).baseUrl, collectRequest(COLLECTED));
        return (JSON.parse(reply.text) as { sessionId: string }).sessionId;
      }),
    );
    for (const sessionId of minted) {
      keyIds.push(Buffer.from(sessionId.slice(4), 'base64url').toString('latin1', 1, 3));
      for (const { sessions } of [older, newer]) {
        // A key leaves the ring only when its last session is too old to matter: here the last step is that early.
        const isGone = next === undefined && keyIds.at(-1) === 'k1';
        expect(sessions.open(sessionId, new Date()).kind).toBe(
          isGone && sessions === newer.sessions ? 'unknown' : 'known',
        );
      }
    }
    await older.app.close();
    if (next === undefined) await newer.app.close();
    else [older, newer] = [newer, await startNode(next)];
  }
  expect(new Set(keyIds)).toEqual(new Set(['k1', 'k2']));
});
