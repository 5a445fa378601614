import { expect, test } from 'vitest';
import { absent, count, date, instant, integer, list, object, orNull, type Shape, text, uuid7 } from './shape.ts';

const person = object({ name: text, age: orNull(integer), nick: absent });

test('a fitting value has no faults, and fields the shape does not name are ignored', () => {
  expect(person('person', { name: 'Ada', age: null, more: true })).toEqual([]);
});

test('every fault is listed with its path', () => {
  expect(list(person)('people', [{ name: 'Ada', age: 1.5, nick: 'A' }, { age: 1 }, 7])).toEqual([
    'people[0].age: expected an integer, saw 1.5',
    'people[0].nick: expected no such field, saw "A"',
    'people[1].name: expected a string, saw nothing',
    'people[2]: expected an object, saw 7',
  ]);
});

test('null is a present value: it does not pass for an absent field', () => {
  expect(absent('a', null)).toHaveLength(1);
  expect(orNull(text)('a', undefined)).toHaveLength(1);
});

const verdicts: [Shape, unknown, boolean][] = [
  [date, '2024-02-29', true],
  [date, '2023-02-29', false],
  [date, '2024-2-9', false],
  [instant, '2025-11-03T00:00:00.000Z', true],
  [instant, '2025-11-03T00:00:00+01:00', false],
  [instant, '2025-11-03', false],
  [count, 0, true],
  [count, -1, false],
  [count, '1', false],
  [uuid7, '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90', true],
  [uuid7, '01998a3e-7c11-4d22-8a33-4b5c6d7e8f90', false],
];
for (const [shape, value, fits] of verdicts) {
  test(`${JSON.stringify(value)} ${fits ? 'fits' : 'does not fit'}`, () => {
    expect(shape('value', value)).toHaveLength(fits ? 0 : 1);
  });
}
