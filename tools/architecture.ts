// The project's rules about imports and table access, as a function from sources to violations. CONTRIBUTING.md states
// them in words, architecture-map.ts has the ranks and owners, architecture.test.ts checks the tree against
// them. With --print it lists the folders in the order of their ranks.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  CONSOLE_RANKS,
  EXCEPTIONS,
  INNER_RANKS,
  OWNERS,
  PURE_FEATURES,
  PURE_ROOMS,
  RANKS,
  type Ranks,
  TYPES_ALONE,
} from './architecture-map.ts';

export type Source = { readonly path: string; readonly text: string };

type Import = { readonly from: string; readonly isType: boolean };

/** Only the entry and the composition roots read it: all other code gets what it needs as parameters. */
const CONFIG_READERS = ['main.ts', 'app.ts', 'open-live.ts', 'check-start.ts', 'cli', 'doctor', 'config.ts'];
/** What each workspace may import besides its own files; undefined means anything installed. */
const WORKSPACE_IMPORTS: Record<string, RegExp | undefined> = {
  contract: /^typebox$/,
  // For its command line, its build and its tests; sdk/test/size.test.ts proves that the library imports nothing.
  sdk: /^(node:|tsdown$)/,
  conformance: /^node:/,
  simulators: /^(node:|smtp-server$)/,
  fingerprint: /^(node:|vite$|@fingerprintjs\/fingerprintjs$)/,
  // Its pages talk to the service through the client library alone; node: and the bundler are for its build.
  console:
    /^(node:(fs|path|zlib)$|vite$|vite\/|vitest$|@vitejs\/|@trefoil\/sdk$|react$|react-dom(\/client)?$|@tanstack\/react-|@base-ui\/|lucide-react$)/,
  examples: /^(node:|@trefoil\/sdk$)/,
  server: /^(?!@trefoil\/(?!contract$))/,
};

/** What tests of every workspace share. */
const TEST_SUPPORT = 'tools/testing/';
const isOfTests = (path: string) => /\.test\.tsx?$|^server\/test\/|\/testing\//.test(path);

