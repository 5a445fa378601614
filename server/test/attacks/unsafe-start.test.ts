// Configurations that would give secrets or people's data away: the start refuses each, names the setting and what to do,
// and prints no value (docs/decisions/0148-what-the-start-refuses.md).
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { createSecrets } from '../../../tools/dev/local-secrets.ts';
import { createApp } from '../../src/app.ts';
import { findStartFaults } from '../../src/check-start.ts';
import { ConfigError, loadConfig, loadMigration } from '../../src/config.ts';
import { createSecretSeal } from '../../src/identity/factors/seal-secret.ts';
import { createLog } from '../../src/lib/log.ts';
import { EXCEPTIONS } from '../../src/lib/values/plaintext.ts';
import { generateBody, startServer } from '../harness.ts';
import { runProcess } from '../support/command-line.ts';

const bureau = (adapter: string, credentials: object, changes: object = {}) => ({
  ...{ adapter, baseUrl: `https://${adapter}.example.com`, credentials },
  ...changes,
});
const bureaus = (changes: object = {}) =>
  JSON.stringify({
    equifax: bureau('albion', { username: 'user', password: 'canary-secret' }, changes),
    experian: bureau('beacon', { apiKey: 'canary-secret' }),
    transunion: bureau('cygnet', { clientId: 'client', clientSecret: 'canary-secret' }),
  });
const screening = (changes: object = {}) =>
  JSON.stringify({ baseUrl: 'https://screening.example.com', apiKey: 'canary-secret', ...changes });
const sms = (changes: object = {}) =>
  JSON.stringify({
    ...{ carrier: 'twilio', apiBaseUrl: 'https://carrier.example.com', accountSid: 'AC1' },
    ...{ authToken: 'canary-secret', from: '+447700900999', ...changes },
  });

const safe: Record<string, string> = {
  ...createSecrets(),
  TREFOIL_BASE_URL: 'https://api.example.com',
  TREFOIL_DATABASE_URL: 'postgres://trefoil_app:canary-secret@db.example.com/trefoil?sslmode=verify-full',
  TREFOIL_SYSTEM_DATABASE_URL: 'postgres://trefoil_system:canary-secret@db.example.com/trefoil?sslmode=verify-full',
  TREFOIL_REDIS_URL: 'rediss://:canary-secret@cache.example.com',
  TREFOIL_BUREAUS: bureaus(),
  TREFOIL_SCREENING: screening(),
  TREFOIL_SMS: sms(),
};

