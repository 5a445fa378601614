import { expect, test } from 'vitest';
import { dig, digList, equal, fits, Mismatch, same } from './expect.ts';
import { object, text } from './shape.ts';

test('a mismatch says what was expected and what was seen', () => {
  expect(() => equal('data.status', 'retry', 'failed')).toThrow('expected data.status to be "failed"; saw "retry"');
});

test('same names the first path that differs, in objects and in lists', () => {
  expect(() => same('report', { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] })).toThrow(
    'expected report.a.1.b to be 3; saw 2',
  );
  expect(() => same('report', { a: 1, extra: true }, { a: 1 })).toThrow(
    'expected report.extra to be nothing; saw true',
  );
  expect(() => same('report', [], {})).toThrow('expected report to be {}; saw []');
});

test('same accepts equal values whatever the order of their keys', () => {
  expect(() => same('report', { a: 1, b: [2] }, { b: [2], a: 1 })).not.toThrow();
});

test('fits reports the faults of the shape', () => {
  expect(() => fits('body', {}, object({ code: text }))).toThrow('body.code: expected a string, saw nothing');
});

test('dig ends quietly, digList does not', () => {
  expect(dig({ a: [{ b: 1 }] }, 'a.0.b')).toBe(1);
  expect(dig(null, 'a.b')).toBeUndefined();
  expect(() => digList({}, 'a')).toThrow(Mismatch);
});
