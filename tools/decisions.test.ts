// Decision records are named in full wherever code or a document points to one, and every name exists.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = 'docs/decisions';
const records = new Set(readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name)));

/** Names of records that do not exist, and numbers without a name, in a text. */
function findFaults(text: string): string[] {
  const named = [...text.matchAll(/\b(\d{4}-[a-z][a-z0-9-]*\.md)\b/g)].map(([, name = '']) => name);
  const bare = [...text.matchAll(/docs\/decisions\/(\d{4})(?![\d-])/g)].map(([found]) => found);
  return [...named.filter((name) => !records.has(name)), ...bare];
}

test('every reference to a decision record is the full name of a file that exists', () => {
  const paths = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.md', '.ci'], { encoding: 'utf8' }).split('\n');
  const texts = paths
    .filter((path) => path && path !== 'tools/decisions.test.ts')
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(path, 'utf8') }];
      } catch {
        return []; // deleted in the work tree and not yet in the index
      }
    });
  expect(texts.flatMap(({ path, text }) => findFaults(text).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test('a name that does not exist and a number without a name are found', () => {
  expect(findFaults('// why: docs/decisions/0056-idempotence.md')).toEqual(['0056-idempotence.md']);
  expect(findFaults('// why (docs/decisions/0056)')).toEqual(['docs/decisions/0056']);
  expect(findFaults('// why: docs/decisions/0056-idempotency.md')).toEqual([]);
});

test('the index has every record once, under a subject', () => {
  const index = readFileSync(`${FOLDER}/README.md`, 'utf8');
  const listed = [...index.matchAll(/^\| \[\d{4}\]\((\d{4}-[^)]+)\) \|/gm)].map(([, name = '']) => name);
  expect(listed.toSorted()).toEqual([...records].toSorted());
});
