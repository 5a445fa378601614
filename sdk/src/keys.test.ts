// The keys of calls that must have one effect, against a server that records them and breaks connections on demand.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTrefoil, type GenerateRequest, type Trefoil } from './index.ts';

const tenantId = '01998a00-0000-7000-8000-000000000001';
const request = { test: true } as GenerateRequest;
const order = { challengeId: 'c' };

let keys: (string | undefined)[];
/** What the server does with the next calls, in order; when the list is empty it answers them. */
let fates: ((response: ServerResponse) => void)[];
let server: Server;
let trefoil: Trefoil;
beforeAll(async () => {
  server = createServer((incoming, response) => {
    keys.push(incoming.headers['idempotency-key'] as string | undefined);
    incoming.resume().on('end', () => (fates.shift() ?? answer)(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  trefoil = createTrefoil({ baseUrl, tenantId, getToken: async () => 't' });
});
afterAll(() => server.close());
beforeEach(() => {
  keys = [];
  fates = [];
});

function send(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
const answer = (response: ServerResponse) => send(response, 200, { meta: {}, data: {} });
const hangUp = (response: ServerResponse) => response.destroy();
const isRunning = (response: ServerResponse) =>
  send(response, 409, { code: 'request-in-progress', message: 'Wait.' }, { 'retry-after': '0' });

const CALLS: [name: string, call: (idempotencyKey?: string) => Promise<unknown>][] = [
  ['generate', (idempotencyKey) => trefoil.generate(request, { ...(idempotencyKey && { idempotencyKey }) })],
  ['submitOtp', (key) => trefoil.submitOtp('r', { ...order, code: '1' }, { ...(key && { idempotencyKey: key }) })],
  ['resendSms', (key) => trefoil.resendSms('r', order, { ...(key && { idempotencyKey: key }) })],
];
for (const [name, call] of CALLS) {
  test(`${name}: each call has a key of its own, unless it is given one`, async () => {
    for (const key of [undefined, undefined, 'mine']) await call(key);
    expect(keys[2]).toBe('mine');
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(3);
  });

  test(`${name}: a call whose connection breaks is sent again under the same key`, async () => {
    fates = [hangUp, hangUp];
    expect(await call()).toEqual({ meta: {}, data: {} });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });
}

test('a call that was lost and still runs is waited for', async () => {
  fates = [hangUp, isRunning, isRunning, isRunning];
  expect(await trefoil.generate(request)).toEqual({ meta: {}, data: {} });
  expect(keys).toHaveLength(5);
  expect(new Set(keys).size).toBe(1);
});

test('a call that never gets through ends in an error, after three tries', async () => {
  fates = [hangUp, hangUp, hangUp];
  await expect(trefoil.generate(request)).rejects.toBeInstanceOf(TypeError);
  expect(keys).toHaveLength(3);
});

test('a refusal is told at once, request-in-progress included where nothing was lost', async () => {
  fates = [isRunning];
  await expect(trefoil.generate(request)).rejects.toMatchObject({ status: 409, code: 'request-in-progress' });
  fates = [(response) => send(response, 503, { code: 'service-unavailable', message: 'Busy.' })];
  await expect(trefoil.generate(request)).rejects.toMatchObject({ status: 503 });
  expect(keys).toHaveLength(2);
});

test('what only reads has no key', async () => {
  await trefoil.getWallet();
  expect(keys).toEqual([undefined]);
});

test('an empty key is none: the call gets one of its own', async () => {
  await trefoil.generate(request, { idempotencyKey: '' });
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
});
