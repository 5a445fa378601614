import { expect, test } from 'vitest';
import { createSecrets } from '../../tools/local-secrets.ts';
import { ConfigError, loadConfig } from './config.ts';

const complete: Record<string, string> = {
  ...createSecrets(),
  TREFOIL_BASE_URL: 'https://api.example.com',
  TREFOIL_DATABASE_URL: 'postgres://trefoil_app@db.example.com/trefoil',
  TREFOIL_SYSTEM_DATABASE_URL: 'postgres://trefoil_system@db.example.com/trefoil',
  TREFOIL_REDIS_URL: 'redis://cache.example.com',
};

test('a complete environment gives a frozen configuration with defaults', () => {
  const config = loadConfig(complete);
  expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', nodes: 1, logLevel: 'info', trustedProxies: [] });
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
  ['TREFOIL_SIGNING_KEYS', '[]'],
  ['TREFOIL_SIGNING_KEYS', '[{"kty":"RSA","kid":"secret-value"}]'],
  ['TREFOIL_SIGNING_KEYS', 'secret-value'],
  ['TREFOIL_TRUSTED_PROXIES', 'proxy.example.com'],
  ['TREFOIL_TRUSTED_PROXIES', '10.0.0.0/99'],
  ['TREFOIL_LOG_LEVEL', 'loud'],
  ['TREFOIL_MAIL', 'secret-value'],
  ['TREFOIL_MAIL', '{"url":"http://secret-value","from":"no-reply@example.com"}'],
  ['TREFOIL_MAIL', '{"url":"smtp://secret-value@mail.example.com"}'],
  ['TREFOIL_MAIL', '{"url":"smtp://mail.example.com","from":"Trefoil <secret-value>"}'],
  ['TREFOIL_MAIL', '{"url":"smtp://mail.example.com","from":"a@example.com, b@example.com"}'],
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

test('the sender of mails may have a name', () => {
  const mailOf = (from: string) =>
    loadConfig({ ...complete, TREFOIL_MAIL: JSON.stringify({ url: 'smtps://u:p@mail.example.com', from }) }).mail?.from;
  expect(mailOf('Trefoil <no-reply@example.com>')).toEqual({ name: 'Trefoil', address: 'no-reply@example.com' });
  expect(mailOf('no-reply@example.com')).toEqual({ name: '', address: 'no-reply@example.com' });
  expect(loadConfig(complete).mail).toBeUndefined();
});
