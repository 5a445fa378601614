// The thread that paints: it survives a document that kills it or takes too long, and refuses what it has no place for.
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../lib/log.ts';
import { createDocumentMetrics } from './document-metrics.ts';
import { createPainter, type Painter } from './painter.ts';
import type { PaintOrder } from './painter.worker.ts';
import { SAMPLE } from './sample.ts';

let painter: Painter;
afterEach(() => painter.close());

let registry: Registry;
const surroundings = () => {
  registry = new Registry();
  return { log: createLog('error', { write: () => undefined }), metrics: createDocumentMetrics(registry) };
};
const paint = (order: PaintOrder, tenantId = 'tenant') => painter.withPlace(tenantId, (paintNow) => paintNow(order));
const order = { completed: SAMPLE, evidence: undefined, format: 'pdf' } as const;
const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-';

/** More addresses than a request can have: thousands of pages, which take long and much memory. */
const addresses = SAMPLE.request.addresses.flatMap((address) => Array.from({ length: 60_000 }, () => address));
const endless = { ...order, completed: { ...SAMPLE, request: { ...SAMPLE.request, addresses }, kept: null } };

test('a document that takes all memory kills its thread: 503 for it, and the next one is painted', async () => {
  painter = createPainter({ ...surroundings(), megabytesMax: 96 });
  await expect(paint(endless)).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(isPdf(await paint(order))).toBe(true);
}, 240_000);

test('a document beyond the time limit ends with its thread: 503 for it, and the next one is painted', async () => {
  painter = createPainter({ ...surroundings(), limitMs: 4_000 });
  const startedAt = performance.now();
  await expect(paint(endless)).rejects.toMatchObject({
    code: 'service-unavailable',
    cause: { name: 'AbortError' },
  });
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(isPdf(await paint(order))).toBe(true);
}, 240_000);

test('a fault of the painting is no lack of room: an internal error, and the same thread paints the next one', async () => {
  painter = createPainter(surroundings());
  const fault = await paint({ ...order, completed: { ...SAMPLE, reportText: 'not JSON' } }).catch((error) => error);
  expect(fault).toMatchObject({ name: 'Error', cause: { name: 'SyntaxError' } });
  expect(await registry.getSingleMetricAsString('trefoil_documents_not_painted_total')).not.toMatch(/\} [1-9]/);
  expect(isPdf(await paint(order))).toBe(true);
}, 240_000);

test('the seconds of a document leave out the start of its thread', async () => {
  painter = createPainter(surroundings());
  const startedAt = performance.now();
  await paint({ ...order, format: 'html' });
  const waited = (performance.now() - startedAt) / 1_000;
  const text = await registry.getSingleMetricAsString('trefoil_document_seconds');
  const seconds = Number(/_sum\{[^}]*\} (\S+)/.exec(text)?.[1]);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(waited / 2);
}, 240_000);

test('one is painted and fifty wait, of any one tenant ten; the others are refused before any work is done', async () => {
  painter = createPainter(surroundings());
  await painter.warmUp();
  const begun: string[] = [];
  const ask = (tenantId: string) =>
    painter.withPlace(tenantId, (paintNow) => {
      begun.push(tenantId);
      return paintNow(order);
    });
  const greedy = Array.from({ length: 15 }, () => ask('greedy'));
  const others = Array.from({ length: 46 }, (_, place) => ask(`tenant ${place % 9}`));
  expect(begun.filter((tenantId) => tenantId === 'greedy')).toHaveLength(10);
  expect(begun).toHaveLength(51);
  const outcomes = await Promise.allSettled([...greedy, ...others]);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(10);
  for (const each of refused) expect(each).toMatchObject({ reason: { code: 'service-unavailable' } });
  expect(outcomes.filter((each) => each.status === 'fulfilled' && isPdf(each.value))).toHaveLength(51);
  // The places are free again.
  expect(isPdf(await ask('greedy'))).toBe(true);
}, 240_000);
