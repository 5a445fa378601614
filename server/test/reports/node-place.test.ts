// A report keeps its place at the node until it is answered, even after it has released its other places: until then the
// node's processor is busy with it (docs/decisions/0140-admission.md). This test reads the places at a report's failpoints.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FETCH_WAIT_MS } from '../../src/credit-reports/challenge/fetch-after-challenge.ts';
import { createReportQueue } from '../../src/credit-reports/queue.ts';
import { createReferenceOpener } from '../../src/credit-reports/reading/read-references.ts';
import { registerReportRoutes } from '../../src/credit-reports/routes.ts';
import { createDelay } from '../../src/credit-reports/sandbox/delay-requests.ts';
import { openFingerprints } from '../../src/fingerprints/open-fingerprints.ts';
import { createRingHash } from '../../src/lib/crypto/hash-ring.ts';
import { createVault } from '../../src/lib/crypto/vault.ts';
import { createLocalStore } from '../../src/lib/limits/local-limits.ts';
import { createPresence } from '../../src/lib/limits/presence.ts';
import { currentScope } from '../../src/lib/request-scope.ts';
import { type Live, openLive } from '../../src/open-live.ts';
import { openMetrics } from '../../src/open-metrics.ts';
import { PATIENCE } from '../harness.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { AUTHORIZED, openRoutes } from '../support/own-routes.ts';
import { type Reply, send as sendTo } from '../support/wire.ts';

let server: LiveServer;
let live: Live;
let metrics: ReturnType<typeof openMetrics>;
let routes: Awaited<ReturnType<typeof openRoutes>>;
/** The places that are taken: at the node, at screening, at a bureau. */
const takenNow = () => ['node', 'screening', 'equifax'].map((kind) => live.dependencies.places.taken(kind));
let seen: [name: string, taken: number[]][];
let afterReserve: (() => void) | undefined;
/** What the reservation may take, read a moment after it was decided. */
let reserveMs: number;
const at = (name: string) => seen.find(([each]) => each === name)?.[1];

beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 100_000);
  const { config, database } = server;
  const failpoint = (name: string) => {
    seen.push([name, takenNow()]);
    if (name === 'after-reserve') afterReserve?.();
  };
  const [vault, { log }] = [createVault(config.vaultKeys), server.app];
  metrics = openMetrics();
  const ownQueue = createReportQueue(database.queue, failpoint);
  const queue: typeof ownQueue = {
    ...ownQueue,
    reserve(reservation, deadlineMs = Number.POSITIVE_INFINITY) {
      reserveMs = deadlineMs - performance.now();
      return ownQueue.reserve(reservation, deadlineMs);
    },
  };
  const now = () => new Date();
  const limits = { ...createLocalStore(1), close: () => undefined };
  const { openSession } = openFingerprints(config, { limits, metrics, log, now });
  const parts = { database, vault, queue, metrics, log, now, failpoint, presence: createPresence(), openSession };
  const opened = openLive(config, { ...parts, patience: PATIENCE });
  if (!opened) throw new Error('there are no providers');
  live = opened;
  routes = await openRoutes(server, server.demo, (app, gate) =>
    registerReportRoutes(app, gate, {
      ...{ database, vault, queue, metrics, log },
      hashIdempotency: createRingHash(config.hashKeys, 'idempotency'),
      hashReference: createRingHash(config.hashKeys, 'external-reference'),
      openReferences: createReferenceOpener({ database, vault, log }),
      delay: createDelay(),
      purge: async () => undefined,
      live: live.dependencies,
      fetchWaitMs: FETCH_WAIT_MS,
    }),
  );
});
beforeEach(() => {
  seen = [];
  afterReserve = undefined;
});
afterAll(async () => {
  await routes.close();
  await live.close();
  await server.close();
});

function send(action: string, body: object): Promise<Reply> {
  const path = `/${server.demo.tenantId}/v1/credit-reports${action}`;
  const headers = { ...AUTHORIZED, 'content-type': 'application/json' };
  return sendTo(routes.baseUrl, { method: 'POST', path, headers, body: JSON.stringify(body) });
}

async function post(action: string, body: object): Promise<{ data: { status: string; [field: string]: unknown } }> {
  const reply = await send(action, body);
  expect(reply.status, reply.text).toBe(200);
  return JSON.parse(reply.text);
}

test('a report keeps its place at the node while it is settled, and gives it back with the answer', async () => {
  const { data } = await post('', liveBody(server.mintSession()));
  expect(data.status).toBe('complete');
  expect(at('after-reserve')).toEqual([1, 1, 1]);
  expect(at('before-bureau-send')).toEqual([1, 0, 1]);
  for (const name of ['after-bureau-reply', 'before-settle-commit', 'after-settle-before-reply']) {
    expect([name, at(name)]).toEqual([name, [1, 0, 0]]);
  }
  expect(takenNow()).toEqual([0, 0, 0]);
});

test('so does the report of a right code', async () => {
  const mobileNumber = '+447700900451';
  const { data } = await post('', liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber }));
  const { challengeId } = data['challenge'] as { challengeId: string };
  expect([at('after-settle-before-reply'), takenNow()]).toEqual([
    [1, 0, 0],
    [0, 0, 0],
  ]);
  seen = [];
  const submit = { challengeId, code: await server.code(mobileNumber) };
  expect((await post(`/${String(data['creditReportId'])}/otp-challenge`, submit)).data.status).toBe('complete');
  expect(at('before-bureau-send')).toEqual([1, 0, 1]);
  for (const name of ['after-bureau-reply', 'before-settle-commit', 'after-settle-before-reply']) {
    expect([name, at(name)]).toEqual([name, [1, 0, 0]]);
  }
  expect(takenNow()).toEqual([0, 0, 0]);
});

test('a reservation may take two seconds, so that screening and bureaus have the time they need', async () => {
  await post('', liveBody(server.mintSession()));
  // steady: what is left of it only shrinks while the machine stands still.
  expect(reserveMs).toBeLessThanOrEqual(PATIENCE * 2_000);
});

test('503 service-unavailable: a report reserved too late asks no provider, and keeps its place until it is settled', async () => {
  const { tenantId } = server.demo;
  const before = await server.wallet(tenantId);
  // The reservation took so long that too little time is left for screening and bureaus.
  afterReserve = () => Object.assign(currentScope() ?? {}, { deadlineMs: performance.now() + PATIENCE * 17_000 });
  const reply = await send('', liveBody(server.mintSession()));
  expect(reply.status, reply.text).toBe(503);
  const { code, creditReportId } = JSON.parse(reply.text) as { code: string; creditReportId: string };
  expect(code).toBe('service-unavailable');
  expect((await server.trefoil.getReport(creditReportId)).data).toMatchObject({
    status: 'failed',
    failureReason: 'reservation-late',
  });
  const counted = await metrics.registry.getSingleMetricAsString('trefoil_report_failures_total');
  expect(counted).toContain('{failure="reservation-late"} 1');
  expect(seen.map(([name]) => name)).not.toContain('before-bureau-send');
  expect(at('after-reserve')).toEqual([1, 1, 1]);
  expect(at('before-settle-commit')).toEqual([1, 0, 0]);
  expect(takenNow()).toEqual([0, 0, 0]);
  expect(await server.wallet(tenantId)).toEqual(before);
});
