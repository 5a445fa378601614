// What the kit does when the service is busy, against a server that says so as often as a test tells it to.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Mismatch } from './expect.ts';
import { sendLargeBody } from './large-body.ts';
import { isGrave } from './print.ts';
import { runRows } from './runner.ts';
import { Api, type Call, Session } from './session.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Answers 503 so many times and then 200. */
async function open(busyTimes: number, headers: Record<string, string> = { 'retry-after': '3' }) {
  const asked: string[] = [];
  const waits: number[] = [];
  const running = createServer((request, response) => {
    if (request.url === '/v1/oauth/token') return response.end('{"access_token":"x","expires_in":900}');
    asked.push(`${request.method} ${request.url}`);
    if (asked.length <= busyTimes) response.writeHead(503, headers).end('{"code":"service-unavailable"}');
    else response.writeHead(200).end('{"data":{}}');
    return response;
  });
  server = running;
  await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve));
  const { port } = running.address() as AddressInfo;
  const credential = { tenantId: 't', clientId: 'c', clientSecret: 's' };
  const session = new Session(`http://127.0.0.1:${port}`, credential, async (ms) => waits.push(ms));
  const api = new Api(session);
  return { session, api, asked, waits };
}

const CALL: Call = { method: 'POST', path: '/reports', body: { of: 'Ada' }, authorization: null };

test('a large body is sent again likewise', async () => {
  const { api, asked } = await open(2);
  expect((await sendLargeBody(api, '/reports', '{}', true)).status).toBe(200);
  expect(asked).toEqual(Array(3).fill('POST /reports'));
});

test('503 with Retry-After, twice: the same request is sent again after the time it was told, and its answer counts', async () => {
  const { api, asked, waits } = await open(2);
  expect((await api.send(CALL)).status).toBe(200);
  expect(asked).toEqual(Array(3).fill('POST /reports'));
  // Up to 0.3 s more, so that rows that were refused together do not come back together.
  expect(waits.map((ms) => Math.floor(ms / 1_000))).toEqual([3, 3]);
  expect(api.repeated).toEqual(['POST /reports → 503 (2 ×)']);
});

test('503 for good: the sixth is the answer', async () => {
  const { api, asked, waits } = await open(Number.POSITIVE_INFINITY);
  expect((await api.send(CALL)).status).toBe(503);
  expect([asked.length, waits.length]).toEqual([6, 5]);
});

test('503 without Retry-After, and 503 in a row that is about it: the first is the answer', async () => {
  const silent = await open(1, {});
  expect((await silent.api.send(CALL)).status).toBe(503);
  server?.close();
  const about = await open(1);
  expect((await about.api.send({ ...CALL, about: 503 })).status).toBe(503);
  expect([...silent.waits, ...about.waits]).toEqual([]);
});

test('a row that failed after a request was sent again says so; guesses that may have been judged twice are not grave', async () => {
  const { session, asked } = await open(1);
  const said: string[] = [];
  const failing = (id: string) => ({
    ...{ id, title: '', pins: '' },
    run: async ({ api }: { api: Api }) => {
      await api.send(CALL);
      await api.send({ ...CALL, path: '/later' });
      throw new Mismatch('three', 'four');
    },
  });
  const run = { session, other: undefined, slow: false, progress: (line: string) => void said.push(line) };
  const results = [...(await runRows([failing('otp/parallel-guesses')], run))];
  asked.length = 0;
  results.push(...(await runRows([failing('idempotency/parallel')], run)));
  expect(results.map(({ detail }) => detail.split('\n').at(-1))).toEqual(
    Array(2).fill('sent again: POST /reports → 503 (1 ×)'),
  );
  expect(results.map(isGrave)).toEqual([false, true]);
  expect(said).toContain('the service was busy, otp/parallel-guesses: POST /reports → 503 (1 ×)');
});
