import { expect, test } from 'vitest';
import { judgeAnswer, judgeNotReached, readRetryAfter } from './answer.ts';

const now = new Date('2026-03-02T10:00:00Z');

const statuses: [number, string][] = [
  [199, 'failed'],
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [300, 'failed'],
  [304, 'failed'],
  [308, 'failed'],
  [400, 'failed'],
  [404, 'failed'],
  [409, 'failed'],
  [410, 'gone'],
  [411, 'failed'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
];
for (const [status, kind] of statuses) {
  test(`${status}: ${kind}`, () => {
    expect(judgeAnswer(status, undefined, now).kind).toBe(kind);
  });
}

test('a redirect says that it is not followed', () => {
  expect(judgeAnswer(302, undefined, now)).toMatchObject({ error: expect.stringContaining('not followed') });
});

const headers: [string | undefined, number | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['0', 0],
  ['120', 120],
  [' 7 ', 7],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e9', undefined],
  ['9999999999', undefined],
  ['soon', undefined],
  ['Mon, 02 Mar 2026 10:02:00 GMT', 120],
  ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
  ['2026-03-02T10:02:00Z', undefined],
  ['x GMT', undefined],
];
for (const [header, expected] of headers) {
  test(`Retry-After ${JSON.stringify(header)}: ${expected}`, () => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });
}

test('a name that leads inside and one that nobody knows are told in the same words', () => {
  expect(judgeNotReached('host')).toEqual({
    kind: 'failed',
    error: 'The host has no address, or none that webhooks are sent to.',
    retryAfterSeconds: undefined,
  });
});
