// A collector that is set up wrongly is refused at the start where that can be seen, and else told in the log.
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { accept, refuse, startCollector } from '../../../test/support/collector.ts';
import { newId } from '../ids.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { findSettingFaults } from '../setting-schema.ts';
import { openTraces, TraceSettings } from './open-traces.ts';
import { recordSpan } from './span.ts';

const BARE = '/baseUrl must be an address without user, password and query; put a key into headers';
const rows: [baseUrl: string, fault: string | undefined][] = [
  ['https://otel.example.com', undefined],
  ['http://127.0.0.1:4318/', undefined],
  ['https://otel.example.com/otlp', undefined],
  ['hush', '/baseUrl must be an address with http or https'],
  ['ftp://hush', '/baseUrl must be an address with http or https'],
  ['https://user:hush@otel.example.com', BARE],
  ['https://hush@otel.example.com', BARE],
  ['https://otel.example.com/?token=hush', BARE],
  ['https://otel.example.com/#hush', BARE],
  ...['/v1/traces', '/v1/traces/', '/otlp/v1/traces'].map((path): [string, string] => [
    `https://otel.example.com${path}`,
    '/baseUrl must be the address without /v1/traces at its end, which the process adds',
  ]),
];
test.each(rows)('%s: %s', (baseUrl, fault) => {
  expect(findSettingFaults(TraceSettings, { baseUrl })).toEqual(fault === undefined ? [] : [fault]);
});

const faultsOf = (headers: object) =>
  findSettingFaults(TraceSettings, { baseUrl: 'https://otel.example.com', headers });
test('headers: any but those of the connection and of the body', () => {
  expect(faultsOf({ 'x-api-key': 'k', Authorization: 'Bearer t', 'x-host': 'h' })).toEqual([]);
  for (const name of ['connection', 'Connection', 'Transfer-Encoding', 'CONTENT-LENGTH', 'host', 'upgrade', 'Expect']) {
    const [fault, ...others] = faultsOf({ 'x-api-key': 'k', [name]: 'hush' });
    expect(fault, name).toMatch(/^\/headers must be an object of headers without connection, /);
    expect(others).toEqual([]);
  }
});

test('the log has one line when the collector refuses, and one when it takes spans again; no address and no key', async () => {
  const collector = await startCollector(refuse(404));
  onTestFinished(collector.close);
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const settings = { baseUrl: collector.url, ratio: 1, headers: { 'x-api-key': 'key-of-the-collector' } };
  const metrics = createMetrics();
  const { tracer, close } = openTraces(settings, { log, metrics });
  const record = () => recordSpan(tracer.placeOf(newId()), 'merge');
  record();
  await eventually(() => expect(lines).toHaveLength(1));
  collector.behave(accept);
  record();
  await eventually(() => expect(lines).toHaveLength(2));
  await close();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', msg: 'the collector of traces refuses spans', status: 404 },
    { level: 'info', msg: 'the collector of traces takes spans again', status: 200 },
  ]);
  expect(lines.join()).not.toContain('key-of-the-collector');
  expect(lines.join()).not.toContain('127.0.0.1');
  expect((await metrics.registry.metrics()).split('\n').filter((line) => /^trefoil_trace_spans/.test(line))).toEqual([
    'trefoil_trace_spans_dropped_total{why="full"} 0',
    'trefoil_trace_spans_dropped_total{why="refused"} 1',
    'trefoil_trace_spans_dropped_total{why="failed"} 0',
  ]);
});
