// One call against a server that fails in every way we know: how often it is sent, under which key, and what it ends with.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { answer, breakOff, hangUp, refuse, startFailingServer, tenantId } from './failing-server.ts';
import { createTrefoil, type GenerateRequest, type Trefoil, TrefoilError, TrefoilNoAnswerError } from './index.ts';
import { endPauseBy, TIMERS } from './test-clock.ts';
import { userAgentOf } from './user-agent.ts';

const endPause = endPauseBy((ms) => vi.advanceTimersByTime(ms));
const request = { test: true } as GenerateRequest;
const order = { challengeId: 'c' };
const done = { meta: {}, data: {} };

let server: Awaited<ReturnType<typeof startFailingServer>>;
let trefoil: Trefoil;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: [...TIMERS] });
  server = await startFailingServer();
  trefoil = createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: async () => 't', hooks: { retry: endPause } });
});
afterAll(() => {
  server.close();
  vi.useRealTimers();
});
beforeEach(() => server.reset());

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call did not fail'),
    (error: unknown) => error,
  );
/** The pause before each send but the first; each was as long as the hook was told. */
async function pausesOf(call: (client: Trefoil) => Promise<unknown>): Promise<number[]> {
  const told: number[] = [];
  const sentAtMs: number[] = [];
  const hooks = {
    retry: ({ waitMs }: { readonly waitMs: number }) => {
      told.push(Math.trunc(waitMs));
      endPause({ waitMs });
    },
    request: () => void sentAtMs.push(performance.now()),
  };
  await call(createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: async () => 't', hooks }));
  const pauses = sentAtMs.slice(1).map((atMs, index) => atMs - (sentAtMs[index] ?? 0));
  expect(pauses).toEqual(told);
  return pauses;
}
const isRunning = refuse(409, 'request-in-progress', { 'retry-after': '0' });

const url = 'https://hooks.example.com/trefoil';
const CALLS: [name: string, call: (idempotencyKey?: string) => Promise<unknown>][] = [
  ['generate', (idempotencyKey) => trefoil.generate(request, { idempotencyKey })],
  ['submitOtp', (idempotencyKey) => trefoil.submitOtp('r', { ...order, code: '1' }, { idempotencyKey })],
  ['resendSms', (idempotencyKey) => trefoil.resendSms('r', order, { idempotencyKey })],
  ['createWebhookEndpoint', (idempotencyKey) => trefoil.createWebhookEndpoint({ url }, { idempotencyKey })],
];
for (const [name, call] of CALLS) {
  test(`${name}: each call has a key of its own, unless it is given one`, async () => {
    for (const key of [undefined, undefined, 'mine', '']) await call(key);
    const keys = server.keys();
    expect(keys[2]).toBe('mine');
    for (const key of [keys[0], keys[1], keys[3]]) expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(4);
  });

  test(`${name}: a call whose connection breaks is sent again under the same key`, async () => {
    server.state.fates = [hangUp, breakOff];
    expect(await call()).toEqual(done);
    expect(server.keys()).toHaveLength(3);
    expect(new Set(server.keys()).size).toBe(1);
  });
}

test('every retry of one call has the same key and the same body, whatever went wrong', async () => {
  server.state.fates = [
    hangUp,
    refuse(503, 'service-unavailable', { 'retry-after': '0' }),
    isRunning,
    isRunning,
    isRunning,
    refuse(429, 'rate-limited', { 'retry-after': '0' }),
  ];
  expect(await trefoil.generate(request)).toEqual(done);
  expect(server.keys()).toHaveLength(7);
  expect(new Set(server.keys()).size).toBe(1);
  expect(new Set(server.asked().map(({ body }) => body)).size).toBe(1);
});

const MENDED: [string, Parameters<typeof refuse>][] = [
  ['429 rate-limited', [429, 'rate-limited']],
  ['503 service-unavailable', [503, 'service-unavailable']],
  ['503 of a proxy', [503, '']],
  ['502 of a proxy', [502, '']],
  ['504 of a proxy', [504, '']],
  ['409 request-in-progress', [409, 'request-in-progress', { 'retry-after': '0' }]],
];
for (const [name, [status, code, headers]] of MENDED) {
  test(`${name}: sent again`, async () => {
    server.state.fates = [code ? refuse(status, code, headers) : answer('<html>', status)];
    expect(await trefoil.generate(request)).toEqual(done);
    expect(server.asked()).toHaveLength(2);
  });
}

