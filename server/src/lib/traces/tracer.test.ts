import { expect, test } from 'vitest';
import { newId } from '../ids.ts';
import { createGuard } from '../outside/guard-calls.ts';
import { currentScope, currentSpan, inScope, outsideScope } from '../request-scope.ts';
import { followReport, inSpan, inSpanOf, type Span, traceHeaders } from './span.ts';
import { contextOf, createTracer, isSampled, NO_TRACES, type TracerOptions } from './tracer.ts';

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const UNSAMPLED = CALLER.replace(/01$/, '00');

function open(changes: Partial<TracerOptions> = {}) {
  const recorded: Span[] = [];
  const record = (span: Span) => void recorded.push(span);
  const tracer = createTracer({ ratio: 1, callers: 'link', tells: ['bureaus'], record, ...changes });
  return { tracer, recorded };
}

test('a ratio of ids is sampled, the same ones by every node', () => {
  const ids = Array.from({ length: 20_000 }, () => contextOf(newId()).traceId);
  const share = (ratio: number) => ids.filter((traceId) => isSampled(traceId, ratio)).length / ids.length;
  expect([share(0), share(1)]).toEqual([0, 1]);
  expect(share(0.1)).toBeGreaterThan(0.085);
  expect(share(0.1)).toBeLessThan(0.115);
  // What a small ratio samples, a larger one samples too.
  expect(ids.every((traceId) => !isSampled(traceId, 0.1) || isSampled(traceId, 0.2))).toBe(true);
});

test('a report has one trace, which does not show its id', () => {
  const id = '01935f2e-7b1a-7c3d-8e4f-0123456789ab';
  expect(contextOf(id)).toEqual(contextOf(id));
  // As `printf trefoil-trace:01935f2e-… | sha256sum` says.
  expect(contextOf(id)).toEqual({ traceId: '5b102569ccf7976729252df8ac86cf59', spanId: '454a47d5455b7e60' });
});

test('off: a request has no span, and work is called as it is', async () => {
  expect(NO_TRACES.startRequest(CALLER)).toBeUndefined();
  expect(NO_TRACES.placeOf(newId())).toBeUndefined();
  const answer = Promise.resolve(7);
  // The very same promise: nothing is added to the work.
  expect(inSpan('merge', {}, () => answer)).toBe(answer);
  expect(traceHeaders()).toEqual({});
});

test('the request that creates a report is the root of its trace; what ended before is recorded below it', async () => {
  const { tracer, recorded } = open();
  const span = tracer.startRequest(undefined);
  const id = newId();
  await inScope({ deadlineMs: 0, span }, async () => {
    await inSpan('transaction', {}, async () => undefined);
    expect(recorded).toEqual([]);
    followReport(id, true);
    await inSpan('merge', {}, async () => undefined);
  });
  expect(span).toMatchObject({ spanId: contextOf(id).spanId, parent: undefined });
  expect(recorded.map(({ name, parent, trace }) => [name, parent?.spanId, trace.traceId])).toEqual([
    ['transaction', contextOf(id).spanId, contextOf(id).traceId],
    ['merge', contextOf(id).spanId, contextOf(id).traceId],
  ]);
});

test('a later request, and work without one, are below that root', async () => {
  const { tracer, recorded } = open();
  const id = newId();
  const later = tracer.startRequest(undefined);
  inScope({ deadlineMs: 0, span: later }, () => followReport(id));
  expect(later).toMatchObject({ parent: { spanId: contextOf(id).spanId } });
  expect(later?.trace.traceId).toBe(contextOf(id).traceId);
  await inSpanOf(tracer.placeOf(id), 'message', {}, async () => undefined);
  expect(recorded[0]).toMatchObject({ name: 'message', parent: { spanId: contextOf(id).spanId } });
});

test('link: a caller’s trace is linked to and decides nothing', () => {
  for (const [ratio, header, sampled] of [
    [0, CALLER, false],
    [1, UNSAMPLED, true],
  ] as const) {
    const span = open({ ratio }).tracer.startRequest(header);
    span?.trace.decide();
    expect(span).toMatchObject({ parent: undefined, links: [{ spanId: '00f067aa0ba902b7' }] });
    expect(span?.trace.traceId).not.toContain('4bf92f');
    expect(span?.trace.isSampled).toBe(sampled);
  }
});

