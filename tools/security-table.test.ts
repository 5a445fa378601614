// Checks docs/operate/security.md against the list of requirements and against the tree, and shows once for each kind of
// fault that it is detected.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFaults, titlesOf } from './security-table.ts';

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
const text = readFileSync('docs/operate/security.md', 'utf8');
const ids = readFileSync('tools/asvs-5.0.0-ids.txt', 'utf8')
  .split('\n')
  .filter((line) => /^V/.test(line))
  .map((line) => line.split(' ', 1)[0] ?? '');

test('every requirement has one line, every test and file that it names exists, and the counts are true', () => {
  expect(ids).toHaveLength(253);
  expect(findFaults({ text, ids, read })).toEqual([]);
});

const row = (id: string) => new RegExp(`^\\| ${id.replaceAll('.', '\\.')} \\| .* \\|\n`, 'm');
const inRow = (id: string, from: string, to: string) =>
  text.replace(new RegExp(`(\n\\| ${id.replaceAll('.', '\\.')} \\|[^\n]*)${from}`), `$1${to}`);

const breaches: [string, string, string][] = [
  ['a title that no test has', text.replace('“one tenant named', '“one tenant alone named'), 'in its title'],
  ['a renamed test file', text.replaceAll('walls.test.ts', 'fences.test.ts'), 'no test file'],
  ['a test without a title', inRow('V8.2.1', ' “[^”|]*”', ''), 'no title of'],
  ['a requirement that is missing', text.replace(row('V8.4.1'), ''), 'V8.4.1 is missing'],
  ['a requirement that stands twice', text.replace(row('V8.4.1'), '$&$&'), 'V8.4.1 stands twice'],
  ['a requirement that nobody knows', text.replace('| V8.4.1 |', '| V8.4.9 |'), 'V8.4.9 is not in the list'],
  ['a state that is none', inRow('V8.4.1', '\\| Met \\|', '| Fine |'), 'V8.4.1 has no state'],
  ['a gap of unknown weight', inRow('V3.3.3', 'Low\\. ', ''), 'V3.3.3 does not say how serious'],
  ['a gap that the summary leaves out', inRow('V8.4.1', '\\| Met \\|', '| **Not met** |'), 'does not say so'],
  ['a gap that was closed', inRow('V3.3.3', '\\*\\*Not met\\*\\*', 'Met'), '"In short" names V3.3.3'],
  ['a wrong count', text.replace(/\*\*All 253\*\* \| \*\*\d+/, '**All 253** | **1'), 'the summary of All 253'],
  ['a file that is not there', text.replace('`server/src/config.ts`', '`server/src/settings.ts`'), 'no file'],
  ['a link to a record that is not there', text.replace('0105-', '0105-x-'), 'there is no ../decisions/0105-x-'],
  ['a link to a heading that is not there', text.replace('(#ways-in)', '(#way-in)'), 'leads nowhere'],
];
for (const [name, changed, expected] of breaches) {
  test(`${name} is a fault`, () => {
    expect(changed).not.toBe(text);
    expect(findFaults({ text: changed, ids, read }).join('\n')).toContain(expected);
  });
}

test('titles are found however a test is written, and other texts are none', () => {
  const source = [
    "test('plain', () => {});",
    'test(`of ten at once`, async () => {});',
    "test.each(Object.entries(bends))('400: %s', async () => {});",
    "describe.each([\n  ['a', 1],\n])(\n  'with %s',\n  () => {},\n);",
    "send('no title', 1);",
    "test(name, () => expect('nor this').toBe(1));",
  ].join('\n');
  expect(titlesOf(source)).toEqual(['plain', 'of ten at once', '400: %s', 'with %s']);
});
