// The rate limit over two nodes, and without Redis: down and hung.
import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(options: Parameters<typeof startServer>[0]): Promise<TestServer> {
  const server = await startServer(options);
  cleanups.push(() => server.close());
  return server;
}

/** A Redis of the test's own, which it may stop and freeze. */
async function startRedis(): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const process = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  cleanups.push(() => process.kill('SIGKILL'));
  await new Promise<void>((resolve) => {
    process.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve());
  });
  return { url: `redis://127.0.0.1:${port}`, process };
}

type Probe = { status: number; headers: Headers };

async function probe(baseUrl: string, token: string): Promise<Probe> {
  const response = await fetch(`${baseUrl}/v1/my/profile`, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  return { status: response.status, headers: response.headers };
}

/** Requests, sixteen at once, until each address has refused one. */
async function flood(addresses: readonly string[], token: string): Promise<Probe[]> {
  const probes: (Probe & { readonly address: string })[] = [];
  const areAllRefusing = () =>
    addresses.every((address) => probes.some((each) => each.address === address && each.status === 429));
  for (let round = 0; round < 500 && !areAllRefusing(); round += 1) {
    const asked = Array.from({ length: 16 }, (_, index) => addresses[index % addresses.length] ?? '');
    probes.push(...(await Promise.all(asked.map(async (address) => ({ address, ...(await probe(address, token)) })))));
  }
  return probes;
}

const allowed = (probes: readonly Probe[]) => probes.filter(({ status }) => status === 200).length;

test('429 rate-limited: two nodes share one limit, and say when to come back', async () => {
  // On a busy machine the usual tenth of a second would make a node judge alone now and then, as it should.
  const server = await start({ ratePerSecond: 10, environment: { TREFOIL_REDIS_TIMEOUT_MS: '5000' } });
  const node = await server.startNode();
  cleanups.push(() => node.close());
  const token = await server.trefoil.getToken();
  const startedAt = performance.now();
  const probes = await flood([server.baseUrl, node.baseUrl], token);
  expect(allowed(probes)).toBeGreaterThanOrEqual(20);
  // A burst of 20 and then 10 a second, whichever node was asked; a request in flight at the end may fall either side.
  // steady: the longer the machine stands still, the more is allowed.
  expect(allowed(probes)).toBeLessThan(25 + (10 * (performance.now() - startedAt)) / 1_000);
  const refused = probes.find(({ status }) => status === 429);
  expect(refused?.headers.get('retry-after')).toBe('1');
  expect(refused?.headers.get('ratelimit-policy')).toBe('"tenant";q=20;w=2');
  expect(refused?.headers.get('ratelimit')).toMatch(/^"tenant";r=0;t=\d+$/);
});

test('one tenant’s flood does not use up another tenant’s limit', async () => {
  const server = await start({ ratePerSecond: 5 });
  await flood([server.baseUrl], await server.trefoil.getToken());
  expect((await probe(server.baseUrl, await server.otherTrefoil.getToken())).status).toBe(200);
});

test('Redis down: still limiting in memory, and no error', async () => {
  const redis = await startRedis();
  const server = await start({ ratePerSecond: 10, environment: { TREFOIL_REDIS_URL: redis.url } });
  const token = await server.trefoil.getToken();
  expect((await probe(server.baseUrl, token)).status).toBe(200);
  redis.process.kill('SIGKILL');
  await new Promise((resolve) => redis.process.once('exit', resolve));
  const startedAt = performance.now();
  const probes = await flood([server.baseUrl], token);
  expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200, 429]));
  // steady: the longer the machine stands still, the more is allowed.
  expect(allowed(probes)).toBeLessThan(25 + (10 * (performance.now() - startedAt)) / 1_000);
});

test('Redis hung: still limiting in memory, and no error', async () => {
  const redis = await startRedis();
  const server = await start({ ratePerSecond: 10, environment: { TREFOIL_REDIS_URL: redis.url } });
  const token = await server.trefoil.getToken();
  await eventually(async () => expect((await probe(server.baseUrl, token)).status).toBe(200));
  redis.process.kill('SIGSTOP');
  const probes = await flood([server.baseUrl], token);
  expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200, 429]));
  redis.process.kill('SIGCONT');
});

test('no Redis: a single node limits as it would with one, counts no fallback and says that limits are its own', async () => {
  const server = await start({ ratePerSecond: 10, environment: { TREFOIL_REDIS_URL: 'none' } });
  const probes = await flood([server.baseUrl], await server.trefoil.getToken());
  expect(allowed(probes)).toBeGreaterThanOrEqual(20);
  expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200, 429]));
  const ready = await fetch(`${server.baseUrl}/readyz`);
  expect(await ready.json()).toEqual({ status: 'ready', limits: 'of-this-node' });
  const metrics = await (await fetch(server.metricsAddress)).text();
  expect(metrics).toMatch(/^trefoil_limits_shared 0$/m);
  expect(metrics).toMatch(/^trefoil_limit_fallbacks_total 0$/m);
});
