// Names of settings: those that are not known, and secrets that come from files.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecrets } from '../../../tools/dev/local-secrets.ts';
import { ConfigError, loadConfig, loadMigration } from '../config.ts';

const secrets = createSecrets();
const complete: Record<string, string> = {
  ...secrets,
  TREFOIL_BASE_URL: 'https://api.example.com',
  TREFOIL_DATABASE_URL: 'postgres://trefoil_app@db.example.com/trefoil?sslmode=verify-full',
  TREFOIL_SYSTEM_DATABASE_URL: 'postgres://trefoil_system@db.example.com/trefoil?sslmode=verify-full',
  TREFOIL_REDIS_URL: 'rediss://cache.example.com',
};
const without = (name: string) => Object.fromEntries(Object.entries(complete).filter(([each]) => each !== name));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trefoil-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function keep(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function refusalOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
}

const VALUES: Record<string, string> = {
  ...complete,
  TREFOIL_RETIRED_HASH_KEYS: `old:${createSecrets()['TREFOIL_HASH_KEY']}`,
  TREFOIL_KEY_SERVICE: JSON.stringify({ kind: 'vault-transit', address: 'https://vault.example.com', token: 't' }),
  TREFOIL_OWNER_DATABASE_URL: 'postgres://owner@db.example.com/trefoil?sslmode=verify-full',
  TREFOIL_BUREAUS: JSON.stringify({
    equifax: { adapter: 'albion', baseUrl: 'https://a.example.com', credentials: { username: 'u', password: 'p' } },
    experian: { adapter: 'beacon', baseUrl: 'https://b.example.com', credentials: { apiKey: 'k' } },
    transunion: {
      adapter: 'cygnet',
      baseUrl: 'https://c.example.com',
      credentials: { clientId: 'c', clientSecret: 's' },
    },
  }),
  TREFOIL_SCREENING: JSON.stringify({ baseUrl: 'https://screening.example.com', apiKey: 'k' }),
  TREFOIL_SMS: JSON.stringify({
    ...{ carrier: 'twilio', apiBaseUrl: 'https://carrier.example.com', accountSid: 'AC1' },
    ...{ authToken: 't', from: '+447700900999' },
  }),
  TREFOIL_MAIL: JSON.stringify({ url: 'smtps://u:p@mail.example.com', from: 'no-reply@example.com' }),
  TREFOIL_TRACES: JSON.stringify({ baseUrl: 'https://otel.example.com', headers: { authorization: 'Bearer t' } }),
};

/** The ring in place of the one key: only one of the two may be set. */
const { TREFOIL_HASH_KEY: hashKey, ...others } = VALUES;
const WITH_RING: Record<string, string> = { ...others, TREFOIL_HASH_KEYS: `only:${hashKey}` };
const valuesWith = (name: string) => (name in VALUES ? VALUES : WITH_RING);

/** Every setting that the reference calls secret, or that may hold a password. */
const SECRETS = Object.keys({ ...VALUES, ...WITH_RING }).filter((name) => name !== 'TREFOIL_BASE_URL');

