// A collector may be away, hang, be slow, refuse or lie: spans are then kept, sent again or dropped and counted. Nothing that
// records a span waits or fails.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import {
  accept,
  type Collecting,
  type Collector,
  hang,
  refuse,
  startCollector,
} from '../../../test/support/collector.ts';
import { newId } from '../ids.ts';
import { openHttpLine } from '../outside/http-line.ts';
import {
  type Dropped,
  type ExportOptions,
  openSpanExport,
  QUEUE_MAX,
  type SpanExport,
  TRIES_MAX,
} from './export-spans.ts';
import { recordSpan } from './span.ts';
import { createTracer } from './tracer.ts';

const PATIENT_MS = 30_000;
/** Where no answer comes. */
const HASTY_MS = 200;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Opened = SpanExport & {
  fill(count: number): void;
  readonly dropped: Record<Dropped, number>;
  /** Changes of state, each with its status or error. */
  readonly states: unknown[][];
};
type Changes = Partial<Pick<ExportOptions, 'headers' | 'timeoutMs' | 'pauseMs' | 'pauseMaxMs'>>;

function openTo(baseUrl: string, changes: Changes = {}): Opened {
  const dropped = { full: 0, refused: 0, failed: 0 };
  const states: unknown[][] = [];
  const out = openSpanExport({
    ...{ headers: {}, resource: { version: '1', instanceId: newId() } },
    line: openHttpLine({ baseUrl, timeoutMs: 60_000, connections: 1, replyBytesMax: 1_000 }),
    onDropped(count, why) {
      dropped[why] += count;
    },
    onState: (state, { status, errorCode }) => states.push([state, status ?? errorCode]),
    // Enough for a busy machine.
    ...{ timeoutMs: PATIENT_MS, everyMs: 5, pauseMs: 20, ...changes },
  });
  const { placeOf } = createTracer({ ratio: 1, callers: 'link', tells: [], record: out.record });
  return {
    ...out,
    ...{ dropped, states },
    fill(count) {
      for (let made = 0; made < count; made += 1) recordSpan(placeOf(newId()), 'merge');
    },
  };
}

const GZIP = { 'content-encoding': 'gzip' };

async function start(behaviour: Collecting = accept, changes: Changes = {}): Promise<[Collector, Opened]> {
  const collector = await startCollector(behaviour);
  cleanUps.push(collector.close);
  return [collector, openTo(collector.url, changes)];
}

test('spans arrive, in batches, with the headers of the operator', async () => {
  const [collector, out] = await start(accept, { headers: { 'x-api-key': 'key-of-the-collector' } });
  out.fill(1_000);
  await eventually(() => expect(collector.spans()).toHaveLength(1_000));
  expect(collector.bytes).toHaveLength(4);
  expect(collector.bytes[0]).toContain('POST /v1/traces');
  expect(collector.bytes[0]).toContain('"x-api-key":"key-of-the-collector"');
  await out.close();
  expect(out.dropped).toEqual({ full: 0, refused: 0, failed: 0 });
});

test('what waits at the stop is sent first', async () => {
  const [collector, out] = await start();
  out.fill(600);
  await out.close();
  expect(collector.spans()).toHaveLength(600);
});

for (const [name, behaviour] of [
  ['429', refuse(429)],
  ['502', refuse(502)],
  ['503', refuse(503)],
  ['504', refuse(504)],
  ['503 with a compressed page', (response) => void response.writeHead(503, GZIP).end('<html>')],
  ['no answer', hang],
  ['a cut connection', (response) => void response.destroy()],
] as [string, Collecting][]) {
  test(`${name}: spans are kept and arrive once the collector is well`, async () => {
    const [collector, out] = await start(behaviour, { timeoutMs: behaviour === hang ? HASTY_MS : PATIENT_MS });
    out.fill(10);
    await eventually(() => expect(collector.bytes.length).toBeGreaterThan(1));
    collector.behave(accept);
    await eventually(() => expect(collector.spans()).toHaveLength(10));
    await out.close();
    expect(out.dropped).toEqual({ full: 0, refused: 0, failed: 0 });
  });
}

const endless: Collecting = (response) => void response.writeHead(200).write('{');
const countSpans = (text: string | undefined) => (text ?? '').split('"spanId"').length - 1;

for (const [name, behaviour] of [
  ['an answer without an end', endless],
  ['a huge answer', (response) => void response.writeHead(200).end('x'.repeat(100_000))],
  ['a compressed answer', (response) => void response.writeHead(200, GZIP).end('{}')],
] as [string, Collecting][]) {
  test(`200 with ${name}: the batch was taken, and is not sent again`, async () => {
    const [collector, out] = await start(behaviour, { timeoutMs: behaviour === endless ? HASTY_MS : PATIENT_MS });
    out.fill(10);
    await eventually(() => expect(collector.bytes).toHaveLength(1));
    collector.behave(accept);
    out.fill(1);
    // The oldest spans go first: ten of them would come again before, or with, the eleventh.
    await eventually(() => expect(collector.spans()).toHaveLength(1));
    await out.close();
    const [first, ...later] = collector.bytes.map(countSpans);
    expect(first).toBe(10);
    // Once more only if the stop came before the answer was read.
    expect(new Set(later)).toEqual(new Set([1]));
    expect(out.dropped).toEqual({ full: 0, refused: 0, failed: 0 });
  });
}