function refusalOf(changes: Record<string, string>, nodeArguments: readonly string[] = []): string | undefined {
  try {
    loadConfig({ ...safe, ...changes }, nodeArguments);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
}

test('the safe one is accepted', () => expect(refusalOf({})).toBeUndefined());

const remoteDatabase = 'postgres://trefoil_app:canary-secret@db.example.com/trefoil';
const plain: [what: string, kind: string, name: string, value: string][] = [
  ['a plain base address', 'base-url', 'TREFOIL_BASE_URL', 'http://api.example.com'],
  ['a database without TLS', 'database', 'TREFOIL_DATABASE_URL', remoteDatabase],
  ['a database without TLS for the look-ups', 'database', 'TREFOIL_SYSTEM_DATABASE_URL', remoteDatabase],
  ['a database without TLS for migrations', 'database', 'TREFOIL_OWNER_DATABASE_URL', remoteDatabase],
  ['a database that proves nothing', 'database', 'TREFOIL_DATABASE_URL', `${remoteDatabase}?sslmode=no-verify`],
  ['Redis without TLS', 'redis', 'TREFOIL_REDIS_URL', 'redis://:canary-secret@cache.example.com'],
  ['a plain bureau', 'bureaus', 'TREFOIL_BUREAUS', bureaus({ baseUrl: 'http://bureau.example.com' })],
  ['plain screening', 'screening', 'TREFOIL_SCREENING', screening({ baseUrl: 'http://screening.example.com' })],
  ['a plain carrier', 'sms', 'TREFOIL_SMS', sms({ apiBaseUrl: 'http://carrier.example.com' })],
  [
    'a plain collector',
    'traces',
    'TREFOIL_TRACES',
    '{"baseUrl":"http://otel.example.com:4318","headers":{"x":"canary-secret"}}',
  ],
  ['certificates that are not looked at', 'unverified-tls', 'NODE_TLS_REJECT_UNAUTHORIZED', '0'],
];

test.each(plain)('%s: refused, unless TREFOIL_ALLOW_PLAINTEXT names %s', (_what, kind, name, value) => {
  const refusal = refusalOf({ [name]: value });
  expect(refusal).toContain(`${name} is not safe`);
  expect(refusal).toContain(`TREFOIL_ALLOW_PLAINTEXT=${kind}`);
  expect(refusal).not.toContain('canary-secret');
  expect(refusalOf({ [name]: value, TREFOIL_ALLOW_PLAINTEXT: kind })).toBeUndefined();
  const other = kind === 'redis' ? 'database' : 'redis';
  expect(refusalOf({ [name]: value, TREFOIL_ALLOW_PLAINTEXT: other })).toContain(`${name} is not safe`);
});

test('several exceptions may be named, and none that is not known', () => {
  const changes = { TREFOIL_REDIS_URL: 'redis://cache.example.com', TREFOIL_DATABASE_URL: remoteDatabase };
  expect(refusalOf({ ...changes, TREFOIL_ALLOW_PLAINTEXT: 'database, redis' })).toBeUndefined();
  expect(refusalOf({ ...changes, TREFOIL_ALLOW_PLAINTEXT: 'all' })).toContain('TREFOIL_ALLOW_PLAINTEXT is not valid');
});

const random = () => randomBytes(32).toString('base64');
const zeros = Buffer.alloc(32).toString('base64');
const shared = random();
const [signing] = JSON.parse(safe['TREFOIL_SIGNING_KEYS'] ?? '[]') as { d: string }[];
const [evidence] = JSON.parse(safe['TREFOIL_EVIDENCE_KEYS'] ?? '[]') as { d: string }[];

const wrong: [what: string, names: string, changes: Record<string, string>][] = [
  ['a vault key of zeros', 'TREFOIL_VAULT_KEYS', { TREFOIL_VAULT_KEYS: `k:${zeros}` }],
  ['a zero key at the end of the ring', 'TREFOIL_VAULT_KEYS', { TREFOIL_VAULT_KEYS: `k:${random()},l:${zeros}` }],
  ['a hash key of zeros', 'TREFOIL_HASH_KEY', { TREFOIL_HASH_KEY: zeros }],
  ['a password as a key', 'TREFOIL_HASH_KEY', { TREFOIL_HASH_KEY: btoa('correct horse battery staple 123') }],
  ['one key twice in the ring', 'TREFOIL_VAULT_KEYS', { TREFOIL_VAULT_KEYS: `k:${shared},l:${shared}` }],
  ['one key for two purposes', 'TREFOIL_HASH_KEY', { TREFOIL_VAULT_KEYS: `k:${shared}`, TREFOIL_HASH_KEY: shared }],
  ['a hash ring with a key of zeros', 'TREFOIL_HASH_KEYS', { TREFOIL_HASH_KEYS: `k:${random()},l:${zeros}` }],
  ['a hash key and a hash ring', 'TREFOIL_HASH_KEYS and TREFOIL_HASH_KEY', { TREFOIL_HASH_KEYS: `k:${random()}` }],
  [
    'a retired key that is still in the ring',
    'TREFOIL_RETIRED_HASH_KEYS',
    { TREFOIL_HASH_KEY: shared, TREFOIL_RETIRED_HASH_KEYS: `k:${shared}` },
  ],
  ['a signing key that is the hash key', 'TREFOIL_HASH_KEY', { TREFOIL_HASH_KEY: signing?.d ?? '' }],
  [
    'a signing key of zeros',
    'TREFOIL_SIGNING_KEYS',
    { TREFOIL_SIGNING_KEYS: JSON.stringify([{ ...signing, d: Buffer.alloc(32).toString('base64url') }]) },
  ],
  ['an evidence key that is the hash key', 'TREFOIL_EVIDENCE_KEYS', { TREFOIL_HASH_KEY: evidence?.d ?? '' }],
  [
    'a revoked key that would sign evidence',
    'TREFOIL_EVIDENCE_KEYS',
    { TREFOIL_EVIDENCE_KEYS: JSON.stringify([{ ...evidence, revokedAt: '2026-03-01T00:00:00Z' }]) },
  ],
  ['everybody as a proxy', 'TREFOIL_TRUSTED_PROXIES', { TREFOIL_TRUSTED_PROXIES: '0.0.0.0/0' }],
  ['everybody as a proxy, in halves', 'TREFOIL_TRUSTED_PROXIES', { TREFOIL_TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' }],
  ['everybody as a proxy, in IPv6', 'TREFOIL_TRUSTED_PROXIES', { TREFOIL_TRUSTED_PROXIES: '::/0' }],
  ['all of IPv4 as IPv6', 'TREFOIL_TRUSTED_PROXIES', { TREFOIL_TRUSTED_PROXIES: '::ffff:0:0/96' }],
  ['everybody as a proxy of a tenant', 'TREFOIL_FINGERPRINT_PROXIES', { TREFOIL_FINGERPRINT_PROXIES: '0.0.0.0/0' }],
  ['a text as a number', 'TREFOIL_BUREAUS', { TREFOIL_BUREAUS: bureaus({ maxConcurrent: 'lots' }) }],
  ['a negative time', 'TREFOIL_BUREAUS', { TREFOIL_BUREAUS: bureaus({ timeoutMs: -1 }) }],
  [
    'a bureau without its password',
    'TREFOIL_BUREAUS',
    { TREFOIL_BUREAUS: bureaus({ credentials: { username: 'u' } }) },
  ],
  ['credentials that are a list', 'TREFOIL_BUREAUS', { TREFOIL_BUREAUS: bureaus({ credentials: ['u', 'p'] }) }],
  ['an adapter of no bureau', 'TREFOIL_BUREAUS', { TREFOIL_BUREAUS: bureaus({ adapter: 'constructor' }) }],
  [
    'a key of credentials that is misspelt',
    'TREFOIL_BUREAUS is not valid: /equifax/credentials/pasword is not known; did you mean password?',
    { TREFOIL_BUREAUS: bureaus({ credentials: { username: 'u', password: 'p', pasword: 'canary-secret' } }) },
  ],
  [
    'a key of credentials that is missing',
    'TREFOIL_BUREAUS is not valid: /equifax/credentials/password is missing',
    { TREFOIL_BUREAUS: bureaus({ credentials: { username: 'canary-secret' } }) },
  ],
  [
    'a bureau that is misspelt',
    'TREFOIL_BUREAUS is not valid: /equifx is not known; did you mean equifax?',
    { TREFOIL_BUREAUS: bureaus().replace('equifax', 'equifx') },
  ],
  [
    'no bureau at all',
    'TREFOIL_BUREAUS is not valid: it must be an object with at least one of',
    { TREFOIL_BUREAUS: '{}' },
  ],
  [
    'a bureau that is null',
    'TREFOIL_BUREAUS is not valid: /equifax/adapter is missing',
    { TREFOIL_BUREAUS: '{"equifax":null}' },
  ],
  [
    'a guard that is misspelt',
    'TREFOIL_SCREENING is not valid: /timeOutMs is not known; did you mean timeoutMs?',
    { TREFOIL_SCREENING: screening({ timeOutMs: 5 }) },
  ],
  [
    'a carrier without a sender',
    'TREFOIL_SMS is not valid: /from is missing',
    { TREFOIL_SMS: sms({ from: undefined }) },
  ],
  [
    'a carrier of no adapter',
    'TREFOIL_SMS is not valid: /carrier must be twilio',
    { TREFOIL_SMS: sms({ carrier: 'x' }) },
  ],
  [
    'a breaker that a carrier does not have',
    'TREFOIL_SMS is not valid: /breakAfter is not known',
    { TREFOIL_SMS: sms({ breakAfter: 5 }) },
  ],
  [
    'a mail server with a key too many',
    'TREFOIL_MAIL is not valid: /form is not known; did you mean from?',
    { TREFOIL_MAIL: '{"url":"smtp://canary-secret@mail.example.com","from":"a@example.com","form":"x"}' },
  ],
  ['half a place', 'TREFOIL_SCREENING', { TREFOIL_SCREENING: screening({ maxConcurrent: 0.5 }) }],
  ['a breaker of text', 'TREFOIL_SCREENING', { TREFOIL_SCREENING: screening({ breakAfter: '5' }) }],
  ['a time of null', 'TREFOIL_SMS', { TREFOIL_SMS: sms({ timeoutMs: null }) }],
  ['a second token that is a number', 'TREFOIL_SMS', { TREFOIL_SMS: sms({ previousAuthToken: 7 }) }],
  ['an address that is none', 'TREFOIL_HOST', { TREFOIL_HOST: 'http://127.0.0.1' }],
  ['an owner of no database', 'TREFOIL_OWNER_DATABASE_URL', { TREFOIL_OWNER_DATABASE_URL: 'mysql://db.example.com' }],
];

test.each(wrong)('%s: refused, and %s is named', (_what, name, changes) => {
  const refusal = refusalOf(changes);
  expect(refusal).toContain(name);
  for (const value of ['canary-secret', shared, ...Object.values(changes)]) expect(refusal).not.toContain(value);
});

test('on this machine nothing of it is needed, and an exception in use is warned about at the start', async () => {
  const server = await startServer({ environment: { TREFOIL_ALLOW_PLAINTEXT: 'redis' } });
  try {
    expect(server.logText()).toMatch(/"setting":"redis".*an unsafe setting is allowed/);
  } finally {
    await server.close();
  }
});

test('a ring that lacks a key which reports still need: refused, unless the key is said to be lost', async () => {
  const server = await startServer();
  const start = async (changes: Record<string, string>) => {
    const environment = { ...server.environment, TREFOIL_PORT: String(await freePort()), ...changes };
    const node = await createApp(loadConfig(environment), { logDestination: { write: () => undefined } });
    try {
      await node.listen();
      return 'started';
    } catch (error) {
      return error instanceof ConfigError ? error.message : error;
    } finally {
      await node.close();
    }
  };
  try {
    await server.trefoil.generate(generateBody());
    const [old, next] = [server.environment['TREFOIL_VAULT_KEYS'], `next:${random()}`];
    expect(await start({ TREFOIL_VAULT_KEYS: next })).toContain('TREFOIL_VAULT_KEYS lacks local-1');
    expect(await start({ TREFOIL_VAULT_KEYS: `${next},${old}` })).toBe('started');
    const allowed = { TREFOIL_VAULT_KEYS: next, TREFOIL_ALLOW_PLAINTEXT: 'missing-vault-keys' };
    expect(await start(allowed)).toBe('started');
  } finally {
    await server.close();
  }
});

test('nor one that a person needs for their authenticator app', async () => {
  const server = await startServer();
  try {
    const sealed = createSecretSeal([{ id: 'gone', key: randomBytes(32) }]).seal('totp', randomBytes(20));
    await server.query(
      `insert into user_totps (user_id, sealed_secret, confirmed_at, last_step)
       select owner_user_id, $2, now(), 0 from credentials where id = $1`,
      [server.demo.clientId, sealed],
    );
    const start = { database: server.database, now: () => new Date(), log: createLog('silent') };
    expect(await findStartFaults(start, server.config)).toEqual([
      expect.stringContaining('TREFOIL_VAULT_KEYS lacks gone'),
    ]);
  } finally {
    await server.close();
  }
});

test('receivers of webhooks inside a network are for development: only a service of this machine may have them', () => {
  const inside = { TREFOIL_WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8' };
  for (const exceptions of ['', EXCEPTIONS.join(',')]) {
    const refusal = refusalOf({ ...inside, TREFOIL_ALLOW_PLAINTEXT: exceptions });
    expect(refusal).toContain('TREFOIL_WEBHOOK_ALLOWED_NETWORKS is for development only');
    expect(refusal).not.toContain('10.0.0.0');
  }
  for (const name of ['localhost.example.com', '10.0.0.1', '127.0.0.1.example.com']) {
    expect(refusalOf({ ...inside, TREFOIL_BASE_URL: `https://${name}` })).toContain('for development only');
  }
  expect(refusalOf({ ...inside, TREFOIL_BASE_URL: 'http://localhost:8080' })).toBeUndefined();
});

const DEVELOPMENT: [what: string, name: string, changes: Record<string, string>, nodeArguments?: string[]][] = [
  ['a failpoint', 'TREFOIL_FAILPOINT', { TREFOIL_FAILPOINT: 'after-reserve:31' }],
  ['a debugger by NODE_OPTIONS', '--inspect', { NODE_OPTIONS: '--max-old-space-size=900 --inspect=0.0.0.0:9931' }],
  ['a debugger on the command line', '--inspect', {}, ['--inspect=0.0.0.0:9931']],
  ['a debugger that waits', '--inspect', {}, ['--inspect-brk']],
  ['a debugger in quotes', '--inspect', { NODE_OPTIONS: '"--inspect"' }],
  ['a lenient parser by NODE_OPTIONS', '--insecure-http-parser', { NODE_OPTIONS: '--insecure-http-parser' }],
  ['a lenient parser on the command line', '--insecure-http-parser', {}, ['--insecure_http_parser']],
  ['debug output of Node', 'NODE_DEBUG', { NODE_DEBUG: 'http,tls' }],
  ['keys of TLS by NODE_OPTIONS', '--tls-keylog', { NODE_OPTIONS: '--tls-keylog=/var/keylog' }],
  ['keys of TLS on the command line', '--tls-keylog', {}, ['--tls-keylog', '/var/keylog']],
];
test.each(DEVELOPMENT)(
  '%s: refused, %s is named, and only a service of this machine may have it',
  (_what, name, changes, nodeArguments) => {
    const refusal = refusalOf({ ...changes, TREFOIL_ALLOW_PLAINTEXT: EXCEPTIONS.join(',') }, nodeArguments);
    expect(refusal?.match(/^ .*/gm)).toEqual([expect.stringContaining(`${name} is for development only`)]);
    expect(refusal).not.toMatch(/after-reserve|9931|http,tls|keylog=|\/var/);
    expect(refusalOf({ ...changes, TREFOIL_BASE_URL: 'http://127.0.0.1:8080' }, nodeArguments)).toBeUndefined();
  },
);

test('options of Node that say nothing of this are accepted', () => {
  const options = ['--enable-source-maps', '--no-insecure-http-parser', '--title=--inspect'];
  expect(refusalOf({ NODE_OPTIONS: options.join(' '), NODE_DEBUG: '' }, options)).toBeUndefined();
});

const OWNER = 'postgres://trefoil_owner:canary-secret@db.example.com/trefoil?sslmode=verify-full';
const OWNER_HERE = 'postgres://trefoil_owner:canary-secret@127.0.0.1/trefoil';
const PLACES: [what: string, by: string | undefined, settings: Record<string, string>][] = [
  ['with a database elsewhere', 'TREFOIL_OWNER_DATABASE_URL', { TREFOIL_OWNER_DATABASE_URL: OWNER }],
  [
    'of a service elsewhere, through a proxy on this machine',
    'TREFOIL_BASE_URL',
    { TREFOIL_OWNER_DATABASE_URL: OWNER_HERE, TREFOIL_BASE_URL: 'https://api.example.com' },
  ],
  ['with a database here', undefined, { TREFOIL_OWNER_DATABASE_URL: OWNER_HERE }],
  ['of a service here', undefined, { TREFOIL_OWNER_DATABASE_URL: OWNER, TREFOIL_BASE_URL: 'http://127.0.0.1:8080' }],
];
test.each(PLACES)('migrate %s: what is for development is refused by %s', (_what, by, settings) => {
  const ofNode = DEVELOPMENT.filter(([, name]) => !name.startsWith('TREFOIL_'));
  expect(ofNode.length).toBeGreaterThan(5);
  for (const [, name, changes, nodeArguments] of ofNode) {
    const load = () => loadMigration({ ...settings, ...changes }, nodeArguments ?? []);
    if (by) expect(load).toThrow(`${name} is for development only, where ${by} is this machine`);
    else expect(load()).toMatchObject({ ownerUrl: settings['TREFOIL_OWNER_DATABASE_URL'] });
  }
  expect(() => loadMigration(settings, [])).not.toThrow();
});

test('a process looks at its own command line', async () => {
  const run = await runProcess(['tenant', 'list'], safe, ['--insecure-http-parser']);
  const refused = { code: 1, stderr: expect.stringContaining('--insecure-http-parser is for development') };
  expect(run).toMatchObject(refused);
  expect(
    await runProcess(['migrate'], { TREFOIL_OWNER_DATABASE_URL: OWNER }, ['--insecure-http-parser']),
  ).toMatchObject(refused);
});

test.each([0, 1, 2])(
  'a key that an address or a secret of a webhook endpoint needs must be in the ring (%i)',
  async (place) => {
    const server = await startServer();
    try {
      const known = createSecretSeal(server.config.vaultKeys);
      const gone = createSecretSeal([{ id: 'gone', key: randomBytes(32) }]);
      const sealed = [0, 1, 2].map((each) => (each === place ? gone : known).seal('webhook', randomBytes(20)));
      await server.query(
        `insert into webhook_endpoints (tenant_id, id, sealed_url, host, is_test, is_ordered, sealed_secret, sealed_old_secret,
                                      old_secret_until)
       values ($1, gen_random_uuid(), $2, '', true, false, $3, $4, now() + interval '1 hour')`,
        [server.demo.tenantId, ...sealed],
      );
      const start = { database: server.database, now: () => new Date(), log: createLog('silent') };
      const faults = async () => (await findStartFaults(start, server.config)).join(' ');
      expect(await faults()).toContain('TREFOIL_VAULT_KEYS lacks gone');
      await server.query(`update webhook_endpoints set old_secret_until = now() - interval '1 s'`);
      if (place === 2) expect(await faults()).not.toContain('TREFOIL_VAULT_KEYS');
    } finally {
      await server.close();
    }
  },
);
