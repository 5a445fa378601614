// Whatever a document names in code type exists: files and folders, settings, tables and metrics, scripts, commands, error codes,
// addresses of the API. Decisions are records of their time, so they may name an address that has moved since.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ERROR_CODES, OPERATIONS } from '@trefoil/contract';
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

const isMigration = (path: string) => path.startsWith('server/migrations/');
const withoutMigrations = code
  .filter((path) => path !== 'tools/names-in-documents.test.ts' && !isMigration(path))
  .map(read)
  .join('\n');
const migrations = code.filter(isMigration).toSorted().map(read).join('\n').replace(/--.*$/gm, '');

/** What the schema has after these migrations; a name that was dropped may have come back. */
function namesOfSchema(sql: string): Set<string> {
  const names = new Set(sql.match(/\w+/g));
  const dropped = sql.matchAll(
    /\b(?:drop (?:table|column|view|function|index concurrently|index) (?:if exists )?|rename column )(\w+)/g,
  );
  for (const { 1: name = '', index } of dropped) {
    const isBack = new RegExp(`\\b(?:create [\\w ]*?|add column (?:if not exists )?)${name}\\b`).test(sql.slice(index));
    if (!isBack) names.delete(name);
  }
  return names;
}
const words = new Set([...(withoutMigrations.match(/\w+/g) ?? []), ...namesOfSchema(migrations)]);
const tables = new Set(
  [...migrations.matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?(\w+)/g)].flatMap(([, name = '']) =>
    words.has(name) ? [name] : [],
  ),
);

/** `{}` for each part of an address that differs. */
const shapeOf = (path: string) => path.replace(/[?#].*$/, '').replace(/:\w+|\{\w*\}|<[\w-]+>|\$\w+/g, '{}');
const operations = Object.values(OPERATIONS).map(({ method, path }) => `${method} ${shapeOf(path)}`);
/** Addresses that are no operations: pages, keys, what browsers fetch. */
const served = new Set(
  files
    .filter((path) => /^server\/src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...read(path).matchAll(/['"`](\/[\w./:-]+)['"`]/g)].map(([, address = '']) => shapeOf(address)),
    ),
);
const scripts = new Set(
  list('*package.json').flatMap((path) => Object.keys((JSON.parse(read(path)) as { scripts?: object }).scripts ?? {})),
);
const commands = [...(await loadAllCommands()).map(nameOf), ...PROCESSES.map(({ name }) => name), 'help'];
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

const FENCED = /^ *```[^\n]*\n([\s\S]*?)^ *```/gm;
const REQUEST = /\b(GET|POST|PUT|PATCH|DELETE) (?:https?:\/\/[^\s/]+)?(…?)(\/[^\s`"'),;|…]+)/g;
/** Of other programs: the stand-ins for other companies, and a receiver of webhooks. */
const OTHER_ADDRESSES = /^simulators\/|^docs\/decisions\//;
const RECEIVER = 'POST /trefoil';

/** The end of an address is enough after a `…`, or in a document that says once where all of its addresses begin. */
function isServed(method: string, path: string): boolean {
  const shape = shapeOf(path).replace(/[.:/]+$/, '');
  return (
    shape === '' ||
    served.has(shape) ||
    operations.some((each) => each.startsWith(`${method} `) && each.endsWith(shape))
  );
}

const isCommand = (name: string) =>
  commands.some((command) => command === name || name.startsWith(`${command} `) || command.startsWith(`${name} `));

/** Names in one document that nothing has. */
function findFaults(text: string, from: string): string[] {
  const blocks = [...text.matchAll(FENCED)].map(([, block = '']) => block);
  const inline = [...text.replace(FENCED, '').matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
  const named = inline.filter((name) => !isKnown(name, from));
  const run = [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].flatMap(([, name = '']) =>
    scripts.has(name) ? [] : [name],
  );
  const refused = [...text.matchAll(/(?:\b[45]\d\d|\bcodes?|\berrors?) `([a-z]+-[a-z-]+)`/g)].flatMap(
    ([, name = '']) => (codes.has(name) ? [] : [name]),
  );
  const kept = [...text.matchAll(/\btables? `([a-z_]+)`|`([a-z_]+)` tables?\b/g)].flatMap(([, before, after]) =>
    tables.has(before ?? after ?? '') ? [] : [`table ${before ?? after}`],
  );
  const asked = [...blocks, ...inline].flatMap((part) =>
    [
      ...part.matchAll(
        /(?:^|[\s/(])(?:bin\/trefoil|npx trefoil|npm run (?:-s )?trefoil --|^ *trefoil) ([a-z]+(?: [a-z-]+)?)/gm,
      ),
    ].flatMap(([, name = '']) => (isCommand(name) ? [] : [`trefoil ${name}`])),
  );
  const requested = OTHER_ADDRESSES.test(from)
    ? []
    : [...text.matchAll(REQUEST)].flatMap(([, method = '', , path = '']) =>
        isServed(method, path) || `${method} ${path}` === RECEIVER ? [] : [`${method} ${path}`],
      );
  return [...named, ...run, ...refused, ...kept, ...asked, ...requested];
}

test('documents name nothing that is not there', () => {
  const documents = list('*.md');
  expect(documents.length).toBeGreaterThan(250);
  expect(documents.flatMap((path) => findFaults(read(path), path).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test('a file, a folder, a setting, a table, a script, a code, a command and an address that do not exist are found', () => {
  const text =
    '`gone.ts`, `server/src/gone`, `TREFOIL_GONE`, `gone_rows`; npm run gone-with; npm run -s gone-too; 409 `gone-now`; the code `gone-by`; ' +
    'the table `gone`; `trefoil gone away`; GET /{tenantId}/v1/gone; `POST …/wallet/gone`; `PATCH …/wallet`;\n' +
    '`app.ts`, `server/src/events`, `TREFOIL_DATABASE_URL`, `credit_reports`; npm run dev; 409 `conflict`; the code `conflict`; ' +
    'the table `wallets`; `trefoil doctor`; GET /{tenantId}/v1/wallet?test=true; `POST …/wallet/reset`; GET /readyz\n' +
    '```sh\nbin/trefoil gone too\nnpm run -s trefoil -- gone three\nbin/trefoil doctor\n```\n';
  expect(findFaults(text, 'README.md')).toEqual([
    ...[
      'gone.ts',
      'server/src/gone',
      'TREFOIL_GONE',
      'gone_rows',
      'gone-with',
      'gone-too',
      'gone-now',
      'gone-by',
      'table gone',
    ],
    ...['trefoil gone too', 'trefoil gone three', 'trefoil gone away'],
    ...['GET /{tenantId}/v1/gone', 'POST /wallet/gone', 'PATCH /wallet'],
  ]);
});

test('what a migration dropped or renamed is no name of the schema any more, unless a later one made it again', () => {
  const sql =
    'create table gone (a int); create table back (old_name int); drop table gone; drop table back; create table if not exists back (b int); ' +
    'alter table back rename column old_name to new_name; drop index concurrently if exists again; create index concurrently again on back (b)';
  const names = namesOfSchema(sql);
  expect(['gone', 'back', 'old_name', 'new_name', 'again'].filter((name) => names.has(name))).toEqual([
    ...['back', 'new_name', 'again'],
  ]);
});
