import { expect, test } from 'vitest';
import { createSecrets } from '../../tools/dev/local-secrets.ts';
import { ConfigError, loadConfig } from './config.ts';

const complete: Record<string, string> = {
  ...createSecrets(),
  TREFOIL_BASE_URL: 'https://api.example.com',
  TREFOIL_DATABASE_URL: 'postgres://trefoil_app@db.example.com/trefoil?sslmode=verify-full',
  TREFOIL_SYSTEM_DATABASE_URL: 'postgres://trefoil_system@db.example.com/trefoil?sslmode=verify-full',
  TREFOIL_REDIS_URL: 'rediss://cache.example.com',
};

test('a complete environment gives a frozen configuration with defaults', () => {
  const config = loadConfig(complete);
  expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', nodes: 1, logLevel: 'info', trustedProxies: [] });
  expect(config.redisTimeoutMs).toBe(100);
  expect(Object.isFrozen(config)).toBe(true);
});

test('an empty environment names everything that is missing at once', () => {
  const names = Object.keys(complete);
  expect.assertions(names.length + 1);
  try {
    loadConfig({});
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    for (const name of names) expect((error as Error).message).toContain(`${name} is missing`);
  }
});

const wrong: [string, string][] = [
  ['TREFOIL_BASE_URL', 'https://api.example.com/path'],
  ['TREFOIL_BASE_URL', 'ftp://api.example.com'],
  ['TREFOIL_PORT', '70000'],
  ['TREFOIL_PORT', 'eighty'],
  ['TREFOIL_DATABASE_URL', 'mysql://secret-value@db'],
  ['TREFOIL_REDIS_URL', 'http://secret-value'],
  ['TREFOIL_VAULT_KEYS', 'k1:secret-value'],
  ['TREFOIL_VAULT_KEYS', `${complete['TREFOIL_VAULT_KEYS']},${complete['TREFOIL_VAULT_KEYS']}`],
  ['TREFOIL_HASH_KEY', 'secret-value'],
  ['TREFOIL_HASH_KEYS', 'k1:secret-value'],
  ['TREFOIL_RETIRED_HASH_KEYS', 'k1:secret-value'],
  ['TREFOIL_SIGNING_KEYS', '[]'],
  ['TREFOIL_SIGNING_KEYS', '[{"kty":"RSA","kid":"secret-value"}]'],
  ['TREFOIL_SIGNING_KEYS', 'secret-value'],
  ['TREFOIL_EVIDENCE_KEYS', '[]'],
  ['TREFOIL_EVIDENCE_KEYS', 'secret-value'],
  ['TREFOIL_EVIDENCE_KEYS', '[{"kty":"OKP","crv":"Ed25519","x":"secret-value"}]'],
  ['TREFOIL_TRUSTED_PROXIES', 'proxy.example.com'],
  ['TREFOIL_TRUSTED_PROXIES', '10.0.0.0/99'],
  ['TREFOIL_LOG_LEVEL', 'loud'],
  ['TREFOIL_WEBHOOK_ALLOWED_NETWORKS', 'secret-value.example.com'],
  ['TREFOIL_WEBHOOK_ALLOWED_NETWORKS', '0.0.0.0/0'],
  ['TREFOIL_DATABASE_GROUPING', 'maybe'],
  ['TREFOIL_HSTS', 'yes'],
  ['TREFOIL_HSTS', '0'],
  ['TREFOIL_DOCS_URL', 'https://docs.example.com/secret-value'],
  // The same host: cookies do not tell ports apart.
  ['TREFOIL_DOCS_URL', 'https://api.example.com:8443'],
  ['TREFOIL_MAIL', 'secret-value'],
  ['TREFOIL_MAIL', '{"url":"http://secret-value","from":"no-reply@example.com"}'],
  ['TREFOIL_MAIL', '{"url":"smtp://secret-value@mail.example.com"}'],
  ['TREFOIL_MAIL', '{"url":"smtp://mail.example.com","from":"Trefoil <secret-value>"}'],
  ['TREFOIL_MAIL', '{"url":"smtp://mail.example.com","from":"a@example.com, b@example.com"}'],
  ['TREFOIL_KEY_SERVICE', 'secret-value'],
  ['TREFOIL_KEY_SERVICE', '{"kind":"secret-value"}'],
  ['TREFOIL_KEY_SERVICE', '{"kind":"file"}'],
  ['TREFOIL_KEY_SERVICE', '{"kind":"aws-kms","region":"eu-west-2","accessKeyId":"secret-value"}'],
  ['TREFOIL_KEY_SERVICE', '{"kind":"vault-transit","address":"https://vault.example.com"}'],
  [
    'TREFOIL_KEY_SERVICE',
    '{"kind":"vault-transit","address":"https://vault.example.com","token":"secret-value","keyPrefix":"../"}',
  ],
  ['TREFOIL_KEY_SERVICE', '{"kind":"file","folder":"/secret-value","cacheSeconds":1}'],
  ['TREFOIL_KEY_SERVICE', '{"kind":"file","folder":"/secret-value","wrapBy":"secret-value"}'],
  ['TREFOIL_TRACES', 'secret-value'],
  ['TREFOIL_TRACES', '{"ratio":0.1}'],
  ['TREFOIL_TRACES', '{"baseUrl":"ftp://secret-value"}'],
  ['TREFOIL_TRACES', '{"baseUrl":"https://otel.example.com","ratio":1.5}'],
  ['TREFOIL_TRACES', '{"baseUrl":"https://otel.example.com","ratio":"secret-value"}'],
  ['TREFOIL_TRACES', '{"baseUrl":"https://otel.example.com","headers":{"x":"secret-value\\r\\ny: z"}}'],
  ['TREFOIL_TRACES', '{"baseUrl":"https://otel.example.com","headers":{"x y":"secret-value"}}'],
  ['TREFOIL_TRACES', '{"baseUrl":"https://otel.example.com","callers":"secret-value"}'],
  ['TREFOIL_TRACES', '{"baseUrl":"https://otel.example.com","sendTo":["secret-value"]}'],
];
for (const [name, value] of wrong) {
  test(`${name} with a wrong value (${value.slice(0, 20)}…) is named and its value is not printed`, () => {
    expect.assertions(2);
    try {
      loadConfig({ ...complete, [name]: value });
    } catch (error) {
      expect((error as Error).message).toContain(`${name} is not valid`);
      expect((error as Error).message).not.toContain('secret-value');
    }
  });
}

