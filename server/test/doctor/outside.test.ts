// The doctor's checks over the network, and the command itself: what it prints, how it ends, what it leaves behind.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { printExamination } from '../../src/cli/doctor-commands.ts';
import type { Examination } from '../../src/doctor/examine-installation.ts';
import { makeCertificate } from '../support/certificates.ts';
import { runProcess } from '../support/command-line.ts';
import { checkOf, countRows, examine, expectCheck, type Listener, listenSilently } from '../support/doctor.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';

let server: LiveServer;
let silent: Listener;
let gone: number;
beforeAll(async () => {
  server = await startLiveServer();
  silent = await listenSilently();
  gone = await freePort();
});
afterAll(async () => {
  silent.close();
  await server.close();
});

const OUTSIDE = [
  'base-address',
  'redis',
  'mail',
  'bureau-equifax',
  'bureau-experian',
  'bureau-transunion',
  'screening',
  'carrier',
];

const bureausAt = (address: string) => {
  const bureaus = JSON.parse(server.environment['TREFOIL_BUREAUS'] ?? '{}') as Record<string, object>;
  return { TREFOIL_BUREAUS: JSON.stringify({ ...bureaus, experian: { ...bureaus['experian'], baseUrl: address } }) };
};
const providerAt = (setting: string, field: string, address: string) => ({
  [setting]: JSON.stringify({ ...JSON.parse(server.environment[setting] ?? '{}'), [field]: address }),
});
const mailAt = (url: string) => ({ TREFOIL_MAIL: JSON.stringify({ url, from: 'canary@example.com' }) });

test('fit: everything outside is reached, and the jobs of the server are seen', async () => {
  await eventually(async () => expect(checkOf(await examine(server), 'jobs').status).toBe('ok'));
  const examination = await examine(server);
  for (const name of OUTSIDE) expect(`${name}: ${checkOf(examination, name).status}`).toBe(`${name}: ok`);
  expect(examination.isFit).toBe(true);
});

describe('not fit', () => {
  const nothing = () => `http://127.0.0.1:${gone}`;
  const places: [what: string, check: string, changes: () => Record<string, string>, told: string][] = [
    [
      'a base address where nothing listens',
      'base-address',
      () => ({ TREFOIL_BASE_URL: nothing() }),
      'refuses connect',
    ],
    [
      ...['a base address of something else', 'base-address'],
      ...[() => ({ TREFOIL_BASE_URL: server.providers.addresses.albion }), 'not as a node does'],
    ] as [string, string, () => Record<string, string>, string],
    ['no Redis', 'redis', () => ({ TREFOIL_REDIS_URL: `redis://127.0.0.1:${gone}` }), 'refuses connections'],
    ['no mail server', 'mail', () => mailAt(`smtp://127.0.0.1:${gone}`), 'refuses connections'],
    ['a dead bureau', 'bureau-experian', () => bureausAt(nothing()), 'The bureau experian refuses connections'],
    ['no carrier', 'carrier', () => providerAt('TREFOIL_SMS', 'apiBaseUrl', nothing()), 'The carrier refuses'],
    ['no screening', 'screening', () => providerAt('TREFOIL_SCREENING', 'baseUrl', nothing()), 'provider refuses'],
    ['a failpoint', 'settings', () => ({ TREFOIL_FAILPOINT: 'after-reserve:3' }), 'kill itself'],
  ];
  test.each(places)(
    '%s: %s fails, within its time, and the others are as before',
    async (_what, name, changes, told) => {
      const beganMs = performance.now();
      const examination = await expectCheck(examine(server, changes()), name, 'fail', new RegExp(told));
      expect(performance.now() - beganMs).toBeLessThan(15_000);
      const related = new Set([name, 'settings', 'base-address', 'certificate', 'clock', 'replication']);
      for (const { name: other, status } of examination.checks.filter((check) => !related.has(check.name))) {
        expect(`${other}: ${status}`).not.toBe(`${other}: fail`);
      }
    },
  );

  test.each([['no database', () => gone, 'refuses connections']])(
    '%s: said once, the other checks are skipped, and what is outside is still told',
    async (_what, port, told) => {
      const url = `postgres://trefoil_system:canary-hush@127.0.0.1:${port()}/trefoil`;
      const beganMs = performance.now();
      const changes = { TREFOIL_SYSTEM_DATABASE_URL: url, TREFOIL_DATABASE_URL: url };
      const examination = await expectCheck(examine(server, changes), 'database', 'fail', new RegExp(told));
      expect(performance.now() - beganMs).toBeLessThan(15_000);
      for (const name of ['schema', 'roles', 'grants', 'keys', 'ledger'])
        expect(checkOf(examination, name).status).toBe('skip');
      for (const name of OUTSIDE) expect(checkOf(examination, name).status).toBe('ok');
      expect(JSON.stringify(examination)).not.toContain('hush');
    },
  );

  test('no mail server is a warning; without live mode the providers are skipped', async () => {
    const { TREFOIL_BUREAUS: _b, TREFOIL_SCREENING: _s, TREFOIL_SMS: _c, ...rest } = server.environment;
    const examination = await expectCheck(
      examine({ environment: rest }, { TREFOIL_MAIL: '' }),
      'mail',
      'warn',
      'not set',
    );
    expect(checkOf(examination, 'providers').status).toBe('skip');
  });
});