for (const [name, behaviour] of [
  ['400', refuse(400)],
  ['401', refuse(401)],
  ['404', refuse(404)],
  ['408', refuse(408)],
  ['500', refuse(500)],
  ['501', refuse(501)],
  ['400 with a compressed page', (response) => void response.writeHead(400, GZIP).end('<html>')],
  ['a redirect', refuse(307, { location: 'http://127.0.0.1:1/' })],
] as [string, Collecting][]) {
  test(`${name}: the batch is dropped, counted and not sent again`, async () => {
    const [collector, out] = await start(behaviour);
    out.fill(10);
    await eventually(() => expect(out.dropped.refused).toBe(10));
    await out.close();
    expect(collector.bytes).toHaveLength(1);
  });
}

test('a batch that cannot be sent is given up after eight tries, and those behind it are sent', async () => {
  const [collector, out] = await start(refuse(503), { pauseMs: 1 });
  // Two batches.
  out.fill(300);
  await eventually(() => expect(out.dropped.failed).toBe(256));
  expect(collector.bytes.filter((text) => countSpans(text) === 256)).toHaveLength(TRIES_MAX);
  collector.behave(accept);
  await eventually(() => expect(collector.spans()).toHaveLength(44));
  await out.close();
  expect(out.dropped).toEqual({ full: 0, refused: 0, failed: 256 });
});

test('Retry-After is kept to, within a bound', async () => {
  const askedMs: number[] = [];
  const [, patient] = await start((response) => {
    askedMs.push(performance.now());
    response.writeHead(503, { 'retry-after': '1' }).end();
  });
  const [collector, bound] = await start(refuse(503, { 'retry-after': '9999' }), { pauseMaxMs: 50 });
  for (const out of [patient, bound]) out.fill(10);
  await eventually(() => expect(collector.bytes.length).toBeGreaterThan(3));
  await eventually(() => expect(askedMs).toHaveLength(2));
  // steady: at least so long; a slow machine only takes longer.
  expect((askedMs[1] ?? 0) - (askedMs[0] ?? 0)).toBeGreaterThan(950);
  for (const out of [patient, bound]) await out.close();
});

test('each change of the collector’s state is told once, and our own stop is none', async () => {
  const [collector, out] = await start(accept, { pauseMs: 1, pauseMaxMs: 5 });
  const ask = async (behaviour: Collecting, times = 1) => {
    collector.behave(behaviour);
    const before = collector.bytes.length;
    out.fill(1);
    await eventually(() => expect(collector.bytes.length).toBeGreaterThanOrEqual(before + times));
  };
  await ask(accept);
  await ask(refuse(503), 3);
  await ask((response) => void response.destroy(), 3);
  await ask(accept);
  await eventually(() => expect(out.states).toHaveLength(2));
  for (const _ of [1, 2, 3]) await ask(refuse(401));
  await eventually(() => expect(out.states).toHaveLength(3));
  await ask(hang);
  collector.behave(accept);
  await out.close();
  expect(out.states).toEqual([
    ['away', 503],
    ['well', 200],
    ['refuses', 401],
  ]);
});

const answers: [string, number][] = [
  ['{"partialSuccess":{"rejectedSpans":"3"}}', 3],
  ['{"partialSuccess":{"rejectedSpans":4}}', 4],
  ['{"partialSuccess":{"rejectedSpans":99999}}', 10],
  ['{"partialSuccess":{"rejectedSpans":-5}}', 0],
  ['{"partialSuccess":null}', 0],
  ['null', 0],
  ['<html>', 0],
  ['', 0],
];
for (const [text, refused] of answers) {
  test(`200 with ${text || 'nothing'}: ${refused} of 10 counted as refused`, async () => {
    const [, out] = await start((response) => void response.writeHead(200).end(text));
    out.fill(10);
    await out.close();
    expect(out.dropped).toEqual({ full: 0, refused, failed: 0 });
  });
}

test('a collector that hangs: the queue is bounded, the rest is dropped and counted, and recording waits for nothing', async () => {
  const [collector, out] = await start(hang, { timeoutMs: HASTY_MS });
  out.fill(QUEUE_MAX + 5_000);
  // All in one turn: nothing was sent yet.
  expect(out.dropped.full).toBe(5_000);
  expect(collector.bytes).toEqual([]);
  const limits = vi.spyOn(AbortSignal, 'timeout');
  await out.close();
  // One exchange, with the time of one.
  expect(limits.mock.calls).toEqual([[HASTY_MS]]);
  expect(collector.bytes.length).toBeLessThanOrEqual(1);
  expect(out.dropped.failed).toBe(QUEUE_MAX);
});

test('a collector that is away: nothing fails, and the stop is short', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const out = openTo(`http://127.0.0.1:${port}`);
  out.fill(10);
  await eventually(() => expect(out.states).toHaveLength(1));
  await out.close();
  expect(out.dropped).toEqual({ full: 0, refused: 0, failed: 10 });
});
