// What a configuration would give away although every setting is well-formed
// (docs/decisions/0148-what-the-start-refuses.md).
import type { JWK } from 'jose';
import { type KeyServiceSettings, keyServiceAddress } from '../keys/open-key-service.ts';
import { hasRepeats, privateBytes } from '../lib/crypto/secret-keys.ts';
import type { RingKey } from '../lib/crypto/vault.ts';
import {
  EXCEPTIONS,
  type Exception,
  isPlainHttp,
  isPlainPostgres,
  isPlainRedis,
  isRemotePostgres,
  isThisMachine,
} from '../lib/values/plaintext.ts';
import type { Providers } from './parse-providers.ts';

export function parseExceptions(text: string): readonly Exception[] | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const known = EXCEPTIONS.filter((name) => names.includes(name));
  return known.length === new Set(names).size ? known : undefined;
}

/** Where a process would connect to or be reached at; undefined for what it does not use, or could not be read. */
type Addresses = Partial<
  Readonly<Record<'baseUrl' | 'ownerUrl' | 'appUrl' | 'systemUrl' | 'redisUrl', string | undefined>>
> & {
  readonly providers?: Providers | undefined;
  readonly keyService?: KeyServiceSettings | undefined;
  readonly traces?: { readonly baseUrl: string } | undefined;
  readonly exceptions: readonly Exception[] | undefined;
  /** NODE_TLS_REJECT_UNAUTHORIZED is set. */
  readonly isTlsUnverified: boolean;
};

/** What would leave this machine unencrypted, unless its exception is named. Settings that are missing are told elsewhere. */
export function plaintextFaults(config: Addresses, calledBy: (name: string) => string): string[] {
  const { bureaus, screening, sms } = config.providers ?? {};
  const { ownerUrl, appUrl, systemUrl } = config;
  const isPlain = (check: (address: string) => boolean, address: string | undefined) =>
    address !== undefined && check(address);
  const uses: [name: string, kind: Exception, isUsed: boolean, instead: string][] = [
    ['TREFOIL_BASE_URL', 'base-url', isPlain(isPlainHttp, config.baseUrl), 'use https'],
    ['TREFOIL_DATABASE_URL', 'database', isPlain(isPlainPostgres, appUrl), 'add sslmode=verify-full'],
    ['TREFOIL_SYSTEM_DATABASE_URL', 'database', isPlain(isPlainPostgres, systemUrl), 'add sslmode=verify-full'],
    ['TREFOIL_OWNER_DATABASE_URL', 'database', isPlain(isPlainPostgres, ownerUrl), 'add sslmode=verify-full'],
    ['TREFOIL_REDIS_URL', 'redis', isPlain(isPlainRedis, config.redisUrl), 'use rediss'],
    ['TREFOIL_BUREAUS', 'bureaus', Object.values(bureaus ?? {}).some((each) => isPlainHttp(each.baseUrl)), 'use https'],
    ['TREFOIL_SCREENING', 'screening', isPlain(isPlainHttp, screening?.baseUrl), 'use https'],
    ['TREFOIL_SMS', 'sms', isPlain(isPlainHttp, sms?.apiBaseUrl), 'use https'],
    [
      'TREFOIL_KEY_SERVICE',
      'key-service',
      isPlain(isPlainHttp, config.keyService && keyServiceAddress(config.keyService)),
      'use https',
    ],
    ['TREFOIL_TRACES', 'traces', isPlain(isPlainHttp, config.traces?.baseUrl), 'use https'],
    [
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'unverified-tls',
      config.isTlsUnverified,
      'unset it, and name your own authority in NODE_EXTRA_CA_CERTS',
    ],
  ];
  return uses.flatMap(([name, kind, isUsed, instead]) =>
    isUsed && !config.exceptions?.includes(kind)
      ? [
          `${calledBy(name)} is not safe beyond this machine: ${instead}, or allow it with TREFOIL_ALLOW_PLAINTEXT=${kind}`,
        ]
      : [],
  );
}

