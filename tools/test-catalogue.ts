// Writes the table of docs/guides/sandbox.md from the catalogue of test values, which `GET /v1/test/catalogue` returns too.
// With --check it writes nothing and fails when the committed table differs.
import { readFile, writeFile } from 'node:fs/promises';
import { TEST_CATALOGUE } from '@trefoil/contract';

const PAGE = new URL('../docs/guides/sandbox.md', import.meta.url);
const BEGIN = '<!-- The table is made by `npm run test-catalogue`. Do not edit it. -->';
const END = '<!-- The end of the table. -->';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;

const table = [
  row(['Field', 'Value', 'Effect']),
  '|---|---|---|',
  ...TEST_CATALOGUE.items.map(({ field, value, effect }) => row([code(field), code(value), effect])),
].join('\n');

const page = await readFile(PAGE, 'utf8');
const [before, rest] = page.split(BEGIN);
const after = rest?.split(END)[1];
if (before === undefined || after === undefined) throw new Error(`${PAGE.pathname} has no place for the table.`);
const written = `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;

if (!process.argv.includes('--check')) {
  await writeFile(PAGE, written);
  console.log('wrote docs/guides/sandbox.md');
} else if (written !== page) {
  console.error('The table in docs/guides/sandbox.md is not what contract/ generates. Run: npm run test-catalogue');
  process.exitCode = 1;
}
