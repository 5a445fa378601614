// Whatever a document names in code type exists: files and folders, settings, tables and metrics, scripts, commands, error codes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ERROR_CODES } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { nameOf } from '../server/src/cli/command.ts';
import { loadAllCommands, PROCESSES } from '../server/src/cli/commands.ts';

const list = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path && existsSync(path));
const read = (path: string) => readFileSync(path, 'utf8');

/** Not ours: names of PostgreSQL, of a carrier's interface, of Kubernetes; names in instructions; a column that was not chosen. */
const OTHERS = new Set([
  ...['commit_delay', 'deadlock_timeout', 'transaction_timeout', 'track_commit_timestamp', 'pg_rewind', 'pg_wal'],
  ...['x.ts', 'x.test.ts', 'read-thing.ts', 'card-top-up.ts', 'server/migrations/NNNN_name.sql'],
  ...['hdr.ts', 'TREFOIL_SERVICE_HOST', 'purge_after'],
]);

const files = list();
const code = files.filter((path) =>
  /\.(ts|tsx|js|sql|json|yaml|yml|sh|toml|conf|html)$|(^|\/)[^.]+$|^\.ci\//.test(path),
);
const corpus = code
  .filter((path) => path !== 'tools/names-in-documents.test.ts')
  .map(read)
  .join('\n');
const words = new Set(corpus.match(/\w+/g));
const scripts = new Set(
  list('*package.json').flatMap((path) => Object.keys((JSON.parse(read(path)) as { scripts?: object }).scripts ?? {})),
);
const commands = [...(await loadAllCommands()).map(nameOf), ...PROCESSES.map(({ name }) => name)];
const codes: ReadonlySet<string> = new Set(ERROR_CODES);

const FILE = /^[\w./-]+\.(ts|tsx|js|sql|sh|ya?ml|json|html|svg|txt)$/;
const FOLDER =
  /^(server|tools|docs|contract|sdk|console|conformance|simulators|bench|deploy|site|fingerprint|examples)\/[\w./-]+$/;
const NAME = /^(TREFOIL_[A-Z0-9_]+|[a-z]+(_[a-z0-9]+)+)$/;

function isFile(name: string, from: string): boolean {
  const path = posix.join(posix.dirname(from), name);
  return files.some((file) => file === path || file === name || file.endsWith(`/${name}`)) || corpus.includes(name);
}
const isFolder = (name: string) =>
  existsSync(name) || existsSync(`${name}.ts`) || corpus.includes(name.replace(/\/$/, ''));

function isKnown(name: string, from: string): boolean {
  if (OTHERS.has(name)) return true;
  if (FILE.test(name)) return isFile(name, from);
  if (FOLDER.test(name)) return isFolder(name);
  // Every setting can be read from a file, which a setting with this ending names.
  return !NAME.test(name) || words.has(name) || words.has(name.replace(/_FILE$/, ''));
}

/** Names in one document that nothing has. */
function findFaults(text: string, from: string): string[] {
  const named = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, name = '']) => (isKnown(name, from) ? [] : [name]));
  const run = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].flatMap(([, name = '']) =>
    scripts.has(name) ? [] : [name],
  );
  const refused = [...text.matchAll(/\b[45]\d\d `([a-z]+-[a-z-]+)`/g)].flatMap(([, name = '']) =>
    codes.has(name) ? [] : [name],
  );
  const asked = [...text.matchAll(/`(?:npx )?trefoil ([a-z]+(?: [a-z-]+)?)/g)].flatMap(([, name = '']) =>
    commands.some((command) => command === name || name.startsWith(`${command} `) || command.startsWith(`${name} `))
      ? []
      : [`trefoil ${name}`],
  );
  return [...named, ...run, ...refused, ...asked];
}

test('documents name nothing that is not there', () => {
  const documents = list('*.md');
  expect(documents.length).toBeGreaterThan(250);
  expect(documents.flatMap((path) => findFaults(read(path), path).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test('a file, a folder, a setting, a table, a script, a code and a command that do not exist are found', () => {
  const text =
    '`gone.ts`, `server/src/gone`, `TREFOIL_GONE`, `gone_rows`; npm run gone-with; 409 `gone-now`; `trefoil gone away`; ' +
    '`app.ts`, `server/src/events`, `TREFOIL_DATABASE_URL`, `credit_reports`; npm run dev; 409 `conflict`; `trefoil doctor`';
  expect(findFaults(text, 'README.md')).toEqual([
    ...['gone.ts', 'server/src/gone', 'TREFOIL_GONE', 'gone_rows', 'gone-with', 'gone-now', 'trefoil gone away'],
  ]);
});