test('continue: a caller’s trace is continued, and its flag decides whatever the ratio; the report’s trace is linked to', () => {
  for (const [ratio, header, sampled] of [
    [0, CALLER, true],
    [1, UNSAMPLED, false],
  ] as const) {
    const span = open({ ratio, callers: 'continue' }).tracer.startRequest(header);
    const id = newId();
    inScope({ deadlineMs: 0, span }, () => followReport(id, true));
    expect(span).toMatchObject({ parent: { spanId: '00f067aa0ba902b7' }, links: [contextOf(id)] });
    expect(span?.trace).toMatchObject({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', isSampled: sampled });
  }
});

test('not sampled: nothing is recorded, nobody is told', async () => {
  const { tracer, recorded } = open({ ratio: 0 });
  const span = tracer.startRequest(undefined);
  await inScope({ deadlineMs: 0, span }, async () => {
    followReport(newId(), true);
    await inSpan('bureau', { peer: 'bureaus' }, async (own) => {
      expect(own).toBeUndefined();
      expect(traceHeaders()).toEqual({});
    });
  });
  expect(tracer.placeOf(newId())).toBeUndefined();
  expect(recorded).toEqual([]);
});

test('only a call to a company that may be told carries the trace', async () => {
  const { tracer, recorded } = open();
  const place = tracer.placeOf(newId());
  const told = await inSpanOf(place, 'bureau', { peer: 'bureaus' }, async () => traceHeaders()['traceparent']);
  expect(told).toBe(`00-${place?.trace.traceId}-${recorded[0]?.spanId}-01`);
  expect(await inSpanOf(place, 'carrier', { peer: 'sms' }, async () => traceHeaders())).toEqual({});
  expect(await inSpanOf(place, 'merge', {}, async () => traceHeaders())).toEqual({});
});

test('work that throws is recorded as failed, and throws', async () => {
  const { tracer, recorded } = open();
  const fail = async () => Promise.reject(new Error('canary of an error'));
  await expect(inSpanOf(tracer.placeOf(newId()), 'merge', {}, fail)).rejects.toThrow('canary');
  expect(recorded[0]).toMatchObject({ isFailed: true, attributes: {} });
});

test('work of a report that is not recorded is not put into the trace of the current span', async () => {
  const { tracer, recorded } = open();
  const scope = { deadlineMs: 0, span: tracer.startRequest(undefined) };
  await inScope(scope, async () => {
    followReport(newId(), true);
    await inSpanOf(undefined, 'message', {}, async () => {
      expect(currentSpan()).toBeUndefined();
      expect(currentScope()).toBe(scope);
      await inSpan('carrier', { peer: 'sms' }, async () => expect(traceHeaders()).toEqual({}));
    });
    expect(currentSpan()).toBe(scope.span);
  });
  expect(recorded).toEqual([]);
});

test('shared work is in no trace', () => {
  const { tracer } = open();
  inScope({ deadlineMs: 0, span: tracer.startRequest(undefined) }, () => {
    expect(currentSpan()).toBeDefined();
    outsideScope(() => expect(currentSpan()).toBeUndefined());
  });
});

test('a call that waited for a place is in its own trace, and not in that of the call which made room', async () => {
  const { tracer } = open();
  const guard = createGuard<string>(
    { timeoutMs: 60_000, maxConcurrent: 1, maxWaiting: 5 },
    { toOutcome: () => 'failed', faultOf: () => undefined },
  );
  const ask = () =>
    inSpanOf(tracer.placeOf(newId()), 'bureau', { peer: 'bureaus' }, async (span) => {
      const told = await guard(async () => {
        await new Promise(setImmediate);
        return traceHeaders()['traceparent'] ?? '';
      });
      return told.includes(span?.spanId ?? 'none');
    });
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([true, true, true]);
});
