import { expect, test } from 'vitest';
import { ROWS } from './all.ts';

test('row ids are unique, plain and stable to type', () => {
  const ids = ROWS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\w/+-]+$/);
});

test('every row says what it pins', () => {
  for (const { id, title, pins } of ROWS) {
    expect(title, id).not.toBe('');
    expect(pins, id).toMatch(/interface|decision/i);
  }
});