function importsOf(text: string): Import[] {
  const statements = text.matchAll(/^\s*(?:import|export)\s(type\s)?(?:[^;'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm);
  const dynamic = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [
    ...[...statements].map(([, type, from = '']) => ({ from, isType: type !== undefined })),
    ...[...dynamic].map(([, from = '']) => ({ from, isType: false })),
  ];
}

function resolve(path: string, from: string): string {
  return new URL(from, `file:///${path}`).pathname.slice(1);
}

const serverPart = (path: string) => /^server\/src\/([^/]+)/.exec(path)?.[1];
const rankIn = (ranks: Ranks, name: string) => ranks.findIndex((names) => names.includes(name));
const rankOf = (part: string) => rankIn(RANKS, part);
const isRule = (path: string) =>
  path.includes('/rules/') ||
  PURE_FEATURES.includes(serverPart(path) ?? '') ||
  PURE_ROOMS.some((room) => path.startsWith(`server/src/${room}/`));
/** A feature may have several, each named for its part: `store.ts`, `price-store.ts`. */
const isStore = (path: string) => /\/([a-z-]+-)?store\.ts$/.test(path);
const isRoute = (path: string) => /\/([a-z-]+-)?(routes|jobs)\.ts$/.test(path);
const isFrontDoor = (path: string) => /\/open-[a-z-]+\.ts$/.test(path);

/** The subfolder or the file of a feature: `server/src/identity/pages/x.ts` is in `pages`. */
const roomOf = (path: string) => path.split('/')[3] ?? '';

/** Does not apply to test files beside the code. */
function checkInnerImport(path: string, target: string, feature: string): string | undefined {
  const ranks = INNER_RANKS[feature];
  if (!ranks || TYPES_ALONE.test(path) || TYPES_ALONE.test(target)) return undefined;
  const [own, other] = [roomOf(path), roomOf(target)];
  if (own === other) return undefined;
  const rest = rankIn(ranks, '*');
  const known = (room: string) => (rankIn(ranks, room) === -1 && room.endsWith('.ts') ? rest : rankIn(ranks, room));
  const [ownRank, otherRank] = [known(own), known(other)];
  if (ownRank === -1) return `${feature}/${own} has no rank: name it in tools/architecture-map.ts`;
  const isAllowed = otherRank > ownRank || (otherRank === rest && ownRank === rest);
  return isAllowed ? undefined : `upward import of ${feature}/${other}`;
}

function checkServerImport(path: string, target: string): string | undefined {
  const [own, other] = [serverPart(path), serverPart(target)];
  if (own === undefined || other === undefined) return undefined;
  const [ownRank, otherRank] = [rankOf(own), rankOf(other)];
  if (ownRank === -1) return `${own} has no rank: name it in tools/architecture-map.ts`;
  if (other === 'config.ts' && !CONFIG_READERS.includes(own)) return 'only the entry and the roots read config.ts';
  if (own !== other && otherRank <= ownRank) return `upward import of ${other}`;
  if (own !== other && isStore(target)) return `the store of ${other} is private to it`;
  if (isStore(path) && own === other && !isRule(target) && !isStore(target)) return 'a store imports no use-case';
  if (isRoute(target) && own === other && !isFrontDoor(path))
    return 'routes and jobs are imported by front doors alone';
  return own === other ? checkInnerImport(path, target, own) : undefined;
}

function checkConsoleImport(path: string, target: string): string | undefined {
  const [own, other] = [path, target].map((each) => /^console\/src\/([^/]+)/.exec(each)?.[1]);
  if (own === undefined || other === undefined || other.endsWith('.css') || own === other) return undefined;
  const [ownRank, otherRank] = [rankIn(CONSOLE_RANKS, own), rankIn(CONSOLE_RANKS, other)];
  if (ownRank === -1) return `console/src/${own} has no rank: name it in tools/architecture-map.ts`;
  return otherRank > ownRank ? undefined : `upward import of ${other}`;
}

function checkImport(path: string, { from, isType }: Import): string | undefined {
  if (TYPES_ALONE.test(path) && !isType) return `only types belong here, not ${from}`;
  const workspace = path.split('/', 1)[0] ?? '';
  const target = from.startsWith('.') ? resolve(path, from) : undefined;
  if (isRule(path)) {
    const isAllowed = target ? isRule(target) || isType : isType && from === '@trefoil/contract';
    if (!isAllowed) return `a rule imports rules only, not ${from}`;
  }
  if (target?.startsWith(TEST_SUPPORT) && isOfTests(path)) return undefined;
  if (target)
    return target.split('/', 1)[0] === workspace || ['tools', 'bench', 'vitest.config.ts'].includes(workspace)
      ? (checkConsoleImport(path, target) ?? checkServerImport(path, target))
      : `leaves its workspace for ${from}`;
  const allowed = WORKSPACE_IMPORTS[workspace];
  return allowed && !allowed.test(from) ? `${workspace} must not import ${from}` : undefined;
}

const ENVIRONMENT = /\bprocess\??\.env\b|\bprocess\[['"]env['"]\]|from\s+['"](node:)?process['"]/;
/** The command line of the client library and the receiver to copy are programs of their own, on other companies' machines. */
// `tools/ha` only writes: everything that it starts inherits its mark, by which a later run finds what was left.
// The last line's are settings of a test run, which only the environment carries into Vitest's processes.
const ENVIRONMENT_READERS = [
  ...['server/src/config.ts', 'sdk/src/cli.ts', 'examples/receivers/receiver.ts', 'tools/ha/main.ts'],
  ...[
    'vitest.config.ts',
    'tools/steps/set-up-file.ts',
    'tools/steps/failure-list.ts',
    'tools/own-services/servers.ts',
    'tools/dev/free-port.ts',
  ],
];
const SQL = /\bsql`|\.query\(|['"`]\s*(select\s[^'"`]*\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\b/i;

/**
 * Fastify's own, which ignores proxies: `request.clientAddress` is the client's address
 * (docs/decisions/0183-told-addresses.md).
 */
const SOCKET_ADDRESS = /\brequest\.ip\b|\bip\b[^{}]*\}: FastifyRequest\b/;

const STATEMENT = /\bsql`([^`]*)`/g;
const MENTION = /\b(?:from|join|into|update|using)\s+([a-z_]+)\b/g;

function checkTables(path: string, text: string): string[] {
  const feature = serverPart(path);
  if (feature === undefined || !isStore(path)) return [];
  const statements = [...text.matchAll(STATEMENT)].map(([, words = '']) => words);
  const aged = [...text.matchAll(/\bagedTable\('([a-z_]+)'/g)].map(([, table = '']) => table);
  const named = [...statements.join(';').matchAll(MENTION)].map(([, table = '']) => table);
  const allowed = new Set(EXCEPTIONS.filter((each) => each.feature === feature).flatMap(({ tables }) => tables));
  const others = [...named, ...aged].filter((table) => {
    const owner = OWNERS[table];
    return owner !== undefined && owner !== feature && !allowed.has(table);
  });
  return [...new Set(others)].map((table) => `the table ${table} belongs to ${OWNERS[table]}`);
}

/** A file beside the code, named by its place: `new URL('../x', import.meta.url)`. */
const PLACE = /\bnew URL\(\s*['"`]([^'"`]+)['"`],\s*import\.meta\b/g;

/**
 * A package has server/ and contract/ and nothing else of this repository
 * (docs/decisions/0244-the-server-in-its-own-folder.md).
 */
function checkReach({ path, text }: Source): string[] {
  if (!path.startsWith('server/src/')) return [];
  const places = [...text.matchAll(PLACE)].map(([, place = '']) => place);
  const outside = places.filter((place) => !resolve(path, place).startsWith('server/'));
  const faults = outside.map((place) => `reaches outside the server's folder: ${place}`);
  if (/\bimport\.meta\.(dirname|filename)\b|\bprocess\.cwd\(/.test(text)) faults.push('builds a path by hand');
  if (/['"](node:)?child_process['"]/.test(text)) faults.push('starts another program');
  return faults;
}

function checkText({ path, text }: Source): string[] {
  const faults = checkReach({ path, text });
  if (ENVIRONMENT.test(text) && !ENVIRONMENT_READERS.includes(path)) faults.push('process.env outside config.ts');
  const isServerCode = path.startsWith('server/src/') && !isStore(path) && !path.startsWith('server/src/lib/');
  if (isServerCode && SQL.test(text)) faults.push('SQL outside a store');
  if (SOCKET_ADDRESS.test(text)) faults.push('request.ip instead of request.clientAddress');
  return [...faults, ...checkTables(path, text)];
}

/** Tests may look inside every feature, so these rules do not apply to them. */
export function findViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !/\.test\.tsx?$|^server\/test\/|^tools\/architecture/.test(path))
    .flatMap((source) =>
      [...importsOf(source.text).flatMap((each) => checkImport(source.path, each) ?? []), ...checkText(source)].map(
        (fault) => `${source.path}: ${fault}`,
      ),
    );
}

export function readSources(): Source[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], {
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter(Boolean)
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(path, 'utf8') }];
      } catch {
        return []; // deleted in the work tree and not yet in the index
      }
    });
}