const FINAL: [string, number, string][] = [
  ['what is wrong with the request', 400, 'validation-error'],
  ['funds', 402, 'insufficient-funds'],
  ['rights', 403, 'forbidden'],
  ['a conflict', 409, 'conflict'],
  ['a reused key', 422, 'idempotency-key-reused'],
  ['a limit of messages, which outlasts any call', 429, 'sms-limit-reached'],
  ['a 4xx with a code that this version does not know', 429, 'some-new-limit'],
  ['a fault of the service', 500, 'internal-error'],
];
for (const [name, status, code] of FINAL) {
  test(`${status} ${code}: ${name} is thrown at once`, async () => {
    server.state.fates = [refuse(status, code, { 'retry-after': '0' })];
    const error = await failureOf(trefoil.generate(request));
    expect(error).toBeInstanceOf(TrefoilError);
    expect(error).toMatchObject({ status, code, requestId: 'r', docs: `https://docs/errors/${code}` });
    expect((error as TrefoilError).idempotencyKey).toBe(server.keys()[0]);
    expect(server.asked()).toHaveLength(1);
  });
}

test('a call that never gets through ends after three retries, and the error says what is unknown', async () => {
  server.state.fates = [hangUp, hangUp, hangUp, hangUp, hangUp];
  const error = await failureOf(trefoil.generate(request));
  expect(server.asked()).toHaveLength(4);
  expect(error).toBeInstanceOf(TrefoilNoAnswerError);
  expect(error).toMatchObject({ reason: 'connection', wasSent: true, idempotencyKey: server.keys()[0] });
  expect((error as Error).message).toMatch(/report may have been made: repeat the call with the idempotencyKey/);
});

test('the pauses between retries grow', async () => {
  server.state.fates = [hangUp, hangUp, hangUp];
  const pauses = await pausesOf((client) => client.generate(request));
  expect(pauses).toHaveLength(3);
  for (const [index, mostMs] of [250, 500, 1_000].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(mostMs / 2);
    expect(pauses[index]).toBeLessThanOrEqual(mostMs);
  }
});

const AFTER: [string, () => string, number][] = [
  ['in seconds', () => '10', 10_000],
  // A date has no fractions of a second.
  ['as a date', () => new Date(Date.now() + 10_999).toUTCString(), 10_000],
];
for (const [name, value, leastMs] of AFTER) {
  test(`Retry-After ${name} is waited for`, async () => {
    server.state.fates = [
      (response, asked) => refuse(503, 'service-unavailable', { 'retry-after': value() })(response, asked),
    ];
    const [pauseMs] = await pausesOf((client) => client.getWallet());
    expect(pauseMs).toBeGreaterThanOrEqual(leastMs);
  });
}

test('a Retry-After longer than the rest of the time: the refusal is thrown at once', async () => {
  server.state.fates = [refuse(503, 'service-unavailable', { 'retry-after': '60' })];
  const startedAtMs = performance.now();
  const error = await failureOf(trefoil.generate(request));
  expect(error).toMatchObject({ status: 503, retryAfterSeconds: 60, idempotencyKey: server.keys()[0] });
  // Nothing but a pause moves this clock.
  expect(performance.now()).toBe(startedAtMs);
  expect(server.asked()).toHaveLength(1);
});

test('the time limit covers the whole call, and its error says what is unknown', async () => {
  const startedAtMs = performance.now();
  let isOver = false;
  const wasOver: boolean[] = [];
  server.state.fates = [
    hangUp,
    () => {
      // A limit for each send would begin anew with this one.
      vi.advanceTimersByTime(startedAtMs + 1_999 - performance.now());
      setImmediate(() => {
        wasOver.push(isOver);
        vi.advanceTimersByTime(1);
      });
    },
  ];
  const error = await failureOf(trefoil.generate(request, { timeoutMs: 2_000 })).finally(() => {
    isOver = true;
  });
  expect(performance.now() - startedAtMs).toBe(2_000);
  expect(wasOver).toEqual([false]);
  expect(server.asked()).toHaveLength(2);
  expect(error).toBeInstanceOf(TrefoilNoAnswerError);
  expect(error).toMatchObject({ reason: 'time-limit', wasSent: true, idempotencyKey: server.keys()[0] });
  expect(new Set(server.keys()).size).toBe(1);
  expect((error as Error).message).toMatch(/within 2000 ms.*report may have been made/);
});

test('the key of a call without an answer returns that call’s answer', async () => {
  server.state.fates = [() => void vi.advanceTimersByTime(2_000)];
  const error = (await failureOf(trefoil.generate(request, { timeoutMs: 2_000 }))) as TrefoilNoAnswerError;
  await trefoil.generate(request, { idempotencyKey: error.idempotencyKey });
  expect(server.keys()).toEqual([error.idempotencyKey, error.idempotencyKey]);
});

