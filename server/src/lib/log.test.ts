import { expect, test } from 'vitest';
import { newId } from './ids.ts';
import { createLog, describeError, type LogFields } from './log.ts';
import { inSpanOf } from './traces/span.ts';
import { createTracer } from './traces/tracer.ts';

test('a field that is not declared cannot be logged', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.info('request', { requestId: 'r1', body: { firstName: 'Canary' } } as LogFields);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: 'r1', msg: 'request' });
  expect(lines.join()).not.toContain('Canary');
});

test('an error is told by kind and place, never by message', () => {
  const error = Object.assign(new Error('duplicate key (Canary)\n    second line Canary'), { code: '23505' });
  const described = describeError(error);
  expect(described).toMatchObject({ errorName: 'Error', errorCode: '23505' });
  expect(JSON.stringify(described)).not.toContain('Canary');
  expect(described.stack).toContain('log.test.ts');
});

test('the level of a line is a word', () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('event');
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['debug', 'info', 'warn', 'error']);
});

test('a line has the trace and the span that it is written in, if that is recorded', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const tracer = createTracer({ ratio: 1, callers: 'link', tells: [], record: () => undefined });
  const span = await inSpanOf(tracer.placeOf(newId()), 'merge', {}, async (own) => {
    log.info('inside');
    return own;
  });
  log.info('outside');
  const [inside, outside] = lines.map((line) => JSON.parse(line));
  expect(inside).toMatchObject({ trace_id: span?.trace.traceId, span_id: span?.spanId });
  expect(Object.keys(outside)).not.toContain('trace_id');
});
