import { expect, test } from 'vitest';
import { labelTables } from './label-tables.ts';

const table = (headings: readonly string[], ...rows: string[][]) => {
  const cells = (tag: string, each: readonly string[]) => each.map((text) => `<${tag}>${text}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('');
  return `<table><thead><tr>${cells('th', headings)}</tr></thead><tbody>${body}</tbody></table>`;
};

test('each cell of a table with three columns names its column, in words alone', () => {
  const html = labelTables(table(['<code>status</code>', 'It "means"', 'Then'], ['a', 'b', 'c'], ['d', 'e', 'f']));
  expect(html).toContain('<table class="cards" role="table">');
  expect(html.match(/data-label="[^"]*"/g)).toEqual([
    ...['data-label="status"', 'data-label="It &quot;means&quot;"', 'data-label="Then"'],
    ...['data-label="status"', 'data-label="It &quot;means&quot;"', 'data-label="Then"'],
  ]);
  expect(html.match(/role="cell"/g)).toHaveLength(6);
  expect(html.match(/role="columnheader"/g)).toHaveLength(3);
});

test('a table of two columns stays as it is', () => {
  const two = table(['To get', 'Send'], ['a', 'b']);
  expect(labelTables(two)).toBe(two);
});
