import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../machine/run-command.ts';
import { findUnsteady, listTestFiles } from './steady.ts';

const inTest = (...lines: readonly string[]) => ["test('it', async () => {", ...lines, '});'].join('\n');
const IMPORT = "import { setTimeout as pause } from 'node:timers/promises';\n";
const PROMISE = 'await new Promise((resolve) => setTimeout(resolve, 50));';
const TIMED = ['const from = performance.now();', 'await run();'];

const refused = [
  // rule, text
  ['wait', inTest('await vi.waitFor(look);')],
  ['wait', inTest('await vi.waitUntil(look);')],
  ['wait', inTest('await expect.poll(look).toBe(1);')],
  ['wait', inTest('await page.waitForTimeout(300);')],
  ['wait', `${IMPORT}${inTest('await pause(50);')}`],
  ['wait', "import { setTimeout } from 'node:timers/promises';\nawait setTimeout(50);"],
  ['wait', inTest(PROMISE)],
  ['wait', 'const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));'],
  ['wait', `${inTest('vi.useFakeTimers();')}\n${inTest(PROMISE)}`],
  ['wait', inTest("await client.query('select pg_sleep(1)');")],
  ['bar', inTest(...TIMED, 'expect(performance.now() - from).toBeLessThan(500);')],
  ['bar', inTest(...TIMED, 'const ms = performance.now() - from;', 'expect(ms).toBeGreaterThanOrEqual(500);')],
  [
    'bar',
    inTest('const ms: number[] = [];', 'ms.push(Date.now() - from);', 'expect(Math.max(...ms)).toBeLessThan(5);'),
  ],
  ['bar', inTest('expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);')],
  ['bar', inTest('expect(Date.parse(at)).toBeGreaterThan(Date.now() - 1_000);')],
  ['bar', inTest('expect((until - new Date().getTime()) / 1_000).toBeCloseTo(7);')],
  ['bar', `${inTest('expect(best(run)).toBeLessThan(5);')}\nfunction best() { return performance.now() - from; }`],
  ['bar', inTest('const from = process.hrtime.bigint();', 'expect(process.hrtime.bigint() - from).toBeLessThan(5n);')],
  ['bar', inTest(...TIMED, 'expect(performance.now() - from < 500).toBe(true);')],
  ['bar', inTest(...TIMED, 'const ms = performance.now() - from;', "if (ms > 500) throw new Error('late');")],
  ['bar', inTest('const until = Date.now() + 500;', 'while (Date.now() < until) await look();')],
  ['limit', "test('it', run, 30_000);"],
  ['limit', "test('it', { timeout: 30_000 }, run);"],
  ['limit', "test.each(rows)('it', run, 30_000);"],
  ['limit', "const LIMIT_MS = 30_000;\ntest('it', run, LIMIT_MS);"],
  ['limit', "describe('all', { timeout: 5_000 }, run);"],
  ['limit', 'beforeAll(open, 60_000);'],
  ['endless', 'for (;;) await look();'],
  ['endless', 'for (let page = 0; ; page += 1) await look();'],
  ['endless', 'while (true) await look();'],
  ['endless', 'while (1) await look();'],
  ['endless', 'while (!(await isDone())) await look();'],
  ['endless', 'do count += 1; while (!(await isDone()));'],
  ['seed', 'const at = Math.random();'],
  ['seed', 'const SEED = randomInt(2 ** 31);'],
  ['seed', "const SEED = Number(process.env['TREFOIL_TEST_SEED'] ?? Date.now() % 2 ** 31);"],
  ['seed', 'fc.assert(property, { seed: Date.now() });'],
  ['seed', 'const random = createRandom(Date.now());'],
  ['transaction-id', "await query('select pg_current_xact_id()::text::bigint - 40000');"],
  ['transaction-id', "await query('select 1 + xact_id::text::bigint from outbox');"],
  ['transaction-id', 'const next = BigInt(row.xactId) + 1n;'],
  ['transaction-id', 'const id = BigInt(row.xactId);\nconst next = id + 1n;'],
  ['transaction-id', "await query('select mod(xact_id::text::bigint, 5) from outbox');"],
  ['transaction-id', 'const next = BigInt(row?.xid ?? 0) - 1n;'],
  ...[
    "'select (txid_current() + 100)::text'",
    `\`select pg_current_xact_id()::text::bigint + \${place}\``,
    "'select 100 - (pg_current_xact_id()::text)::bigint'",
    "'select cast(pg_current_xact_id() as text)::bigint + 1'",
    "'select 5 + (select max(xact_id::text::bigint) from outbox)'",
    "'select (select max(xact_id::text::bigint) from outbox) + 5'",
    `\`select \${xactId} + 5\``,
    '"select \'10100\'::xid8"',
    '"select xid8 \'10100\'"',
    '"select \'900\'::xid8"',
    "'select (1000 + n)::text::xid8'",
    `\`select (n + \${first})::text::xid8\``,
    "'select (n + $1)::text::xid8'",
  ].map((text) => ['transaction-id', `await query(${text});`] as const),
  ['wait', inTest('// steady:', PROMISE)],
] as const;
test.each(refused)('%s: refused: %s', (rule, text) => {
  expect(findUnsteady(text).map((found) => found.rule)).toEqual([rule]);
});

