// 6,000 requests, or TREFOIL_FUZZ_REQUESTS, from the contract's schemas, from valid to hostile, against one server. Repeat a
// failure with its seed: TREFOIL_TEST_SEED=… npx vitest run --project journeys server/test/platform/fuzz.test.ts
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS, type Operation } from '@trefoil/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChallenge, startServer, type TestServer } from '../harness.ts';
import { anyRequest, type World } from '../support/arbitraries.ts';
import { type Reply, readError, send, type WireRequest } from '../support/wire.ts';

const SEED = Number(process.env['TREFOIL_TEST_SEED'] ?? Date.now() % 2 ** 31);
const REQUESTS = Number(process.env['TREFOIL_FUZZ_REQUESTS'] ?? 6_000);
const WORKERS = 16;
const BATCH = 500;
const FAILURES_SHOWN = 10;

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_LOG_LEVEL: 'error' } });
  const challenges = await Promise.all(Array.from({ length: 100 }, () => startChallenge(server.trefoil)));
  world = {
    tenantId: server.demo.tenantId,
    otherTenantId: server.other.tenantId,
    authorization: `Bearer ${await server.trefoil.getToken()}`,
    otherAuthorization: `Bearer ${await server.otherTrefoil.getToken()}`,
    challenges,
  };
});
afterAll(() => server.close());

const ajv = new Ajv2020({ strict: false, formats: { uuid: true, date: true, 'date-time': true, 'plain-text': true } });

/** Which operation an answer belongs to, by the path that was asked. */
const operations = (Object.values(OPERATIONS) as Operation[]).map((operation) => ({
  operation,
  // The router takes an empty part as well.
  pattern: new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]*')}$`),
  isValid: ajv.compile(operation.response) as ValidateFunction,
}));

function operationOf({ method, path }: WireRequest) {
  // The router ends a path at either: what begins with one of them is the start page.
  const bare = path.split(/[?#]/, 1)[0] ?? '';
  return operations.find(({ operation, pattern }) => operation.method === method && pattern.test(bare));
}

/**
 * Live mode is not open, and one tenant has a few places at the painter of documents, for which the workers here compete: the only
 * 5xx there may be, and only where a live report or such a document was asked for.
 */
function mayBeUnavailable(request: WireRequest): boolean {
  if (operationOf(request)?.operation === OPERATIONS.exportSubjectDocument) return true;
  const asked: readonly (Operation | undefined)[] = [OPERATIONS.generateCreditReport, OPERATIONS.quoteCreditReport];
  if (!asked.includes(operationOf(request)?.operation ?? OPERATIONS.getProfile)) return false;
  return JSON.parse(String(request.body).replace(/^\ufeff/, '')).test !== true;
}

function judge(request: WireRequest, reply: Reply): void {
  if (reply.status >= 500) {
    assert.ok(reply.status === 503 && mayBeUnavailable(request), `a ${reply.status}: ${reply.text.slice(0, 300)}`);
    assert.ok(Number(reply.headers['retry-after']) > 0, 'a 503 without Retry-After');
  }
  assert.ok(reply.headers['x-request-id'], 'no X-Request-Id');
  const { operation, isValid } = operationOf(request) ?? {};
  if (request.method === 'HEAD') assert.equal(reply.text, '');
  else if (reply.status >= 400) readError(reply, request.path);
  else if (isValid) {
    assert.equal(reply.status, 200);
    const mediaType = String(reply.headers['content-type']).split(';', 1)[0] ?? '';
    const mediaTypes: readonly string[] = operation?.mediaTypes ?? ['application/json'];
    assert.ok(mediaTypes.includes(mediaType), `an answer of type ${mediaType}`);
    const answer = mediaType === 'application/json' ? JSON.parse(reply.text) : reply.text;
    assert.ok(isValid(answer), `not the contract's response: ${ajv.errorsText(isValid.errors)}`);
  }
}

/** One tenant gets few documents at a time (docs/decisions/0223-documents-in-a-thread.md): its client asks again, as a 503 says. */
const PAINTED: readonly (Operation | undefined)[] = [OPERATIONS.getDocument, OPERATIONS.getStatement];
const PAINT_TRIES = 50;
const PAINT_REST_MS = 100;

async function sendUntilPainted(request: WireRequest): Promise<Reply> {
  const isPainted = PAINTED.includes(operationOf(request)?.operation);
  let reply = await send(server.baseUrl, request);
  for (let tries = 1; isPainted && reply.status === 503 && tries < PAINT_TRIES; tries += 1) {
    assert.ok(Number(reply.headers['retry-after']) > 0, 'a 503 without Retry-After');
    await sleep(PAINT_REST_MS);
    reply = await send(server.baseUrl, request);
  }
  return reply;
}

type Failure = { readonly request: WireRequest; readonly because: string };

async function fuzz(requests: readonly WireRequest[], statuses: Map<number, number>): Promise<Failure[]> {
  const failures: Failure[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let request = requests[next++]; request; request = requests[next++]) {
      try {
        const reply = await sendUntilPainted(request);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        judge(request, reply);
      } catch (error) {
        failures.push({ request, because: (error as Error).message });
      }
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work));
  return failures;
}

/** Newlines and long texts would hide the request among themselves. */
function describeFailure({ request, because }: Failure): string {
  const { method, path, body } = request;
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name, value.slice(0, 40)]);
  const shown = JSON.stringify({ headers, body: body === undefined ? undefined : String(body).slice(0, 600) });
  return `${because}\n    ${method} ${path.slice(0, 200)} ${shown.slice(0, 1_200)}`;
}

test(`${REQUESTS} requests: no 5xx, every error in the published shape, every answer in the contract’s`, async () => {
  const statuses = new Map<number, number>();
  const failures: Failure[] = [];
  const request = anyRequest(world);
  for (let sent = 0; sent < REQUESTS && failures.length < FAILURES_SHOWN; sent += BATCH) {
    const numRuns = Math.min(BATCH, REQUESTS - sent);
    failures.push(...(await fuzz(fc.sample(request, { numRuns, seed: SEED + sent }), statuses)));
  }
  const seen = JSON.stringify(Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)));
  const story = failures.slice(0, FAILURES_SHOWN).map(describeFailure).join('\n  ');
  expect(failures.length, `seed ${SEED}, statuses ${seen}\n  ${story}`).toBe(0);
  // A fuzzer that never gets past the gate, or never stumbles, tests nothing.
  for (const status of [200, 400, 401, 403, 404, 405, 413, 415]) {
    expect(statuses.get(status) ?? 0, `seed ${SEED}, statuses ${seen}`).toBeGreaterThan(REQUESTS / 2_000);
  }
  expect((await send(server.baseUrl, { method: 'GET', path: '/livez' })).status).toBe(200);
  expect(server.logText()).not.toContain('"level":"error"');
}, 240_000);
