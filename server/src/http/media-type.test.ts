import { expect, test } from 'vitest';
import { prefersCsv } from './media-type.ts';

const rows = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/csv', true],
  ['Text/CSV; charset=utf-8', true],
  ['text/csv, */*', true],
  ['text/csv;q=0.9, application/json;q=0.1', true],
  ['text/csv;q=0.5, application/json', false],
  ['application/json, text/csv', false],
  ['text/csv;q=0', false],
  ['text/csv;q=none', false],
  ['text/*', false],
  ['x-text/csv', false],
] as const;
for (const [accept, expected] of rows) {
  test(`Accept: ${accept ?? '(none)'} is answered with ${expected ? 'CSV' : 'JSON'}`, () => {
    expect(prefersCsv(accept)).toBe(expected);
  });
}