type Installation = 'TREFOIL_BASE_URL' | 'TREFOIL_OWNER_DATABASE_URL';

/** The setting that leads away from this machine. A process that does not need the base address may have none: then the database decides. */
export function findInstallation(baseUrl: string | undefined, ownerUrl = ''): Installation | undefined {
  if (baseUrl === undefined) return isRemotePostgres(ownerUrl) ? 'TREFOIL_OWNER_DATABASE_URL' : undefined;
  return isThisMachine(URL.parse(baseUrl)?.hostname ?? '') ? undefined : 'TREFOIL_BASE_URL';
}

type Development = {
  /** Undefined in development. */
  readonly installedBy: Installation | undefined;
  readonly webhookNetworks?: readonly string[] | undefined;
  readonly failpoint?: object | undefined;
  /** NODE_DEBUG is set. */
  readonly isNodeDebugged: boolean;
  /** Options of Node, from the command line and from NODE_OPTIONS. */
  readonly nodeOptions: readonly string[];
};

/** What only a service that serves this machine alone may have (docs/decisions/0267-what-is-for-development.md). */
export function developmentFaults({ installedBy, nodeOptions, ...config }: Development): string[] {
  if (installedBy === undefined) return [];
  // Node reads an underscore as a hyphen, and a value may follow the name.
  const has = (name: RegExp) => nodeOptions.some((option) => name.test(option.replaceAll('_', '-')));
  const uses: [name: string, isUsed: boolean, harm: string][] = [
    [
      'TREFOIL_WEBHOOK_ALLOWED_NETWORKS',
      (config.webhookNetworks ?? []).length > 0,
      'Tenants could reach what is inside your network',
    ],
    ['TREFOIL_FAILPOINT', config.failpoint !== undefined, 'The process would kill itself'],
    ['NODE_DEBUG', config.isNodeDebugged, 'Node would write requests with their secrets to standard error'],
    ['--inspect', has(/^--inspect(?![a-z])/), 'A debugger could read every key and run any code'],
    ['--insecure-http-parser', has(/^--insecure-http-parser\b/), 'One request could be read as two'],
    ['--tls-keylog', has(/^--tls-keylog\b/), 'Node would write the keys of its TLS connections to a file'],
  ];
  return uses.flatMap(([name, isUsed, harm]) =>
    isUsed
      ? [
          `${name} is for development only, where ${installedBy} is this machine: ${name.startsWith('--') ? 'take it out of the command line and NODE_OPTIONS' : 'unset it'}. ${harm}`,
        ]
      : [],
  );
}

type Keys = {
  readonly vaultKeys: readonly RingKey[] | undefined;
  readonly hashKeys: readonly RingKey[] | undefined;
  readonly retiredHashKeys: readonly RingKey[] | undefined;
  readonly signingKeys: readonly JWK[] | undefined;
  readonly evidenceKeys: readonly { readonly d: string | undefined }[] | undefined;
};

/** One key for two purposes ties their lives and their leaks together. */
export function keyFaults({ vaultKeys, hashKeys, retiredHashKeys, signingKeys, evidenceKeys }: Keys): string[] {
  const keys = [
    ...[...(vaultKeys ?? []), ...(hashKeys ?? []), ...(retiredHashKeys ?? [])].map(({ key }) => key),
    ...(signingKeys ?? []).map(privateBytes),
    ...(evidenceKeys ?? []).flatMap(({ d }) => (d === undefined ? [] : [privateBytes({ d })])),
  ];
  return hasRepeats(keys)
    ? [
        'TREFOIL_VAULT_KEYS, TREFOIL_HASH_KEY (or TREFOIL_HASH_KEYS and TREFOIL_RETIRED_HASH_KEYS), TREFOIL_SIGNING_KEYS ' +
          'and TREFOIL_EVIDENCE_KEYS hold one key twice: make one for each',
      ]
    : [];
}
