// The house's rules about who may import whom, as a function from sources to violations. CONTRIBUTING.md says them in
// words; architecture.test.ts holds the tree against them.

export type Source = { readonly path: string; readonly text: string };

type Import = { readonly from: string; readonly isType: boolean };

/** Left may import right, never back; folders of one rank do not import each other. */
const RANKS: readonly (readonly string[])[] = [
  ['main.ts'],
  ['app.ts', 'cli'],
  // The part of the composition root that opens what live mode asks outside.
  ['open-live.ts'],
  ['config.ts'],
  ['credit-reports'],
  ['identity'],
  ['wallet', 'tenants'],
  ['events', 'audit', 'idempotency'],
  ['bureaus', 'sms', 'screening', 'fingerprints', 'mail'],
  ['http'],
  ['lib'],
];
/** Read by the entry and the composition roots alone: everything else is given what it needs. */
const CONFIG_READERS = ['main.ts', 'app.ts', 'open-live.ts', 'cli', 'config.ts'];
/** What each workspace may import besides its own files; undefined means anything installed. */
const WORKSPACE_IMPORTS: Record<string, RegExp | undefined> = {
  contract: /^typebox$/,
  sdk: /^openapi-fetch$/,
  conformance: /^node:/,
  simulators: /^(node:|smtp-server$)/,
  fingerprint: /^(node:|vite$|@fingerprintjs\/fingerprintjs$)/,
  examples: /^(node:|@trefoil\/sdk$)/,
  server: /^(?!@trefoil\/(?!contract$))/,
};

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
const rankOf = (part: string) => RANKS.findIndex((names) => names.includes(part));
const isRule = (path: string) => path.includes('/rules/');
/** A feature may have several, each named for its part: `store.ts`, `price-store.ts`. */
const isStore = (path: string) => /\/([a-z-]+-)?store\.ts$/.test(path);
const isRoute = (path: string) => /\/([a-z-]+-)?(routes|jobs)\.ts$/.test(path);

function checkServerImport(path: string, target: string): string | undefined {
  const [own, other] = [serverPart(path), serverPart(target)];
  if (own === undefined || other === undefined) return undefined;
  const [ownRank, otherRank] = [rankOf(own), rankOf(other)];
  if (ownRank === -1) return `${own} has no rank: name it in tools/architecture.ts`;
  if (other === 'config.ts' && !CONFIG_READERS.includes(own)) return 'only the entry and the roots read config.ts';
  if (own !== other && otherRank <= ownRank) return `upward import of ${other}`;
  if (own !== other && isStore(target)) return `the store of ${other} is private to it`;
  if (isStore(path) && own === other && !isRule(target) && !isStore(target)) return 'a store imports no use-case';
  if (isRoute(target)) return own === other ? 'routes and jobs are imported by app.ts alone' : undefined;
  return undefined;
}

function checkImport(path: string, { from, isType }: Import): string | undefined {
  const workspace = path.split('/', 1)[0] ?? '';
  const target = from.startsWith('.') ? resolve(path, from) : undefined;
  if (isRule(path)) {
    const isAllowed = target ? isRule(target) || isType : isType && from === '@trefoil/contract';
    if (!isAllowed) return `a rule imports rules only, not ${from}`;
  }
  if (target)
    return target.split('/', 1)[0] === workspace || ['tools', 'bench'].includes(workspace)
      ? checkServerImport(path, target)
      : `leaves its workspace for ${from}`;
  const allowed = WORKSPACE_IMPORTS[workspace];
  return allowed && !allowed.test(from) ? `${workspace} must not import ${from}` : undefined;
}

const ENVIRONMENT = /\bprocess\??\.env\b|\bprocess\[['"]env['"]\]|from\s+['"](node:)?process['"]/;
const SQL = /\bsql`|\.query\(|['"`]\s*(select\s[^'"`]*\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\b/i;

function checkText({ path, text }: Source): string[] {
  const faults: string[] = [];
  if (ENVIRONMENT.test(text) && path !== 'server/src/config.ts') faults.push('process.env outside config.ts');
  const isServerCode = path.startsWith('server/src/') && !isStore(path) && !path.startsWith('server/src/lib/');
  if (isServerCode && SQL.test(text)) faults.push('SQL outside a store');
  return faults;
}

/** Tests may look behind every wall, so they are not held to these rules. */
export function findViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !/\.test\.ts$|^server\/test\/|^tools\/architecture/.test(path))
    .flatMap((source) =>
      [...importsOf(source.text).flatMap((each) => checkImport(source.path, each) ?? []), ...checkText(source)].map(
        (fault) => `${source.path}: ${fault}`,
      ),
    );
}
