// Everything that `npm run prove` runs, and the only list of it: what judges by the clock, explores with random seeds, kills, or
// uses many browser pages or whole machines. The rest is in `.ci/run` (tools/steps/steps.ts).
// Decision: docs/decisions/0264-the-gate-and-the-proofs.md.
import { type Check, lines, script, share, vitest } from './check.ts';
import { longFiles, projectOf } from './find-tests.ts';
import { MEASURED } from './test-files.ts';

const MONEY_MOVES = [
  'server/src/{credit-reports,idempotency,reconciliation,wallet}/**',
  'server/src/lib/{batch,postgres}/**',
  'server/migrations/**',
];
const PROVIDERS = ['server/src/{bureaus,screening,sms}/**', 'server/src/lib/outside/**'];
const EVENTS = ['server/src/{events,webhooks}/**'];

/** Tests: a failure that is final says so by its error. */
const tests = (
  name: string,
  title: string,
  files: readonly string[],
  rest: Partial<Check> & Pick<Check, 'asks'>,
): Check => ({
  ...{ name, title, command: vitest(projectOf(files), ...files), judges: 'promises', limitMinutes: 30 },
  ...{ seed: 'environment', figures: lines(/^tests: .*$/) },
  ...rest,
  asks: [...files, ...rest.asks],
});

/** One file with a number changed: how often it repeats what it does, in full and with --quick. */
const repeating = (file: string, setting: string, [full, quick]: readonly [number, number?]): Partial<Check> => ({
  environment: { [setting]: String(full) },
  ...(quick !== undefined && {
    quick: { command: vitest(projectOf([file]), file), environment: { [setting]: String(quick) } },
  }),
});

/** Exit code 1 says that something was lost or doubled; 2, 3 and 4 say that the run shows nothing, or missed times. */
const drill = (
  name: string,
  title: string,
  command: Check['command'],
  rest: Partial<Check> & Pick<Check, 'asks'>,
): Check => ({
  ...{ name, title, command, judges: 'bars', limitMinutes: 30, finalCodes: [1] },
  ...rest,
});

/** Exit code 1 says that a planted mistake was not found, which loses nothing. */
const planted = (name: string, title: string, folder: string, limitMinutes = 30): Check =>
  drill(name, title, script(folder, '--control'), {
    ...{ limitMinutes, seed: 'option', finalCodes: [], asks: [`tools/${folder}/**`] },
    figures: lines(/(NOT FOUND|found): .*$/),
  });

const bench = (
  name: string,
  title: string,
  command: Check['command'],
  rest: Partial<Check> & Pick<Check, 'asks'>,
): Check => ({
  ...{ name, title, command, judges: 'bars', limitMinutes: 20 },
  ...rest,
});

function brokenScenarios(output: string): readonly string[] {
  const names = Array.from(output.matchAll(/^(\S+): BROKEN$/gm), ([, name]) => name);
  return names.length > 0 ? ['--scenario', names.join(',')] : [];
}

const MUTATION = 'server/src/bureaus/mutation.test.ts';
const FUZZ = 'server/test/platform/fuzz.test.ts';
const STREAMS = 'server/test/platform/raw-bytes.test.ts';
const FLOWS = 'server/test/money/ledger-guard.test.ts';
const MATRIX = ['route', 'role'].map((each) => `server/test/platform/${each}-matrix.test.ts`);
const KILLS = 'server/test/webhooks/killed-workers.test.ts';
const RACES = 'server/test/webhooks/endpoint-races.test.ts';
const WALLS = 'server/test/platform/walls.test.ts';
const RINGS = ['before-added', 'added-swapped', 'swapped-after', 'apart'].map(
  (name) => `server/test/reports/hash-ring/${name}.test.ts`,
);
const CODES = 'server/test/money/challenge-races.test.ts';
const ALL_CODES = { TREFOIL_TEST_CHALLENGE_RACES: 'whole' };
const PAINTS = 'tools/documents/paint.test.ts';
const DOCUMENTS = 'node_modules/.cache/documents';
const QUICK_MEASURED = ['bureaus/guard-bureau', 'lib/limits/places'].map((name) => `server/src/${name}.test.ts`);