test('a body that stops in the middle does not outlive the time limit', async () => {
  server.state.otherwise = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  };
  const fetchHeaders: typeof fetch = async (...parameters) => {
    const response = await fetch(...parameters);
    setImmediate(() => vi.advanceTimersByTime(200));
    return response;
  };
  const options = { baseUrl: server.baseUrl, tenantId, getToken: async () => 't', fetch: fetchHeaders };
  const error = await failureOf(createTrefoil(options).getWallet({ timeoutMs: 200 }));
  expect(error).toMatchObject({ reason: 'time-limit' });
  expect(error).not.toHaveProperty('idempotencyKey');
  expect((error as Error).message).toMatch(/Nothing was changed/);
});

test('a signal ends the call while it is sent, while it waits for a retry, and before it starts', async () => {
  const reason = new Error('the consumer left');
  let controller = new AbortController();
  const leave = () => void setImmediate(() => controller.abort(reason));
  const options = { baseUrl: server.baseUrl, tenantId, getToken: async () => 't', hooks: { retry: leave } };
  const left = createTrefoil(options);
  for (const fate of [leave, refuse(503, 'service-unavailable', { 'retry-after': '20' })]) {
    server.reset();
    controller = new AbortController();
    server.state.fates = [fate];
    expect(await failureOf(left.generate(request, { signal: controller.signal }))).toBe(reason);
    expect(server.asked()).toHaveLength(1);
    expect(await failureOf(left.generate(request, { signal: controller.signal }))).toBe(reason);
    expect(server.asked()).toHaveLength(1);
  }
});

test('with maxRetries 0 a call is sent once', async () => {
  const once = createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: async () => 't', maxRetries: 0 });
  for (const fate of [hangUp, isRunning, refuse(503, 'service-unavailable'), refuse(429, 'rate-limited')]) {
    server.reset();
    server.state.fates = [fate];
    await failureOf(once.generate(request));
    await failureOf(trefoil.generate(request, { maxRetries: 0, signal: AbortSignal.abort() }));
    expect(server.asked()).toHaveLength(1);
  }
});

test('a change without a key is repeated only after 429, which certainly had no effect', async () => {
  server.state.fates = [refuse(429, 'rate-limited', { 'retry-after': '0' })];
  await trefoil.inviteMember('ada@example.com', 'analyst');
  expect(server.keys()).toEqual([undefined, undefined]);
  for (const fate of [hangUp, refuse(503, 'service-unavailable')]) {
    server.reset();
    server.state.fates = [fate];
    const error = await failureOf(trefoil.changeMember('u', 'admin'));
    expect(server.asked()).toHaveLength(1);
    if (fate === hangUp) expect((error as Error).message).toMatch(/change may have been made: look before you repeat/);
  }
});

test('an address where nothing listens: the error says so, and that nothing was sent', async () => {
  const gone = await startFailingServer();
  gone.close();
  const options = { baseUrl: gone.baseUrl, tenantId, getToken: async () => 't', maxRetries: 1 };
  const lost = createTrefoil({ ...options, hooks: { retry: endPause } });
  const error = await failureOf(lost.generate(request));
  expect(error).toMatchObject({ reason: 'connection', wasSent: false });
  expect((error as Error).message).toMatch(/nothing listens at http.*Check host and port of baseUrl.*was not sent/);
});

test('hooks: each send, each answer and each pause; a hook that throws costs nothing', async () => {
  const told: string[] = [];
  const hooked = createTrefoil({
    baseUrl: server.baseUrl,
    tenantId,
    getToken: async () => 't',
    hooks: {
      call: async (call, run) => {
        told.push(`begin ${call.method} ${call.path}`);
        const result = await run();
        told.push('end');
        return result;
      },
      request: ({ send, headers }) => {
        headers.set('traceparent', `trace-${send}`);
        told.push(`request ${send}`);
      },
      response: ({ send, status, requestId }) => {
        told.push(`response ${send} ${status} ${requestId}`);
        throw new Error('a broken tracer');
      },
      retry: ({ send, reason, waitMs }) => {
        told.push(`retry ${send} ${reason.name}`);
        endPause({ waitMs });
      },
    },
  });
  server.state.fates = [
    hangUp,
    refuse(503, 'service-unavailable', { 'retry-after': '0', 'x-request-id': 'r1' }),
    answer(done, 200, { 'x-request-id': 'r2' }),
  ];
  expect(await hooked.getReport('secret-id')).toEqual(done);
  expect(told).toEqual([
    'begin GET /{tenantId}/v1/credit-reports/{creditReportId}',
    'request 1',
    'retry 1 TrefoilNoAnswerError',
    'request 2',
    'response 2 503 r1',
    'retry 2 TrefoilError',
    'request 3',
    'response 3 200 r2',
    'end',
  ]);
  expect(server.asked().map(({ headers }) => headers['traceparent'])).toEqual(['trace-1', 'trace-2', 'trace-3']);
});

