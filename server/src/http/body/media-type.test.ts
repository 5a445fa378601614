import { expect, test } from 'vitest';
import { costGrowth, GROWTH_MAX } from '../../../../tools/testing/cost-growth.ts';
import { acceptedEncodings, prefersCsv, prefersPage } from './media-type.ts';

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
  ['text/csv, application/json', true], // of two that are equal, the one named first
  ['text/csv;q=0.50, application/json;q=0.5', true],
  ['text/csv;header="a, application/json;q=1"', true], // a quoted comma ends nothing
  ['text/csv ; q=0.2 , application/json ; q=0.1', true],
  [', ,text/csv,', true],
  [';q=1', false],
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

const pageRows = [
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/json, text/html', false],
  ['text/html, application/json', true],
  ['application/json;q=0.5, text/html', true],
  ['text/html;q=0', false],
] as const;
for (const [accept, expected] of pageRows) {
  test(`Accept: ${accept ?? '(none)'} is answered with ${expected ? 'a page' : 'JSON'}`, () => {
    expect(prefersPage(accept)).toBe(expected);
  });
}

const encodingRows: [string | undefined, string[]][] = [
  [undefined, []],
  ['', []],
  ['identity', []],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['GZIP', ['gzip']],
  ['*', ['br', 'gzip']],
  ['br;q=0, *', ['gzip']],
  ['*;q=0, gzip', ['gzip']],
  ['gzip;q=0.000', []],
  ['gzip;q=none', []],
];
test.each(encodingRows)('Accept-Encoding: %s takes %j', (acceptEncoding, expected) => {
  expect(acceptedEncodings(acceptEncoding, ['br', 'gzip']).toSorted()).toEqual(expected);
});

test.each(['text/csv,'.repeat(1_800), '"'.repeat(16_000), ';'.repeat(16_000), `a/b;c="${'\\'.repeat(16_000)}`])(
  '16 kB of %.12s… are read at a cost that grows with their length',
  async (header) => {
    const read = (given: string) => [prefersPage(given), acceptedEncodings(given, ['br', 'gzip'])];
    expect(await costGrowth(header, read)).toBeLessThanOrEqual(GROWTH_MAX);
  },
);
