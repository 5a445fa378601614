import { expect, test } from 'vitest';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

const good: [string, boolean][] = [
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  // Other flags are kept for later versions and ignored.
  [`00-${TRACE}-${SPAN}-03`, true],
  [`00-${TRACE}-${SPAN}-fe`, false],
  // A later version may add fields behind a dash.
  [`01-${TRACE}-${SPAN}-01-more`, true],
  [`cc-${TRACE}-${SPAN}-01`, true],
];
for (const [header, isSampled] of good) {
  test(`${header}: ${isSampled ? 'sampled' : 'not sampled'}`, () => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });
}

const bad: (string | string[] | undefined)[] = [
  undefined,
  '',
  '00',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `01-${TRACE}-${SPAN}-01more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.slice(1)}-${SPAN}-01`,
  `00-${TRACE}0-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-1`,
  `00-${TRACE}-${SPAN}-0g`,
  ` 00-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\n`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  [`00-${TRACE}-${SPAN}-01`],
  `01-${TRACE}-${SPAN}-01-${'x'.repeat(100_000)}`,
  '-'.repeat(500),
  'Quillonette Wrexbottomley',
];
for (const header of bad) {
  test(`${JSON.stringify(header)?.slice(0, 80)}: ignored`, () => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
}

test('what is written can be read', () => {
  const written = formatTraceparent({ traceId: TRACE, spanId: SPAN });
  expect(parseTraceparent(written)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
});