const allowed = [
  inTest('await eventually(look);'),
  inTest('await new Promise(setImmediate);'),
  // A server's answer that comes late, and a socket's own limit.
  inTest('const slow = createServer((_, response) => void setTimeout(() => response.end(), 300));'),
  inTest('await new Promise((resolve) => socket.setTimeout(50, resolve));'),
  inTest('vi.useFakeTimers();', PROMISE),
  `beforeEach(() => void vi.useFakeTimers());\n${inTest(PROMISE)}`,
  inTest('// steady: the process that waits is the one under test.', PROMISE),
  inTest('stopClock();', ...TIMED, 'expect(performance.now() - from).toBeLessThan(500);'),
  inTest('const { user } = process.cpuUsage(before);', 'expect(user).toBeLessThan(5_000);'),
  inTest(...TIMED, 'expect(count).toBeLessThan(500);'),
  // In their order.
  inTest('const before = Date.now();', 'expect(Date.parse(at)).toBeGreaterThanOrEqual(before);'),
  inTest('expect(Date.parse(at) - 3_600_000).toBeLessThanOrEqual(Date.now());'),
  // A time that is only given to something.
  inTest('const found = await find({ since: Date.now() - 60_000 });', 'expect(found.length).toBeGreaterThan(1);'),
  `${inTest(...TIMED, 'const ms = performance.now() - from;')}\n${inTest('const ms = 3;', 'expect(ms).toBeLessThan(5);')}`,
  "test('it', run, 60_000);",
  "test.each([5, 6])('it', { retry: 0, timeout: 120_000 }, run);",
  'afterAll(close, 120_000);',
  'for (let page = 0; page < 20; page += 1) await look();',
  'while (rows.length < 5) rows.push(await next());',
  "const SEED = Number(process.env['TREFOIL_TEST_SEED'] ?? 1);",
  'const at = Date.now();',
  "await query('select xact_id || id from outbox where xact_id < pg_snapshot_xmin(pg_current_snapshot())');",
  "await query('select (1 + n / 100)::text::xid8 from generate_series(1, 30000) as n');",
  "await query('select * from outbox where (xact_id, id) > ($1::xid8, $2) order by xact_id offset 15049 limit 1');",
  "await query('select distinct * from outbox where xact_id is not null');",
  "await query('select row_number() over (order by xact_id, id) - 1 as place from outbox');",
  `expect(\`\${place.xactId}.\${place.id}\`).toBe(last);`,
];
test.each(allowed)('allowed: %s', (text) => {
  expect(findUnsteady(text)).toEqual([]);
});

test('no test outside `npm run prove` judges by the clock, sleeps, has little time, can run for ever or is left to chance', () => {
  const files = listTestFiles(ROOT);
  expect(files.length).toBeGreaterThan(400);
  const found = files.flatMap((path) =>
    findUnsteady(readFileSync(`${ROOT}${path}`, 'utf8')).map(({ line, rule }) => `${path}:${line} ${rule}`),
  );
  expect(found, 'mend it, or give a reason on the line above: // steady: <reason>').toEqual([]);
  // It computes for seconds, and its file is one of many that want a processor.
}, 300_000);