test('hooks see neither the token nor the client secret, not even in headers that they keep; the service gets both', async () => {
  const sends: string[] = [];
  const kept: unknown[] = [];
  const keptHeaders: Headers[] = [];
  const clientSecret = 'a client secret';
  const hooked = createTrefoil({
    ...{ baseUrl: server.baseUrl, tenantId, clientId: 'c', clientSecret },
    hooks: {
      call: (call, run) => {
        kept.push(call);
        return run();
      },
      request: ({ headers, ...request }) => {
        sends.push(`${request.path} ${[...headers.keys()]}`);
        keptHeaders.push(headers);
        kept.push(request);
      },
      response: (response) => void kept.push(response),
      retry: ({ reason, ...retry }) => {
        kept.push(retry, { ...reason }, reason.message, reason.stack);
        endPause(retry);
      },
    },
  });
  server.state.tokenFates = [hangUp, refuse(503, 'service-unavailable', { 'retry-after': '0' })];
  server.state.fates = [refuse(401, 'unauthorized'), refuse(503, 'service-unavailable', { 'retry-after': '0' })];
  await hooked.getWallet();
  const [token, wallet] = ['/v1/oauth/token content-type,user-agent', '/{tenantId}/v1/wallet accept,user-agent'];
  // Three sends until there is a token, a token that is refused, a new one, a pause.
  expect(sends).toEqual([token, token, token, wallet, token, wallet, wallet]);
  const sent = server.asked().map(({ headers }) => headers.authorization);
  expect(sent).toEqual(['Bearer token-3', 'Bearer token-4', 'Bearer token-4']);
  // Read at the end, as a tracer does that writes in batches.
  const text = JSON.stringify([kept, keptHeaders.map((headers) => [...headers])]);
  const encoded = encodeURIComponent(clientSecret);
  for (const secret of [clientSecret, encoded, btoa(`c:${encoded}`), 'token-', 'authorization']) {
    expect(text).not.toContain(secret);
  }
});

test('headers of a call go with every send of it; they replace none of the library but its user-agent', async () => {
  server.state.fates = [hangUp];
  await trefoil.getWallet({ headers: { 'X-Case': '7', 'User-Agent': 'shop/1' } });
  await trefoil.getWallet({ headers: new Headers({ 'x-case': '8' }) });
  expect(server.asked().map(({ headers }) => headers['x-case'])).toEqual(['7', '7', '8']);
  const [first, , last] = server.asked().map(({ headers }) => headers['user-agent']);
  expect(first).toBe('shop/1');
  expect(last).toMatch(new RegExp(`^trefoil-sdk/${manifest.version} Node\\.js/\\d+`));
  server.reset();
  for (const name of ['Accept', 'Authorization', 'Content-Type', 'Idempotency-Key']) {
    const error = await failureOf(trefoil.generate(request, { headers: { [name]: 'x' } }));
    expect(error).toMatchObject({ name: 'TypeError', message: expect.stringContaining(name.toLowerCase()) });
  }
  expect(server.asked()).toEqual([]);
});

const RUNTIMES: [name: string, runtime: Parameters<typeof userAgentOf>[0], ending?: string][] = [
  ['Node 20', { process: { version: 'v20.3.0' } }, ' Node.js/20.3.0'],
  ['Node 24', { navigator: { userAgent: 'Node.js/24' }, process: { version: 'v24.1.0' } }, ' Node.js/24'],
  ['Deno', { navigator: { userAgent: 'Deno/2.1.4' } }, ' Deno/2.1.4'],
  ['a runtime without a name', {}, ''],
  ['a browser', { navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' } }],
];
test.each(RUNTIMES)('the library names itself and where it runs: %s', (_, runtime, ending) => {
  const expected = ending === undefined ? undefined : `trefoil-sdk/${manifest.version}${ending}`;
  expect(userAgentOf(runtime)).toBe(expected);
});

test('what only reads has no key', async () => {
  await trefoil.getWallet();
  expect(server.keys()).toEqual([undefined]);
});