export type Folder = {
  readonly path: string;
  /** Directly in it, without tests. */
  readonly files: number;
  /** Imports of its files from other folders of the server. */
  readonly imports: number;
};

/** Each folder of the server, in the order of the ranks: a lower folder never imports a higher one. */
export function listFolders(sources: readonly Source[]): Folder[] {
  const code = sources.filter(({ path }) => path.startsWith('server/src/') && !path.endsWith('.test.ts'));
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
  const folders = [...new Set(code.map(({ path }) => folderOf(path)))];
  const placeOf = (folder: string): number[] => {
    const [, , feature = '', room = ''] = folder.split('/');
    return [feature === '' ? -1 : rankOf(feature), rankIn(INNER_RANKS[feature] ?? [], room)];
  };
  const byRank = (a: string, b: string) => {
    const [x, y] = [placeOf(a), placeOf(b)];
    return (
      (x[0] ?? 0) - (y[0] ?? 0) || a.split('/')[2]?.localeCompare(b.split('/')[2] ?? '') || (x[1] ?? 0) - (y[1] ?? 0)
    );
  };
  return folders
    .sort((a, b) => byRank(a, b) || a.localeCompare(b))
    .map((folder) => {
      const own = code.filter(({ path }) => folderOf(path) === folder);
      const imports = own.flatMap(({ path, text }) =>
        importsOf(text).filter(({ from }) => from.startsWith('.') && folderOf(resolve(path, from)) !== folder),
      );
      return { path: folder, files: own.length, imports: imports.length };
    });
}

if (import.meta.main) {
  if (process.argv[2] !== '--print') {
    process.stderr.write(
      'Usage: node tools/architecture.ts --print\n\nLists the folders of the server in rank order.\n',
    );
    process.exit(2);
  }
  const folders = listFolders(readSources());
  const width = Math.max(...folders.map(({ path }) => path.length));
  process.stdout.write(`${'folder'.padEnd(width)}  files  imports\n`);
  for (const { path, files, imports } of folders) {
    process.stdout.write(`${path.padEnd(width)}  ${String(files).padStart(5)}  ${String(imports).padStart(7)}\n`);
  }
}
