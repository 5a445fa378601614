import { expect, test } from 'vitest';
import type { CollectedSpan } from '../../server/test/support/collector.ts';
import { drawTrace } from './draw-trace.ts';
import { createAxis } from './time-axis.ts';

const nano = (ms: number) => `${1_700_000_000_000 + ms}000000`;
const span = (name: string, id: string, parent: string | undefined, start: number, end: number): CollectedSpan => ({
  ...{ traceId: 't', spanId: id, name, kind: name.startsWith('POST') ? 2 : 1, attributes: [] },
  ...(parent !== undefined && { parentSpanId: parent }),
  ...{ startTimeUnixNano: nano(start), endTimeUnixNano: nano(end) },
});

test('idle time takes a fixed width, and time never goes back', () => {
  const axis = createAxis(
    [
      { startMs: 0, endMs: 20 },
      { startMs: 5_000, endMs: 5_010 },
      { startMs: 5_020, endMs: 5_030 },
    ],
    500,
  );
  expect(axis.gaps).toEqual([{ x: expect.any(Number), width: 56, ms: 4_972 }]);
  const places = [0, 10, 20, 5_000, 5_010, 5_020, 5_030].map((ms) => axis.x(ms));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(Math.max(...places)).toBeLessThanOrEqual(500);
});

test('each span is one row below its parent, in the order of the starts, and every bar is inside the picture', () => {
  const spans = [
    span('webhook', 'c', 'a', 900, 905),
    span('merge', 'd', 'b', 405, 407),
    span('POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge', 'b', 'a', 400, 430),
    span('POST /:tenantId/v1/credit-reports', 'a', undefined, 0, 30),
    span('checks', 'e', 'a', 0, 3),
  ];
  const picture = drawTrace(spans);
  const labels = [...picture.matchAll(/<text class="(?:strong|label)" x="(\d+)" y="\d+">([^<]+)</g)];
  const rows = labels.slice(0, spans.length).map(([, x, label]) => [Number(x), label]);
  expect(rows).toEqual([
    [12, 'generate'],
    [28, 'checks'],
    [28, 'submit the code'],
    [44, 'merge'],
    [28, 'webhook'],
  ]);
  const width = Number(/viewBox="0 0 (\d+)/.exec(picture)?.[1]);
  for (const [, x, bar] of picture.matchAll(/<rect class="\w+" x="([\d.]+)" y="\d+" width="([\d.]+)"/g))
    expect(Number(x) + Number(bar)).toBeLessThanOrEqual(width);
  expect(picture).toContain('prefers-color-scheme: dark');
});
