// What a drill decides without an installation: which packages the previous version lacks, the proxy's settings, and that the
// previous version and the planted mistakes still fit the repository. The drill itself is npm run upgrade-drill.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTally, hasFound } from '../chaos/tally.ts';
import { CONTROLS } from './controls.ts';
import { newFields } from './new-fields.ts';
import previous from './previous.json' with { type: 'json' };
import { findOtherPackages, type Lockfile } from './previous-tree.ts';
import { exitCodeOf, hasHeld } from './print.ts';
import { judgeFigures, readFigures, toLocalConfiguration } from './proxy.ts';

const locked = (packages: Lockfile['packages']): Lockfile => ({ packages });

test('the packages of this tree serve the previous version only if each is there in the same version', () => {
  const wanted = locked({
    '': { version: '0.1.0' },
    contract: { version: '0.1.0' },
    'node_modules/@trefoil/contract': { link: true },
    'node_modules/fastify': { version: '5.0.0' },
    'node_modules/pg': { version: '8.0.0' },
    'node_modules/vitest': { version: '1.0.0', dev: true },
    'node_modules/fsevents': { version: '2.0.0', optional: true },
  });
  const same = { 'node_modules/fastify': { version: '5.0.0' }, 'node_modules/pg': { version: '8.0.0' } };
  expect(findOtherPackages(wanted, locked(same))).toEqual([]);
  expect(findOtherPackages(wanted, locked({ ...same, 'node_modules/pg': { version: '8.0.1' } }))).toEqual(['pg']);
  expect(findOtherPackages(wanted, locked({}))).toEqual(['fastify', 'pg']);
});

test('the proxy has the settings of deploy/systemd, without TLS and with the nodes of this machine', () => {
  const example = readFileSync('deploy/systemd/haproxy.cfg', 'utf8');
  const text = toLocalConfiguration(example, { port: 20_000, socket: '/tmp/x.sock', nodePorts: [20_001, 20_002] });
  for (const line of [
    '  stats socket /tmp/x.sock mode 600',
    '  bind 127.0.0.1:20000',
    '  option httpchk GET /readyz',
    '  default-server check inter 2s fall 2 rise 1',
    '  retry-on conn-failure',
    '  server api-1 127.0.0.1:20001',
    '  server api-2 127.0.0.1:20002',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).not.toMatch(/ssl crt|redirect|:8081/);
  expect(() =>
    toLocalConfiguration(example.replaceAll(/^ {2}bind .*\n/gm, ''), { port: 1, socket: '', nodePorts: [] }),
  ).toThrow('haproxy.cfg has nothing like');
});

test('what the proxy counted is read by the names of its columns', () => {
  const csv = [
    '# pxname,svname,req_tot,econ,eresp,status,',
    'https,FRONTEND,9,,,OPEN,',
    'nodes,api-1,3,1,0,UP,',
    'nodes,BACKEND,7,2,1,UP,',
    '',
  ].join('\n');
  expect(readFigures(csv)).toEqual({ requests: 7, refused: 2, cut: 1 });
});

test.each([
  [{ requests: 7, cut: 0, refused: 0 }, []],
  [{ requests: 7, cut: 1, refused: 2 }, ['no answer is cut', 'no node that the proxy uses refuses a connection']],
  [{ requests: 0, cut: 0, refused: 0 }, ['the proxy counts']],
  [readFigures(''), ['the proxy counts']],
  [readFigures('# pxname,svname,req_tot,econ,eresp\nnodes,BACKEND,7,,'), ['the proxy counts']],
])('of the figures %j the drill says %j', (figures, said) => {
  const tally = createTally();
  judgeFigures(figures, tally);
  expect([...tally.findings.keys()]).toEqual(said);
});

test('the previous version is a commit, and its last migration is one of today', () => {
  expect(previous.commit).toMatch(/^[0-9a-f]{40}$/);
  const migrations = readdirSync('server/migrations').map((file) => file.replace(/\.sql$/, ''));
  expect(migrations).toContain(previous.schema);
});

test('a retry that the previous version answers may lack what is new since then, and nothing else', () => {
  const [previous, today] = ['contract/releases/0.1.0.openapi.json', 'openapi.json'].map((path) =>
    JSON.parse(readFileSync(path, 'utf8')),
  );
  const fields = newFields({ previous, new: today });
  expect(fields).toContain('externalReference');
  for (const old of ['status', 'creditReportId', 'challenge', 'smsSentCount']) expect(fields).not.toContain(old);
  expect(newFields({ previous: today, new: today })).toEqual(new Set());
});

const QUIET = { stolenShare: 0, pausedShare: 0.01, longestStopMs: 60, foreignShare: 0 };
test.each([
  ['every call gets its answer, after the client library’s own retries', 1, 3],
  ['no node that the proxy uses refuses a connection', 1, 3],
  ['every node becomes ready', 3, 3],
  ['no report is open for more than 60 s', 3, 4],
  ['no answer is cut', 1, 1],
])('"%s" ends with %i, and on a slow machine with %i', (about, quiet, slow) => {
  const tally = createTally();
  tally.find(about, 'x');
  expect(exitCodeOf({ tally, machine: QUIET })).toBe(quiet);
  expect(exitCodeOf({ tally, machine: { ...QUIET, pausedShare: 0.2 } })).toBe(slow);
});

test('each mistake to plant is about something that the schema has, and a finding breaks a drill', () => {
  expect(CONTROLS.map(({ id }) => id)).toEqual(['required-column', 'no-drain']);
  const schema = readdirSync('server/migrations').map((file) => readFileSync(`server/migrations/${file}`, 'utf8'));
  expect(schema.join('')).toContain("add column source text not null default 'api'");
  const tally = createTally();
  expect(hasHeld({ tally })).toBe(true);
  tally.find('no answer is cut', '1 answers');
  expect(hasHeld({ tally })).toBe(false);
});

test.each([
  // a finding, its example, the mistakes that it shows
  ['every node becomes ready', 'a node of the new version: the port is taken', []],
  ['no answer is a 5xx but 503', '/v1/credit-reports: 502', []],
  ['no answer is a 5xx but 503', '/v1/credit-reports: 500', ['required-column']],
  ['no answer is cut', '1 answers', ['no-drain']],
  ['no node that the proxy uses refuses a connection', '1 connections', ['no-drain']],
])('"%s", %s: shows %j', (about, example, shown) => {
  const tally = createTally();
  tally.find(about, example);
  expect(CONTROLS.filter(({ finding }) => hasFound(tally, finding)).map(({ id }) => id)).toEqual(shown);
});