test('it leaves nothing behind: no row, no mail, no message, no enquiry', async () => {
  const before = await countRows(server);
  await examine(server);
  expect(await countRows(server)).toEqual(before);
  for (const bureau of ['albion', 'beacon', 'cygnet', 'screening'] as const) {
    expect((await server.enquiries(bureau)).size).toBe(0);
  }
});

/** Values of the settings that must not be told: all but words that are no secrets. */
function secretsOf(environment: Record<string, string>): string[] {
  const names = Object.keys(environment).filter((name) =>
    /KEY|BUREAUS|SCREENING|SMS|MAIL|DATABASE_URL|REDIS_URL/.test(name),
  );
  const parts = names.flatMap((name) => [
    environment[name] ?? '',
    ...(environment[name]?.match(/[\w+/=-]{12,}/g) ?? []),
  ]);
  const { evidenceIds, harmless } = { evidenceIds: /"kid":"([^"]+)"/g, harmless: /^(trefoil|postgres|credentials)/ };
  const kids = names.flatMap((name) => [...(environment[name]?.matchAll(evidenceIds) ?? [])].map(([, kid]) => kid));
  return parts.filter((part) => part.length >= 12 && !harmless.test(part) && !kids.includes(part));
}

describe('a base address with TLS', () => {
  test.each([
    ['trusted, with 30 days left', 30, true, 'ok', 'ok', 'valid for 29 more days'],
    ['about to expire', 5, true, 'ok', 'warn', 'expires in 4 days'],
    ['expired', -1, true, 'fail', 'fail', 'expired'],
    ['of an authority that is not known here', 30, false, 'fail', 'fail', 'signed itself'],
  ])('a certificate %s', async (_what, days, isTrusted, address, certificate, told) => {
    const made = makeCertificate(days);
    const folder = mkdtempSync(join(tmpdir(), 'trefoil-authority-'));
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, made.cert);
    const proxy = createServer(made, (_request, response) => response.end('{"status":"ready"}')).listen(0, 'localhost');
    await once(proxy, 'listening');
    try {
      const { stdout } = await runProcess(['doctor', '--json'], {
        ...server.environment,
        ...(isTrusted && { NODE_EXTRA_CA_CERTS: authority }),
        TREFOIL_BASE_URL: `https://localhost:${(proxy.address() as AddressInfo).port}`,
      });
      const examination = JSON.parse(stdout) as Examination;
      expect(checkOf(examination, 'base-address').status).toBe(address);
      expect(checkOf(examination, 'certificate')).toMatchObject({ status: certificate });
      expect(checkOf(examination, 'certificate').reason).toContain(told);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('as a process', () => {
  test('everything accepts and is silent: every check has its result, all within one limit, and the process ends', async () => {
    const [http, https] = ['http', 'https'].map((scheme) => `${scheme}://127.0.0.1:${silent.port}`) as [string, string];
    const database = `postgres://trefoil_app:hush@127.0.0.1:${silent.port}/trefoil`;
    const { TREFOIL_OWNER_DATABASE_URL: _owner, ...environment } = server.environment;
    const beganMs = performance.now();
    const { code, stdout } = await runProcess(['doctor', '--json'], {
      ...environment,
      ...{ TREFOIL_DATABASE_URL: database, TREFOIL_SYSTEM_DATABASE_URL: database, TREFOIL_BASE_URL: https },
      ...{ ...mailAt(http.replace('http', 'smtp')), ...bureausAt(https) },
      TREFOIL_REDIS_URL: http.replace('http', 'redis'),
    });
    expect(performance.now() - beganMs).toBeLessThan(25_000);
    expect(code).toBe(1);
    const examination = JSON.parse(stdout) as Examination;
    for (const name of ['database', 'base-address', 'certificate', 'redis', 'mail', 'bureau-experian']) {
      const { status, reason, timeMs } = checkOf(examination, name);
      expect(`${name}: ${status}`).toBe(`${name}: fail`);
      expect(reason).toMatch(/not answer in time|no answer within/);
      // The mail server has the ten seconds that a mail gives it.
      expect(timeMs).toBeLessThan(name === 'mail' ? 15_000 : 10_000);
    }
    for (const name of ['bureau-equifax', 'carrier']) expect(checkOf(examination, name).status).toBe('ok');
    for (const name of ['schema', 'ledger', 'jobs']) expect(checkOf(examination, name).status).toBe('skip');
  });

  test('exit 0 when fit, 1 when not; nothing on standard error; no secret in either form', async () => {
    const canary = 'hush-canary-0123456789';
    const environment = {
      ...server.environment,
      TREFOIL_DATABASE_URL:
        server.environment['TREFOIL_DATABASE_URL']?.replace('trefoil_app', `trefoil_app:${canary}`) ?? '',
    };
    const fit = await runProcess(['doctor'], environment);
    expect({ code: fit.code, stderr: fit.stderr }).toEqual({ code: 0, stderr: '' });
    expect(fit.stdout).toMatch(/Fit: \d+ ok, \d+ warned, 0 failed, \d+ skipped\.\n$/);
    const redisUrl = `redis://user:${canary}@127.0.0.1:${gone}`;
    const mail = mailAt(`smtp://canary:${canary}@127.0.0.1:${gone}`);
    const changed = { ...environment, ...mail, TREFOIL_REDIS_URL: redisUrl };
    const text = await runProcess(['doctor'], changed);
    expect({ code: text.code, stderr: text.stderr }).toEqual({ code: 1, stderr: '' });
    expect(text.stdout).toContain('Failed: redis, mail.');
    for (const line of text.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const json = await runProcess(['doctor', '--json'], changed);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ isFit: false, counts: { fail: 2 } });
    for (const told of [fit.stdout, text.stdout, json.stdout]) {
      for (const secret of [...secretsOf(environment), canary])
        expect(told.includes(secret), secret.slice(0, 4)).toBe(false);
    }
  });

  test('settings that cannot be read are a result like others: exit 1, with their names and no value', async () => {
    const { TREFOIL_HASH_KEY: _key, ...environment } = server.environment;
    const { code, stdout } = await runProcess(['doctor', '--json'], { ...environment, TREFOIL_SMS: '{"hush":1}' });
    expect(code).toBe(1);
    const { isFit, checks } = JSON.parse(stdout) as { isFit: boolean; checks: { reason: string }[] };
    expect(isFit).toBe(false);
    expect(checks[0]?.reason).toContain('TREFOIL_HASH_KEY is missing');
  });
});

test('lines fit into a terminal of 80 columns, except for a word that is longer', async () => {
  const examination = await examine(server, { TREFOIL_NODES: '900' });
  for (const columns of [80, 100]) {
    for (const line of printExamination(examination, columns).split('\n'))
      expect(line.length).toBeLessThanOrEqual(columns);
  }
});