/** Each file that takes long is in one check: in one of its own, by its folder, or in `commands` with the rest. */
const ALONE = [MUTATION, FUZZ, STREAMS, FLOWS, KILLS, RACES, PAINTS];
const IN_BROWSER = /^(server\/test\/(browser|console)|tools\/console)\/|reference-origin/;
const OF_WEBHOOKS = /^server\/test\/webhooks\//;
const together = longFiles().filter((path) => !ALONE.includes(path));
const inBrowser = together.filter((path) => IN_BROWSER.test(path));
const ofWebhooks = together.filter((path) => OF_WEBHOOKS.test(path));
const others = together.filter((path) => !inBrowser.includes(path) && !ofWebhooks.includes(path));

export const CHECKS: readonly Check[] = [
  {
    ...tests('measured', 'tests with a bar on time, one at a time', [], {
      asks: [
        ...[...MEASURED, 'console/src/**', 'server/src/{events,fingerprints,http,identity}/**'],
        ...['server/src/lib/limits/**', 'server/src/credit-reports/{live,retention,sandbox}/**', ...PROVIDERS],
      ],
    }),
    ...{ command: vitest('measured'), judges: 'bars', prepare: [script('console')] },
    environment: { TREFOIL_TEST_ALL_PAGES: '1' },
    quick: { command: vitest('measured', ...QUICK_MEASURED) },
  },
  {
    ...tests('money', 'where credits move, with statements that go one by one', [], {
      asks: ['server/test/money/**', 'server/test/reports/{live.test.ts,state-table/**}', ...MONEY_MOVES],
    }),
    ...{ command: vitest('money-ungrouped'), environment: ALL_CODES, quick: 'full' },
  },
  tests('codes', 'hundreds of codes, resends and receipts at once on one challenge', [CODES], {
    ...{ environment: ALL_CODES, asks: MONEY_MOVES },
  }),
  tests('mutation', 'damaged replies of bureaus', [MUTATION], {
    ...repeating(MUTATION, 'TREFOIL_TEST_MUTATIONS', [100_000, 5_000]),
    asks: ['server/src/{bureaus,merge}/**'],
  }),
  tests('fuzz', 'requests from valid to hostile', [FUZZ], {
    ...repeating(FUZZ, 'TREFOIL_FUZZ_REQUESTS', [20_000, 2_000]),
    asks: ['contract/**', 'server/src/**/routes.ts', 'server/src/http/**'],
  }),
  tests('streams', 'bent byte streams', [STREAMS], {
    ...repeating(STREAMS, 'TREFOIL_TEST_STREAMS', [2_000, 500]),
    asks: ['server/src/http/**'],
  }),
  tests('flows', 'flows in test mode touch no money', [FLOWS], {
    ...repeating(FLOWS, 'TREFOIL_TEST_FLOWS', [2_000, 200]),
    asks: ['server/src/credit-reports/sandbox/**', 'server/src/wallet/**'],
  }),
  tests('matrix', 'every route, every way of not being allowed, and every kind of caller, crossed', MATRIX, {
    environment: { TREFOIL_TEST_MATRIX: 'whole' },
    asks: ['contract/**', 'server/src/**/routes.ts', 'server/src/{http,identity,tenants}/**'],
  }),
  tests('kills', 'killed workers lose no event and hand none out twice', [KILLS], {
    ...repeating(KILLS, 'TREFOIL_TEST_KILLS', [50, 2]),
    ...{ limitMinutes: 60, asks: [...EVENTS, 'server/src/lib/jobs.ts'] },
  }),
  tests('rings', 'a rotation of the hash key over two nodes charges nothing twice', RINGS, {
    environment: { TREFOIL_TEST_RING_ROUNDS: '40' },
    asks: ['server/src/{idempotency,lib/crypto}/**'],
  }),
  tests('walls', 'two tenants’ requests, interleaved', [WALLS], {
    ...repeating(WALLS, 'TREFOIL_TEST_INTERLEAVED', [5_000]),
    asks: ['server/migrations/**', 'server/src/lib/postgres/**', 'server/src/tenants/**'],
  }),
  tests('races', 'changes of webhook endpoints at the same moment', [RACES], {
    ...repeating(RACES, 'TREFOIL_TEST_RACE_SECONDS', [30]),
    asks: EVENTS,
  }),
  // Some are judged by how late a delivery is: one file at a time.
  {
    ...tests('webhooks', 'deliveries under load and to bad receivers', ofWebhooks, { judges: 'bars', asks: EVENTS }),
    command: vitest(projectOf(ofWebhooks), ...ofWebhooks, '--no-file-parallelism'),
    environment: { TREFOIL_TEST_AMPLIFIER_SECONDS: '60' },
  },
  tests('browser', 'pages in a browser', inBrowser, {
    prepare: [script('console')],
    asks: [
      ...['console/src/**', 'examples/consumer-journey/**', 'fingerprint/src/**'],
      'server/src/{documents,evidence,fingerprints,identity}/**',
    ],
  }),
  tests('commands', 'commands as processes of their own, mail, keys, and what else takes long', others, {
    asks: [
      ...['server/src/{cli,doctor,documents,evidence,identity,keys,mail,merge,usage}/**', 'server/src/lib/traces/**'],
      ...['server/src/credit-reports/messages/**', 'server/src/{app,check-start,config,main}.ts', '.ci/audit'],
    ],
  }),
  bench(
    'documents',
    'documents of reports: every text, on its page, beside an event loop that keeps turning',
    script('documents', '--people', '500', '--check', '--out', DOCUMENTS),
    {
      limitMinutes: 40,
      asks: ['server/src/documents/**', 'tools/documents/**'],
      figures: lines(/^(pdf|html): \d+ documents.*$/, /^qpdf checked.*$/),
    },
  ),
  tests('paints', 'one report is always the same bytes', [PAINTS], {
    ...repeating(PAINTS, 'TREFOIL_TEST_PAINTS', [100]),
    asks: ['server/src/documents/**'],
  }),
  drill('chaos', 'nodes killed under load', script('chaos'), {
    ...{ limitMinutes: 60, seed: 'option', quick: { command: script('chaos', '--short') } },
    asks: ['tools/chaos/**', ...MONEY_MOVES, ...PROVIDERS],
    figures: lines(/^(deaths at random|operations|live reports|credits) .*$/, /^Nothing was found\.$/),
  }),
  drill('faults', 'what the service stands on fails', script('faults'), {
    ...{ limitMinutes: 90, quick: { command: script('faults', '--short') } },
    asks: ['tools/faults/**', 'server/src/http/**', 'server/src/lib/limits/**', ...MONEY_MOVES, ...PROVIDERS],
    again: brokenScenarios,
    figures: share(/^\S+: held$/, /^\S+: (held|BROKEN)$/, 'scenarios held'),
  }),
  drill('faults-control', 'faults without their remedies are found', script('faults', '--control'), {
    ...{ limitMinutes: 180, asks: ['tools/faults/**'], again: brokenScenarios },
    figures: share(/^ {2}Without its remedy it fails:$/, /^\S+: (held|BROKEN)$/, 'scenarios fail without their remedy'),
  }),
  drill(
    'misuse',
    'webhooks and mail of a company beside one that misuses them',
    script('faults', '--misuse', '--control'),
    {
      ...{
        limitMinutes: 60,
        asks: ['tools/faults/**', 'bench/webhooks/**', 'server/src/{lib/outside,mail}/**', ...EVENTS],
        again: brokenScenarios,
      },
      figures: lines(/^\S+: (held|BROKEN)$/, /^ {2}(webhooks|links|stopped) .*$/),
    },
  ),
  drill('ha', 'the primary of a database cluster killed and cut off', script('ha'), {
    ...{ limitMinutes: 120, seed: 'option', quick: { command: script('ha', '--short') } },
    asks: ['tools/ha/**', 'server/src/lib/{batch,postgres}/**', 'server/src/wallet/**'],
    figures: lines(/^\d+ reports and .* acknowledged.*$/, /^control: .*$/, /^Nothing was lost\.$/),
  }),
  drill('restore', 'a backup restored to a second', script('restore-drill'), {
    ...{ seed: 'option', quick: { command: script('restore-drill', '--short') } },
    asks: ['tools/restore-drill/**', 'server/migrations/**', 'docs/operate/*backup*.md'],
    figures: lines(/^recovery (time|point) .*$/, /^operations .*$/),
  }),
  planted('restore-control', 'mistakes with backups are found', 'restore-drill'),
  drill('upgrade', 'an upgrade under load, and back', script('upgrade-drill'), {
    seed: 'option',
    asks: [
      ...['tools/upgrade-drill/**', 'deploy/systemd/haproxy.cfg', 'server/migrations/**'],
      ...['server/src/main.ts', 'server/src/http/**'],
    ],
    figures: lines(/^(answers|books) .*$/, /^Nothing was found.*$/),
  }),
  planted('upgrade-control', 'mistakes with upgrades are found', 'upgrade-drill'),
  drill('keys', 'every key rotated under load', script('key-drill'), {
    seed: 'option',
    asks: [
      ...['tools/key-drill/**', 'server/src/{evidence,keys}/**', 'server/src/lib/crypto/**'],
      ...['server/src/lib/hash-rings.ts', 'server/src/identity/provider/**'],
    ],
    figures: lines(/^(answers|re-wrapped|handed on) .*$/, /^Nothing was found.*$/),
  }),
  planted('keys-control', 'mistakes with keys are found', 'key-drill', 60),
  drill('scrape', 'Prometheus and Alertmanager watch an installation', script('scrape-drill'), {
    // Its exit code 1 is about series and alerts.
    finalCodes: [],
    asks: [
      ...['tools/{monitoring,scrape-drill}/**', 'deploy/{grafana,prometheus}/**'],
      ...['server/src/**/*-metrics.ts', 'server/src/open-metrics.ts', 'server/src/lib/metrics.ts'],
    ],
    figures: lines(/^scrape drill: .*$/, /\d+ expressions and series asked for/),
  }),
  drill('random-day', 'a random day: every figure against the ledger', script('random-day', '--operations', '5000'), {
    ...{ limitMinutes: 60, seed: 'option', quick: { command: script('random-day', '--operations', '300') } },
    asks: [
      'tools/random-day/**',
      'server/src/{reconciliation,usage,wallet}/**',
      'server/src/credit-reports/reading/**',
    ],
    figures: lines(/\d+ figures, \d+ differ$/, /^\d+ operations in \d+ s/),
  }),
  {
    ...{ name: 'conformance', title: 'every row of the interface, the five minutes included' },
    ...{ command: ['.ci/conformance', '--slow'], judges: 'promises', limitMinutes: 20, finalCodes: [3] },
    asks: ['conformance/**', 'contract/**', 'server/src/{credit-reports,http,idempotency,tenants}/**'],
    figures: lines(/^\d+ passed, \d+ failed.*$/),
  },
  {
    ...{ name: 'breakages', title: 'the conformance kit detects planted faults', command: script('breakages') },
    ...{ judges: 'promises', limitMinutes: 40, asks: ['conformance/**', 'tools/breakages/**'] },
    figures: lines(/^\d+ caught, .*$/),
  },
  {
    ...{ name: 'image', title: 'the package, and the image made of it, started', command: script('image', '--check') },
    ...{ judges: 'promises', limitMinutes: 20 },
    asks: [
      ...['.dockerignore', 'deploy/{Dockerfile,healthcheck.js}', 'tools/{image,package}/**', 'licences/**'],
      ...['server/package.json', 'server/src/**', 'server/migrations/**', 'contract/**', 'console/**', 'sdk/src/**'],
    ],
    figures: lines(/^built the image.*$/, /^the image runs.*$/),
  },
  {
    ...{ name: 'sdk', title: 'the client library: from npm install to a report in a minute', judges: 'bars' },
    ...{ command: script('sdk-package', '--bar'), limitMinutes: 10, quick: 'full' },
    asks: ['sdk/**', 'tools/sdk-package/**'],
    figures: lines(/: npm install to the report in \d+ ms/),
  },
  {
    ...{ name: 'web-shop', title: 'the example shop, in a browser', command: script('web-shop') },
    ...{ judges: 'promises', limitMinutes: 15 },
    asks: ['examples/web-shop/**', 'sdk/src/**', 'tools/web-shop/**'],
    figures: share(/^ok .*$/, /^(ok|FAILED) .*$/, 'scenarios passed'),
  },
  {
    ...{ name: 'receivers', title: 'the webhook receivers to copy, in every language', judges: 'promises' },
    ...{ command: script('samples', 'examples/receivers/README.md'), limitMinutes: 15 },
    asks: ['examples/receivers/**', 'tools/samples/**', 'server/src/webhooks/sign.ts'],
    figures: lines(/^ok .*$/),
  },
  {
    ...{ name: 'site', title: 'every page of the documentation site, in a browser', command: script('site:browse') },
    ...{ judges: 'promises', limitMinutes: 20, prepare: [script('site')] },
    asks: ['docs/{guides,operate,site}/**', 'site/src/**', 'site/package-lock.json', 'tools/site/**'],
    figures: lines(/^\d+ pages: .*$/),
  },
  bench('bench', 'speed against the bare engine: figures, no bar', script('bench'), {
    quick: { command: script('bench', '--seconds', '1', '--wallets', '20') },
    asks: ['bench/speed/**', 'server/src/http/**', ...MONEY_MOVES],
    figures: lines(/^(one hot wallet|many wallets|p99 at half load) .*$/),
  }),
  bench('bench-merge', 'how right merged reports are', script('bench:merge', '--full', '--gates'), {
    ...{ limitMinutes: 60, quick: { command: script('bench:merge', '--gates') } },
    asks: ['bench/merge/**', 'server/src/merge/**'],
    figures: lines(/^(standard|harsh|adversarial): .*$/, /^ {2}(precision|recall|p99Ms) .*$/),
  }),
  bench('bench-webhooks', 'how late events arrive beside dead receivers', script('bench:webhooks'), {
    ...{ limitMinutes: 90, finalText: /; lost [1-9]/ },
    asks: ['bench/webhooks/**', ...EVENTS],
    figures: lines(/^\d+ events a run.*$/, /^(all receivers healthy|healthy beside dead ones) .*$/, /^bar for .*$/),
  }),
  bench('bench-traces', 'what traces cost', script('bench:traces'), {
    asks: ['bench/traces/**', 'server/src/lib/traces/**'],
    figures: lines(/^on ÷ off: .*$/),
  }),
  bench('bench-provenance', 'what keeping each bureau’s words costs: figures, no bar', script('bench:provenance'), {
    quick: 'full',
    asks: ['bench/provenance/**', 'server/src/merge/**', 'server/src/credit-reports/provenance/**'],
    figures: lines(/^(report|provenance|all of it) .*$/),
  }),
  bench(
    'bench-fingerprints',
    'device sessions a second: figures, and no row may be written',
    script('bench:fingerprints'),
    {
      quick: { command: script('bench:fingerprints', '--seconds', '2') },
      asks: ['bench/fingerprints/**', 'server/src/fingerprints/**', 'server/src/lib/limits/**'],
      figures: lines(/^.*\/s {3}p99 .*$/, /^rows written .*$/),
    },
  ),
];
