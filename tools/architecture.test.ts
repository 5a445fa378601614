// Holds the tree against the rules of tools/architecture.ts, and shows once for each rule that breaking it is seen.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findViolations } from './architecture.ts';

test('no file breaks the import directions, the purity of rules, or the places of SQL and process.env', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
    encoding: 'utf8',
  });
  const sources = listed
    .split('\n')
    .filter(Boolean)
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(path, 'utf8') }];
      } catch {
        return []; // deleted in the work tree and not yet in the index
      }
    });
  expect(sources.length).toBeGreaterThan(50);
  expect(findViolations(sources)).toEqual([]);
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
  ['a stray process.env in a tool', 'tools/dev.ts', "process.env['X']", 'process.env'],
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
    'the script for browsers importing the contract',
    'fingerprint/src/x.ts',
    "import { x } from '@trefoil/contract';",
    'fingerprint must not',
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
    'app.ts alone',
  ],
  ['SQL in a file that only ends like a store', 'server/src/wallet/restore.ts', 'const q = sql`select 1`;', 'SQL'],
  [
    'a use-case importing routes',
    'server/src/tenants/list-tenants.ts',
    "import { x } from './routes.ts';",
    'app.ts alone',
  ],
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
    ['server/src/credit-reports/sms-store.ts', "import type { X } from './store.ts';"],
    ['server/src/config.ts', 'process.env'],
    ['server/src/app.ts', "import { x } from './credit-reports/routes.ts';"],
  ].map(([path = '', text = '']) => ({ path, text }));
  expect(findViolations(allowed)).toEqual([]);
});
