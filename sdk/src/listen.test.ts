// The listener between a server that has events and a receiver that unwraps them: as a process of its own where options, output,
// signals and exit codes count, and in this process where it waits.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../tools/testing/eventually.ts';
import { answer, hang, hangUp, refuse, startFailingServer, tenantId } from './failing-server.ts';
import { createTrefoil, webhooks } from './index.ts';
import { listen } from './listen.ts';
import { endPauseBy, TIMERS } from './test-clock.ts';

const endPause = endPauseBy((ms) => vi.advanceTimersByTime(ms));
const event = (number: number, type = 'credit-report.completed') => ({
  id: `evt_${number}`,
  type,
  createdAt: '2026-03-01T09:00:00.000Z',
  tenantId,
  test: true,
  data: { creditReportId: '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90' },
});
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const page = (items: object[], nextCursor: string, hasMore = false) =>
  answer({ meta: {}, data: { items, nextCursor, hasMore } });

let service: Awaited<ReturnType<typeof startFailingServer>>;
let receiver: Server;
let forwardTo: string;
let received: { headers: Record<string, string>; body: string }[] = [];
let status = 200;
let listener: ChildProcess | undefined;
let output = '';
beforeAll(async () => {
  service = await startFailingServer();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end(status === 200 ? 'thanks' : 'secret-wrong: no\nmore');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  forwardTo = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
});
afterAll(() => {
  service.close();
  receiver.close();
});
beforeEach(() => {
  service.reset();
  service.state.otherwise = hang;
  received = [];
  output = '';
  status = 200;
});
afterEach(() => {
  listener?.kill('SIGKILL');
  vi.useRealTimers();
});

function start(options: string[], environment: Record<string, string> = {}): Promise<number | null> {
  const cli = fileURLToPath(new URL('cli.ts', import.meta.url));
  const credential = { TREFOIL_TENANT_ID: tenantId, TREFOIL_CLIENT_ID: 'c', TREFOIL_CLIENT_SECRET: 's' };
  const child = spawn(process.execPath, [cli, ...options], {
    env: { ...process.env, TREFOIL_BASE_URL: service.baseUrl, ...credential, ...environment },
  });
  listener = child;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve) => child.on('close', resolve));
}

type Here = { readonly forwardTo: string; readonly print: (line: string) => void; readonly signal: AbortSignal };

/** In this process. A pause of the client library ends at once; `request` is told of each send. */
function listenHere(options: Here, request: () => void = () => undefined): Promise<void> {
  const hooks = { retry: endPause, request };
  const trefoil = createTrefoil({ baseUrl: service.baseUrl, tenantId, getToken: async () => 't', hooks });
  return listen(trefoil, { ...options, secret: SECRET });
}

test('new events of test mode arrive signed with the secret that was printed once', async () => {
  service.state.fates = [page([], 'a'), page([event(2), event(3, 'wallet.low')], 'b')];
  const ended = start(['listen', '--forward-to', forwardTo]);
  await eventually(() => expect(output).toMatch(/wallet\.low {2}evt_3 {2}200 {2}\d+ ms\n/));
  const secrets = output.match(/whsec_\S+/g) ?? [];
  expect(secrets).toHaveLength(1);
  expect(output).toMatch(/\d\d:\d\d:\d\d {2}credit-report\.completed {2}evt_2 {2}200 {2}\d+ ms\n/);
  expect(received).toHaveLength(2);
  for (const [index, { headers, body }] of received.entries()) {
    expect(headers['webhook-id']).toBe(`evt_${index + 2}`);
    expect(await webhooks.unwrap(body, headers, secrets[0] ?? '')).toMatchObject({ id: `evt_${index + 2}` });
  }
  const query = `/${tenantId}/v1/events?test=true`;
  expect(service.asked().map(({ url }) => url)).toEqual([
    // One request finds the end of what happened before.
    `${query}&limit=1&cursor=end`,
    `${query}&wait=20&cursor=a`,
    `${query}&wait=20&cursor=b`,
  ]);
  listener?.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('a message has no externalReference, which the feed shows to readers of reports', async () => {
  const { data, ...rest } = event(1);
  service.state.fates = [page([], 'a'), page([{ ...rest, data: { ...data, externalReference: 'order-4711' } }], 'b')];
  const ending = new AbortController();
  const ended = listenHere({ forwardTo, print: () => undefined, signal: ending.signal });
  await eventually(() => expect(received).toHaveLength(1));
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ ...rest, data });
  // Its next request has arrived too: one under way would take an answer of the next test.
  await eventually(() => expect(service.asked().at(-1)?.url).toMatch(/cursor=b$/));
  ending.abort();
  await ended;
});