describe('secrets from files', () => {
  test('the reference calls no setting secret that cannot come from a file', () => {
    const reference = readFileSync(new URL('../../../docs/operate/configuration.md', import.meta.url), 'utf8');
    const rows = reference.split('\n').filter((line) => /^\| `TREFOIL_/.test(line) && /\*\*Secret\*\*|:…@/.test(line));
    expect(rows.length).toBeGreaterThan(8);
    for (const row of rows) expect(SECRETS).toContain(/TREFOIL_\w+/.exec(row)?.[0]);
  });

  test.each(SECRETS)('%s may be a file: its last line break is not part of it', (name) => {
    const { [name]: value = '', ...rest } = valuesWith(name);
    const expected = loadConfig(valuesWith(name));
    for (const ending of ['', '\n', '\r\n']) {
      expect(loadConfig({ ...rest, [`${name}_FILE`]: keep(name, value + ending) })).toEqual(expected);
    }
  });

  test('a link to the file is followed, as secrets are mounted; an empty variable counts as not set', () => {
    const link = join(folder, 'link');
    symlinkSync(keep('target', complete['TREFOIL_HASH_KEY'] ?? ''), link);
    const environment = { ...without('TREFOIL_HASH_KEY'), TREFOIL_HASH_KEY: '', TREFOIL_HASH_KEY_FILE: link };
    expect(loadConfig(environment).hashKeys).toEqual(loadConfig(complete).hashKeys);
    expect(refusalOf({ ...complete, TREFOIL_HASH_KEY_FILE: '' })).toBe('');
  });

  test('both set: refused, even if they agree', () => {
    const path = keep('both', complete['TREFOIL_HASH_KEY'] ?? '');
    const refusal = refusalOf({ ...complete, TREFOIL_HASH_KEY_FILE: path });
    expect(refusal).toContain('TREFOIL_HASH_KEY and TREFOIL_HASH_KEY_FILE are both set');
    expect(refusal).not.toContain('TREFOIL_HASH_KEY is missing');
  });

  const files: [what: string, make: () => string, told: string][] = [
    ['a file that is not there', () => join(folder, 'hush-none'), 'cannot be read (ENOENT)'],
    ['the secret itself instead of a path', () => 'hush-the-secret', 'cannot be read (ENOENT)'],
    ['a path with a zero byte in it', () => 'hush\0zero', 'cannot be read'],
    ['a folder', () => folder, 'is not a file'],
    ['an endless device', () => '/dev/zero', 'is not a file'],
    ['an empty file', () => keep('hush-empty', ''), 'is empty'],
    ['a file of a line break', () => keep('hush-newline', '\n'), 'is empty'],
    ['a huge file', () => keep('hush-huge', Buffer.alloc(1_000_001, 'x')), 'is larger than 1,000,000 bytes'],
    ['bytes that are no text', () => keep('hush-bytes', Buffer.from([0xff, 0xfe, 0xfd])), 'is not text'],
    ['a wrong value', () => keep('hush-wrong', 'hush'), 'is not valid'],
  ];
  test.each(files)(
    '%s: TREFOIL_HASH_KEY_FILE is named once, and neither path nor content is printed',
    (_what, make, told) => {
      const refusal = refusalOf({ ...without('TREFOIL_HASH_KEY'), TREFOIL_HASH_KEY_FILE: make() });
      expect(refusal).toContain(`TREFOIL_HASH_KEY_FILE ${told}`);
      expect(refusal.match(/TREFOIL_HASH_KEY/g)).toHaveLength(1);
      expect(refusal).not.toContain('hush');
      expect(refusal).not.toContain('/dev');
    },
  );

  test('a pipe does not make the start wait for somebody to write to it', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const environment = { ...without('TREFOIL_HASH_KEY'), TREFOIL_HASH_KEY_FILE: pipe };
    expect(refusalOf(environment)).toContain('TREFOIL_HASH_KEY_FILE is not a file');
  });

  test('the file of Redis may say none: for one node, and not for two', () => {
    const environment = { ...without('TREFOIL_REDIS_URL'), TREFOIL_REDIS_URL_FILE: keep('redis-url', 'none\n') };
    expect(loadConfig(environment).redisUrl).toBeUndefined();
    expect(refusalOf({ ...environment, TREFOIL_NODES: '2' })).toContain('TREFOIL_REDIS_URL is none');
  });

  test.skipIf(process.getuid?.() === 0)('a file that may not be read is named', () => {
    const path = keep('hush-closed', 'x');
    chmodSync(path, 0);
    const environment = { ...without('TREFOIL_HASH_KEY'), TREFOIL_HASH_KEY_FILE: path };
    expect(refusalOf(environment)).toContain('TREFOIL_HASH_KEY_FILE cannot be read (EACCES)');
  });

  test('migrate looks at the file of the owner and at no other', () => {
    const path = keep('owner', VALUES['TREFOIL_OWNER_DATABASE_URL'] ?? '');
    const environment = { TREFOIL_OWNER_DATABASE_URL_FILE: path, TREFOIL_HASH_KEY_FILE: join(folder, 'none') };
    expect(loadMigration(environment).ownerUrl).toBe(VALUES['TREFOIL_OWNER_DATABASE_URL']);
  });

  test('a plain address from a file is refused by the name of the file', () => {
    const path = keep('plain', 'redis://:hush@cache.example.com');
    const refusal = refusalOf({ ...without('TREFOIL_REDIS_URL'), TREFOIL_REDIS_URL_FILE: path });
    expect(refusal).toContain('TREFOIL_REDIS_URL_FILE is not safe');
    expect(refusal).not.toContain('hush');
  });
});

describe('settings that are not known', () => {
  const unknownOf = (more: Record<string, string>) => loadConfig({ ...complete, ...more }).unknownSettings;

  test('each is told with the nearest known name, if one is near', () => {
    expect(
      unknownOf({ TREFOIL_TRUSTED_PROXY: 'x', TREFOIL_HASH_KEY_FLIE: 'x', TREFOIL_ZEBRA: 'x', PORT: '1' }),
    ).toEqual([
      { setting: 'TREFOIL_HASH_KEY_FLIE', nearest: 'TREFOIL_HASH_KEY_FILE' },
      { setting: 'TREFOIL_TRUSTED_PROXY', nearest: 'TREFOIL_TRUSTED_PROXIES' },
      { setting: 'TREFOIL_ZEBRA', nearest: undefined },
    ]);
  });

  test('every variable of the reference is known, and those of development', () => {
    const reference = readFileSync(new URL('../../../docs/operate/configuration.md', import.meta.url), 'utf8');
    const rows = reference.matchAll(/^\| `(TREFOIL_\w+)`/gm);
    const names = [...new Set([...rows].map(([, name = '']) => name)), 'TREFOIL_ADMIN_DATABASE_URL'];
    expect(names.length).toBeGreaterThan(35);
    // Empty values are as good as none for the reading, and still names for this.
    expect(unknownOf(Object.fromEntries(names.filter((name) => !complete[name]).map((name) => [name, ''])))).toEqual(
      [],
    );
  });

  test('a mistyped name of a missing setting is told beside it', () => {
    const { TREFOIL_HASH_KEY: key = '', ...rest } = complete;
    const refusal = refusalOf({ ...rest, TREFOIL_HASHKEY: key });
    expect(refusal).toContain('TREFOIL_HASH_KEY is missing');
    expect(refusal).toContain('TREFOIL_HASHKEY is not a known setting and is ignored. Did you mean TREFOIL_HASH_KEY?');
    expect(refusal).not.toContain(key);
  });

  test('a flood of names is told in part, and a name cannot bring control characters or a page of text', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`TREFOIL_X${index}`, '']));
    expect(unknownOf(many)).toHaveLength(20);
    const [strange] = unknownOf({ [`TREFOIL_\u001b[2J${'x'.repeat(5_000)}`]: '' });
    expect(strange?.setting).toMatch(/^TREFOIL_\?\[2Jx+…$/);
    expect(strange?.setting.length).toBeLessThan(100);
  });
});
