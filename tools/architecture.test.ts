// Checks the tree against the rules of tools/architecture.ts, and shows once for each rule that a violation is detected.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findViolations, listFolders, readSources } from './architecture.ts';
import { OWNERS, RANKS } from './architecture-map.ts';

test('no file breaks the import directions, the purity of rules, the places of SQL, or the ownership of tables', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(50);
  expect(findViolations(sources)).toEqual([]);
});

test('no folder of the server has more than twenty files directly in it, and credit-reports at most fifteen', () => {
  const folders = listFolders(readSources()).filter(({ path }) => path !== 'server/src/cli');
  expect(folders.filter(({ files }) => files > 20)).toEqual([]);
  expect(folders.find(({ path }) => path === 'server/src/credit-reports')?.files).toBeLessThanOrEqual(15);
});

test('every table of the migrations has an owner, and every owner is a feature', () => {
  const migrations = readdirSync('server/migrations').map((file) => readFileSync(`server/migrations/${file}`, 'utf8'));
  const tables = [...migrations.join('\n').matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table);
  expect(tables.sort()).toEqual(Object.keys(OWNERS).sort());
  for (const feature of Object.values(OWNERS)) expect(RANKS.flat()).toContain(feature);
});

const breaches: [string, string, string, string][] = [
  ['an upward import', 'server/src/wallet/charge.ts', "import { x } from '../credit-reports/answer.ts';", 'upward'],
  [
    'an import between folders of one rank',
    'server/src/wallet/charge.ts',
    "import { x } from '../tenants/list-tenants.ts';",
    'upward',
  ],
  ['lib importing http', 'server/src/lib/ids.ts', "import { x } from '../http/errors.ts';", 'upward'],
  ["another feature's store", 'server/src/identity/x.ts', "import { x } from '../wallet/store.ts';", 'private'],
  [
    "another feature's store of a part",
    'server/src/identity/x.ts',
    "import { x } from '../wallet/price-store.ts';",
    'private',
  ],
  [
    'a package import in rules/',
    'server/src/credit-reports/rules/challenge.ts',
    "import { x } from 'libphonenumber-js';",
    'a rule',
  ],
  [
    'a node import in rules/',
    'server/src/credit-reports/rules/challenge.ts',
    "import { x } from 'node:crypto';",
    'a rule',
  ],
  [
    'a rule importing a store',
    'server/src/credit-reports/rules/challenge.ts',
    "import { x } from '../store.ts';",
    'a rule',
  ],
  [
    'a value import of the contract in rules/',
    'server/src/credit-reports/rules/x.ts',
    "import { SCOPES } from '@trefoil/contract';",
    'a rule',
  ],
  ['SQL outside a store', 'server/src/wallet/charge.ts', 'const q = sql`select 1`;', 'SQL'],
  ['a raw query outside a store', 'server/src/http/health.ts', "await client.query('select 1');", 'SQL'],
  ['SQL as a plain string', 'server/src/wallet/charge.ts', "run('insert into wallets values (1)')", 'SQL'],
  ['a dynamic upward import', 'server/src/lib/ids.ts', "await import('../app.ts')", 'upward'],
  ['the environment by another name', 'server/src/lib/log.ts', "import { env } from 'node:process';", 'process.env'],
  ['a stray process.env', 'server/src/lib/log.ts', 'const level = process.env.LEVEL;', 'process.env'],
  ['a stray process.env in a tool', 'tools/dev/dev.ts', "process.env['X']", 'process.env'],
  [
    'a feature reading the configuration',
    'server/src/wallet/x.ts',
    "import type { Config } from '../config.ts';",
    'config.ts',
  ],
  ['the contract importing a library', 'contract/src/x.ts', "import { x } from 'fastify';", 'contract must not'],
  [
    'the conformance kit importing the contract',
    'conformance/src/x.ts',
    "import { x } from '@trefoil/contract';",
    'conformance must not',
  ],
  [
    'a simulator importing the contract',
    'simulators/src/x.ts',
    "import { x } from '@trefoil/contract';",
    'simulators must not',
  ],
  [
    'the server importing the client library',
    'server/src/app.ts',
    "import { x } from '@trefoil/sdk';",
    'server must not',
  ],
  [
    'the client library importing the contract',
    'sdk/src/x.ts',
    "import { x } from '@trefoil/contract';",
    'sdk must not',
  ],
  [
    'the script for browsers importing the contract',
    'fingerprint/src/x.ts',
    "import { x } from '@trefoil/contract';",
    'fingerprint must not',
  ],
  [
    'the console reaching into the server',
    'console/src/wallet/wallet-page.tsx',
    "import { x } from '../../../server/src/app.ts';",
    'leaves its workspace',
  ],
  [
    'the console importing the contract',
    'console/src/wallet/wallet-page.tsx',
    "import { x } from '@trefoil/contract';",
    'console must not',
  ],
  [
    'a page of the console importing another',
    'console/src/wallet/wallet-page.tsx',
    "import { x } from '../reports/rail.tsx';",
    'upward',
  ],
  [
    'a part of the console importing a page, late',
    'console/src/ui/menu.tsx',
    "const load = () => import('../audit/audit-page.tsx');",
    'upward',
  ],
  [
    'a sample reaching into the server',
    'examples/consumer-journey/x.ts',
    "import { x } from '../../server/src/app.ts';",
    'leaves its workspace',
  ],
  [
    'a store importing a use-case',
    'server/src/wallet/store.ts',
    "import { x } from './read-balance.ts';",
    'no use-case',
  ],
  [
    'a store of a part importing a use-case',
    'server/src/wallet/price-store.ts',
    "import { x } from './read-balance.ts';",
    'no use-case',
  ],
  [
    'a use-case importing routes of a part',
    'server/src/tenants/list-tenants.ts',
    "import { x } from './reading-routes.ts';",
    'front doors alone',
  ],
  ['SQL in a file that only ends like a store', 'server/src/wallet/restore.ts', 'const q = sql`select 1`;', 'SQL'],
  [
    'a use-case importing routes',
    'server/src/tenants/list-tenants.ts',
    "import { x } from './routes.ts';",
    'front doors alone',
  ],
  ['an address that knows no proxy', 'server/src/wallet/routes.ts', 'limit(request.ip);', 'clientAddress'],
  [
    'such an address in parameters',
    'server/src/wallet/routes.ts',
    'function f({ id, ip }: FastifyRequest) {}',
    'clientAddress',
  ],
  [
    'a room importing a room above it',
    'server/src/credit-reports/messages/send-sms.ts',
    "import { x } from '../live/fetch-report.ts';",
    'upward import of credit-reports/live',
  ],
  [
    'a room importing a room of its own rank',
    'server/src/identity/factors/totp.ts',
    "import type { X } from '../provider/provider.ts';",
    'upward import of identity/provider',
  ],
  [
    'a room without a rank',
    'server/src/identity/misc/x.ts',
    "import { x } from '../people/change-user.ts';",
    'identity/misc has no rank',
  ],
  [
    'a value in the file of types',
    'server/src/credit-reports/dependencies.ts',
    "import { x } from './live/fetch-report.ts';",
    'only types',
  ],
  ['a package in a pure feature', 'server/src/merge/merge.ts', "import { x } from 'node:crypto';", 'a rule'],
  [
    "another feature's table",
    'server/src/wallet/store.ts',
    'rows(tx, sql`select 1 from credit_reports`)',
    'credit_reports belongs to credit-reports',
  ],
  [
    "another feature's rows forgotten by age",
    'server/src/mail/store.ts',
    "agedTable('sightings', 'seen_at', '1 day')",
    'sightings belongs to screening',
  ],
  [
    'a file outside the server, read at run time',
    'server/src/fingerprints/script.ts',
    "const FILE = new URL('../../../fingerprint/device.js', import.meta.url);",
    "outside the server's folder",
  ],
  [
    'a path that no rule can follow',
    'server/src/documents/pdf/fonts.ts',
    "join(import.meta.dirname, '../../../..')",
    'path by hand',
  ],
  ['help for tests', 'server/src/app.ts', "import { x } from '../../tools/testing/x.ts';", 'leaves its workspace'],
  ['another program', 'server/src/cli/x.ts', "import { spawn } from 'node:child_process';", 'starts another program'],
  ['a feature without a rank', 'server/src/misc/x.ts', "import { x } from '../lib/ids.ts';", 'no rank'],
];
for (const [name, path, text, expected] of breaches) {
  test(`${name} is a violation`, () => {
    expect(findViolations([{ path, text }]).join()).toContain(expected);
  });
}

test('what the house allows is no violation', () => {
  const allowed = [
    ['server/src/credit-reports/x.ts', "import { x } from '../wallet/read-balance.ts';"],
    ['server/src/credit-reports/rules/x.ts', "import type { Bureau } from '@trefoil/contract';"],
    ['server/src/wallet/store.ts', "import { sql } from '../lib/sql.ts';\nconst q = sql`select 1`;"],
    ['server/src/wallet/price-store.ts', "import { x } from './rules/price-list.ts';\nconst q = sql`select 1`;"],
    ['server/src/credit-reports/messages/sms-store.ts', "import type { X } from './store.ts';"],
    ['server/src/config.ts', 'process.env'],
    ['server/src/lib/postgres/schema.ts', "new URL('../../../migrations', import.meta.url)"],
    ['server/test/money/x.test.ts', "import { x } from '../../../tools/testing/x.ts';"],
    ['sdk/src/cli.ts', "import { x } from 'node:util';\nprocess.env['X'];"],
    ['server/src/app.ts', "import { x } from './wallet/routes.ts';"],
  ].map(([path = '', text = '']) => ({ path, text }));
  expect(findViolations(allowed)).toEqual([]);
});
