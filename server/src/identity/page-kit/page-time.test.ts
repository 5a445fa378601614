import { expect, test } from 'vitest';
import { time, timeText } from './page-time.ts';

for (const [instant, expected] of [
  ['2026-01-09T00:05:00Z', '9 January 2026, 00:05 GMT'],
  ['2026-06-21T12:00:00Z', '21 June 2026, 13:00 BST'],
  ['2026-06-30T23:30:00Z', '1 July 2026, 00:30 BST'],
  // The hour that occurs twice.
  ['2026-10-25T00:30:00Z', '25 October 2026, 01:30 BST'],
  ['2026-10-25T01:30:00Z', '25 October 2026, 01:30 GMT'],
] as const) {
  test(`${instant} is ${expected}`, () => {
    expect(timeText(new Date(instant))).toBe(expected);
  });
}

test('the instant itself stands beside the words, for the script', () => {
  expect(time(new Date('2026-06-21T12:00:00Z')).text).toBe(
    '<time datetime="2026-06-21T12:00:00.000Z">21 June 2026, 13:00 BST</time>',
  );
});
