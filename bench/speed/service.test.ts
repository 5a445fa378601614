// Figures come only from complete reports; requests that a busy node refuses are reported separately.
import { expect, test } from 'vitest';
import { check } from './service.ts';

const result = { answered: 90, seconds: 1, latenciesMs: new Float64Array(100) };
const BUSY = 'HTTP/1.1 503 Service Unavailable';

test('a run with other answers is an error that counts them by status line', () => {
  const refusals = new Map([
    [BUSY, 7],
    ['HTTP/1.1 200 OK without "status":"complete"', 3],
  ]);
  expect(() => check({ ...result, refused: 10, refusals })).toThrow(
    '10 of 100 requests were not answered with a complete report: ' +
      '7 × HTTP/1.1 503 Service Unavailable, 3 × HTTP/1.1 200 OK without "status":"complete"',
  );
});

test('requests that a busy node refused are told and left out', () => {
  const busy = { ...result, refused: 30, refusals: new Map([[BUSY, 30]]) };
  expect(check(busy)).toBe(busy);
});

test('a run without refusals is handed on', () => {
  const good = { ...result, refused: 0, refusals: new Map<string, number>() };
  expect(check(good)).toBe(good);
});