test('traces are off unless told, and may say who is sent the header', () => {
  expect(loadConfig(complete).traces).toBeUndefined();
  const traces = { baseUrl: 'https://otel.example.com', ratio: 0.5, callers: 'continue', sendTo: ['webhooks'] };
  expect(loadConfig({ ...complete, TREFOIL_TRACES: JSON.stringify(traces) }).traces).toEqual(traces);
});

test('statements are grouped unless told otherwise', () => {
  expect(loadConfig(complete).database.isGrouped).toBe(true);
  expect(loadConfig({ ...complete, TREFOIL_DATABASE_GROUPING: 'off' }).database.isGrouped).toBe(false);
});

test('the sender of mails may have a name', () => {
  const mailOf = (from: string) =>
    loadConfig({ ...complete, TREFOIL_MAIL: JSON.stringify({ url: 'smtps://u:p@mail.example.com', from }) }).mail?.from;
  expect(mailOf('Trefoil <no-reply@example.com>')).toEqual({ name: 'Trefoil', address: 'no-reply@example.com' });
  expect(mailOf('no-reply@example.com')).toEqual({ name: '', address: 'no-reply@example.com' });
  expect(loadConfig(complete).mail).toBeUndefined();
});

test('a deployment may have one or two of the three bureaus', () => {
  const bureaus = {
    experian: { adapter: 'beacon', baseUrl: 'https://b.example.com', credentials: { apiKey: 'k' }, timeoutMs: 9_000 },
  };
  const { providers } = loadConfig({
    ...complete,
    TREFOIL_BUREAUS: JSON.stringify(bureaus),
    TREFOIL_SCREENING: JSON.stringify({ baseUrl: 'https://screening.example.com', apiKey: 'k' }),
    TREFOIL_SMS: JSON.stringify({
      ...{ carrier: 'twilio', apiBaseUrl: 'https://carrier.example.com', accountSid: 'AC1' },
      ...{ authToken: 't', messagingServiceSid: 'MG1' },
    }),
  });
  expect(providers?.bureaus).toEqual({ experian: { ...bureaus.experian, maxConcurrent: 50 } });
});

test('browsers are told to come by https alone where the base address is https, unless told otherwise', () => {
  const of = (changes: Record<string, string>) => loadConfig({ ...complete, ...changes }).hstsSeconds;
  expect(of({})).toBe(31_536_000);
  expect(of({ TREFOIL_HSTS: '300' })).toBe(300);
  expect(of({ TREFOIL_HSTS: 'off' })).toBe(0);
  expect(of({ TREFOIL_BASE_URL: 'http://127.0.0.1:8080' })).toBe(0);
});

const KEY_SERVICES: [string, object][] = [
  ['a folder', { kind: 'file', folder: '/var/lib/trefoil/month-keys', cacheSeconds: 600, destroyMonths: true }],
  ['AWS KMS', { kind: 'aws-kms', region: 'eu-west-2', accessKeyId: 'a', secretAccessKey: 's', pendingDays: 30 }],
  ['Vault by a token', { kind: 'vault-transit', address: 'https://vault.example.com', token: 't', wrapBy: 'ring' }],
  [
    'Vault by a role',
    { kind: 'vault-transit', address: 'https://v.example.com', appRole: { roleId: 'r', secretId: 's' } },
  ],
  ['Vault on this machine', { kind: 'vault-transit', address: 'http://127.0.0.1:8200', token: 't' }],
];
test.each(KEY_SERVICES)('%s is a key service', (_name, settings) => {
  const environment = { ...complete, TREFOIL_KEY_SERVICE: JSON.stringify(settings) };
  expect(loadConfig(environment).keyService).toEqual(settings);
});

test('without TREFOIL_KEY_SERVICE there is none, and plain http to one needs its exception', () => {
  expect(loadConfig(complete).keyService).toBeUndefined();
  const plain = { kind: 'vault-transit', address: 'http://vault.example.com', token: 't' };
  const environment = { ...complete, TREFOIL_KEY_SERVICE: JSON.stringify(plain) };
  expect(() => loadConfig(environment)).toThrow('TREFOIL_ALLOW_PLAINTEXT=key-service');
  expect(loadConfig({ ...environment, TREFOIL_ALLOW_PLAINTEXT: 'key-service' }).keyService).toEqual(plain);
});

test('a single node may do without Redis; two may not', () => {
  const environment = { ...complete, TREFOIL_REDIS_URL: 'none' };
  expect(loadConfig(environment).redisUrl).toBeUndefined();
  expect(() => loadConfig({ ...environment, TREFOIL_NODES: '2' })).toThrow(
    /TREFOIL_REDIS_URL is none and TREFOIL_NODES/,
  );
});