test('a receiver that refuses, and one that does not run: one line says so, and the listener goes on', async () => {
  status = 400;
  service.state.fates = [page([], 'a'), hangUp, page([event(1)], 'b')];
  void start(['listen', '--forward-to', forwardTo], { TREFOIL_WEBHOOK_SECRET: SECRET });
  await eventually(() => expect(output).toMatch(/evt_1 {2}400 secret-wrong: no {2}\d+ ms\n/));
  await eventually(() => expect(service.asked().at(-1)?.url).toMatch(/cursor=b$/));
  expect(output).not.toContain('whsec_');

  service.reset();
  const controller = new AbortController();
  const lines: string[] = [];
  const gone = await startFailingServer();
  gone.close();
  // It asks for what follows, so it went on.
  service.state.fates = [page([], 'a'), page([event(1)], 'b'), () => controller.abort()];
  const print = (line: string) => lines.push(line);
  await listenHere({ forwardTo: `${gone.baseUrl}/webhooks`, print, signal: controller.signal });
  expect(lines.at(-1)).toMatch(/evt_1 {2}nothing listens there: start your program/);
});

test('--types chooses; Enter sends the last event again, and an id another of this run', async () => {
  status = 400;
  service.state.fates = [page([], 'a'), page([event(1), event(2)], 'b')];
  const ended = start(['listen', '--forward-to', forwardTo, '--types', 'credit-report,wallet.low']);
  await eventually(() => expect(output).toMatch(/evt_2 {2}400 secret-wrong/));
  // It prints before it asks on.
  await eventually(() =>
    expect(service.asked().map(({ url }) => url)).toEqual(
      ['limit=1&cursor=end', 'wait=20&cursor=a', 'wait=20&cursor=b'].map(
        (rest) => `/${tenantId}/v1/events?test=true&type=credit-report%2Cwallet.low&${rest}`,
      ),
    ),
  );
  status = 200;
  for (const [line, said] of [
    ['', /evt_2 {2}200/],
    [' evt_1 ', /evt_1 {2}200/],
    ['evt_9', /No event evt_9 was forwarded in this run\./],
  ] as const) {
    listener?.stdin?.write(`${line}\n`);
    await eventually(() => expect(output).toMatch(said));
  }
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_1', 'evt_2', 'evt_2', 'evt_1']);
  listener?.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('a service that restarts does not end it: 503 and 429 are waited for, and Ctrl+C ends the wait', async () => {
  vi.useFakeTimers({ toFake: [...TIMERS] });
  const controller = new AbortController();
  const lines: string[] = [];
  let sends = 0;
  const sendsBeforeEnd: number[] = [];
  /** The pause begins after its line is printed. What was sent until its last millisecond is counted. */
  const endWait = (waitMs: number, end: () => void) =>
    setImmediate(() => {
      vi.advanceTimersByTime(waitMs - 1);
      setImmediate(() => {
        sendsBeforeEnd.push(sends);
        end();
      });
    });
  const waits: [waitMs: number, end: () => void][] = [
    [2_000, () => vi.advanceTimersByTime(1)],
    [60_000, () => controller.abort()],
  ];
  const print = (line: string) => {
    lines.push(line);
    const wait = line.endsWith('Trying again.') ? waits.shift() : undefined;
    if (wait) endWait(...wait);
  };
  const busy = refuse(503, 'service-unavailable', { 'retry-after': '0' });
  const refused = refuse(429, 'rate-limited', { 'retry-after': '86400' });
  // Each call is sent four times; what Retry-After says is waited for, up to a minute.
  service.state.fates = [page([], 'a'), busy, busy, busy, busy, page([event(1)], 'b'), refused];
  await listenHere({ forwardTo, print, signal: controller.signal }, () => {
    sends += 1;
  });
  expect(lines.join('\n')).toMatch(/Trying again\.\n[^\n]*evt_1 {2}200[^\n]*\n.*Trying again\.$/);
  expect(sendsBeforeEnd).toEqual([5, 7]);
  expect(received).toHaveLength(1);
});

test('a refusal of the service ends it with 1; a missing setting with 2', async () => {
  service.state.fates = [refuse(403, 'forbidden')];
  expect(await start(['listen', '--forward-to', forwardTo])).toBe(1);
  expect(output).toContain('403 forbidden: No.');
  expect(await start(['listen', '--forward-to', 'localhost:3000'])).toBe(2);
  expect(output).toContain('begins with http://');
  expect(await start(['listen', '--forward-to', forwardTo], { TREFOIL_CLIENT_SECRET: '' })).toBe(2);
  expect(output).toContain('Set TREFOIL_CLIENT_SECRET');
  for (const wrong of [['lisen'], ['listen', 'x'], ['trigger'], ['trigger', 'wallet.low']]) {
    expect([wrong, await start(wrong)]).toEqual([wrong, 2]);
  }
  expect(output).toMatch(/There is no "wallet.low" to trigger. Use one of: credit-report.completed, /);
  expect(await start(['--help'])).toBe(0);
});
