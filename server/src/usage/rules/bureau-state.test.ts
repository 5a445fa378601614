import { expect, test } from 'vitest';
import { judgeBureau } from './bureau-state.ts';

const at = (place: number) => new Date(Date.UTC(2026, 2, 1, 0, 30 * place));
const slots = (...answers: [number, number][]) =>
  answers.map(([answered, asked], place) => ({ startsAt: at(place), answered, asked }));

const rows: [string, ReturnType<typeof slots>, string, Date | null][] = [
  ['never asked', slots(), 'not-asked', null],
  ['all answered', slots([3, 3], [1, 1]), 'answering', at(0)],
  ['nine of ten', slots([9, 10]), 'answering', at(0)],
  ['fewer than nine of ten', slots([10, 10], [8, 9]), 'unsteady', at(1)],
  ['half', slots([1, 2]), 'unsteady', at(0)],
  ['fewer than half', slots([2, 2], [0, 1], [4, 9]), 'failing', at(1)],
  ['back again', slots([0, 5], [5, 5], [5, 5]), 'answering', at(1)],
];
for (const [name, given, state, since] of rows) {
  test(`${name}: ${state}`, () => {
    expect(judgeBureau(given)).toEqual({ state, since });
  });
}
