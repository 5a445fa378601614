// The environment becomes one frozen Config here and nowhere else. A missing or wrong setting stops the process with
// its name; no value is ever printed, since many of them are secrets.
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JWK } from 'jose';
import {
  developmentFaults,
  findInstallation,
  keyFaults,
  parseExceptions,
  plaintextFaults,
} from './config/judge-safety.ts';
import {
  type Providers,
  parseBureaus,
  parseKeyService,
  parseLenders,
  parseMail,
  parseScreening,
  parseSms,
  parseTraces,
} from './config/parse-providers.ts';
import { createReader, type Environment, type Reader } from './config/read-settings.ts';
import type { UnknownSetting } from './config/settings.ts';
import { FAILPOINTS, type FailpointName } from './credit-reports/failpoints.ts';
import { type EvidenceRing, parseEvidenceKeys } from './evidence/evidence-keys.ts';
import type { ConnectionCaps } from './http/connections/connection-limits.ts';
import type { KeyServiceSettings } from './keys/open-key-service.ts';
import { type HashKey, type HashRing, parseHashKey, parseHashRing } from './lib/crypto/hash-ring.ts';
import { parseRing, parseSigningKeys } from './lib/crypto/secret-keys.ts';
import type { RingKey } from './lib/crypto/vault.ts';
import type { ArmedFailpoint } from './lib/failpoints.ts';
import { parseHost, parseInteger, parseOrigin, parseProxies, parseSwitch, parseUrl } from './lib/settings.ts';
import type { TraceSettings } from './lib/traces/open-traces.ts';
import { EXCEPTIONS, type Exception } from './lib/values/plaintext.ts';
import type { SmtpSettings } from './mail/smtp.ts';
import type { LenderRegistry } from './merge/explain-report.ts';

export type { Providers } from './config/parse-providers.ts';
export { ConfigError } from './config/read-settings.ts';
export { describeUnknown } from './config/settings.ts';

export type Config = {
  /** The public origin: token issuer and base of every address we print. */
  readonly baseUrl: string;
  /** The API reference's own origin; undefined: it is sandboxed on the public one. */
  readonly docsUrl: string | undefined;
  /** Where the built documentation site is; undefined: there is none, or it is off. */
  readonly siteFolder: string | undefined;
  /** Where the built console is; undefined: there is none, or it is off. */
  readonly consoleFolder: string | undefined;
  /** For how long browsers are told to come by https alone; 0: not at all. */
  readonly hstsSeconds: number;
  readonly host: string;
  readonly port: number;
  /** Connections of clients to one node. */
  readonly connections: ConnectionCaps;
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly database: {
    readonly ownerUrl: string | undefined;
    readonly appUrl: string;
    readonly systemUrl: string;
    readonly appConnections: number;
    readonly systemConnections: number;
    /** Whether the statements of one event-loop tick are one message. */
    readonly isGrouped: boolean;
  };
  /** Undefined: there is one node, which keeps the limits itself. */
  readonly redisUrl: string | undefined;
  readonly redisPrefix: string;
  /** How long a limit may wait for Redis before this node judges it alone. */
  readonly redisTimeoutMs: number;
  readonly nodes: number;
  readonly vaultKeys: readonly [RingKey, ...RingKey[]];
  /** Undefined: the ring wraps the data keys of reports, and there are no month keys. */
  readonly keyService: KeyServiceSettings | undefined;
  /** The first key derives codes, tokens and links; whatever is only compared is hashed under all of them. */
  readonly hashKeys: HashRing;
  /** Of rotations that are over: for look-ups of what is kept for long. */
  readonly retiredHashKeys: readonly HashKey[];
  readonly signingKeys: readonly [JWK, ...JWK[]];
  /** The first signs evidence; all are published. */
  readonly evidenceKeys: EvidenceRing;
  /** Believed on every route. */
  readonly trustedProxies: readonly string[];
  /** Proxies of tenants: believed on the routes of the fingerprint script alone. */
  readonly fingerprintProxies: readonly string[];
  /** Device sessions a second that one network may ask for, and scripts. */
  readonly collectionRate: number;
  /** Undefined: only test mode is open. */
  readonly providers: Providers | undefined;
  readonly lenders: LenderRegistry;
  /** A list of breached passwords; undefined: none is looked at. */
  readonly breachedPasswordsFile: string | undefined;
  /** Undefined: mails wait in the queue. */
  readonly mail: SmtpSettings | undefined;
  /** Undefined: traces are off. */
  readonly traces: TraceSettings | undefined;
  /** Networks that webhooks may be sent to besides the internet; development alone has any. */
  readonly webhookNetworks: readonly string[];
  /** Whether this process also runs the periodic jobs. */
  readonly runsJobs: boolean;
  /** For crash tests alone. */
  readonly failpoint: ArmedFailpoint<FailpointName> | undefined;
  /** What may leave this machine unencrypted; the start warns about each. */
  readonly exceptions: readonly Exception[];
  /** Variables that look like settings and are none; the start warns about each. */
  readonly unknownSettings: readonly UnknownSetting[];
  readonly logLevel: string;
  /** How long the process goes on taking requests after it was told to stop, while it reports not ready. */
  readonly drainMs: number;
  readonly shutdownMs: number;
};

type Migration = { readonly ownerUrl: string; readonly unknownSettings: readonly UnknownSetting[] };

const PROXIES = 'addresses or ranges, IPv4 no wider than /8 and IPv6 than /16';
const HASH_KEYS = 'id:base64 of 32 random bytes, comma-separated, no key twice';
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/** A year; two at most. */
const HSTS_SECONDS = 31_536_000;
const HSTS_SECONDS_MAX = 2 * HSTS_SECONDS;

/** Another host and not only another port: cookies do not tell ports apart. */
function parseOtherHost(text: string, baseUrl = ''): string | undefined {
  const origin = parseOrigin(text);
  return origin && URL.parse(origin)?.hostname !== URL.parse(baseUrl)?.hostname ? origin : undefined;
}

/** Where `npm run package` puts what was built. A checkout has neither folder: its tools name the built ones. */
const PACKAGED_SITE = fileURLToPath(new URL('../web/site', import.meta.url));
const PACKAGED_CONSOLE = fileURLToPath(new URL('../web/console', import.meta.url));

/** Only a folder that the operator named must hold something built. */
function parseBuilt(text: string): { readonly folder: string | undefined } | undefined {
  if (text === 'off') return { folder: undefined };
  if (existsSync(join(text, 'index.html'))) return { folder: text };
  return text === PACKAGED_SITE || text === PACKAGED_CONSOLE ? { folder: undefined } : undefined;
}

function parseRedis(text: string): { readonly url: string | undefined } | undefined {
  if (text === 'none') return { url: undefined };
  const url = parseUrl('redis:', 'rediss:')(text);
  return url === undefined ? undefined : { url };
}

function parseReadableFile(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch {
    return undefined;
  }
}

function parseFailpoint(text: string): ArmedFailpoint<FailpointName> | undefined {
  const [name, visit = '1'] = text.split(':', 2);
  const known = FAILPOINTS.find((each) => each === name);
  return known && /^[1-9]\d{0,8}$/.test(visit) ? { name: known, visit: Number(visit) } : undefined;
}

/** Live mode needs all three; one alone is a mistake and is told so. */
function readProviders({ isSet, read }: Reader): Providers | undefined {
  if (!(['TREFOIL_BUREAUS', 'TREFOIL_SCREENING', 'TREFOIL_SMS'] as const).some(isSet)) return undefined;
  return {
    bureaus: read('TREFOIL_BUREAUS', 'JSON: adapter, baseUrl and credentials of each bureau', undefined, parseBureaus),
    screening: read('TREFOIL_SCREENING', 'JSON: baseUrl and apiKey', undefined, parseScreening),
    sms: read('TREFOIL_SMS', 'JSON: carrier, apiBaseUrl, accountSid, authToken and from', undefined, parseSms),
  };
}

const postgres = parseUrl('postgres:', 'postgresql:');
const OWNER = 'postgres://… as the owner of the database';
const readExceptions = ({ read }: Reader) =>
  read('TREFOIL_ALLOW_PLAINTEXT', EXCEPTIONS.join(', '), ' ', parseExceptions);
const isTlsOff = (environment: Environment) => Boolean(environment['NODE_TLS_REJECT_UNAUTHORIZED']);

/** As Node splits them, but for a space inside quotes. */
const splitNodeOptions = (text = '') => text.replaceAll(/["\\]/g, '').split(/\s+/);

export function loadConfig(
  environment: Environment = process.env,
  nodeArguments: readonly string[] = process.execArgv,
): Config {
  const reader = createReader(environment);
  const { read, readOptional, textOf, isSet, unknownSettings } = reader;
  const config: Config = Object.freeze({
    baseUrl: read('TREFOIL_BASE_URL', 'the public origin, such as https://api.example.com', undefined, parseOrigin),
    docsUrl: readOptional('TREFOIL_DOCS_URL', 'an origin on a host other than that of TREFOIL_BASE_URL', (text) =>
      parseOtherHost(text, textOf('TREFOIL_BASE_URL')),
    ),
    siteFolder: read(
      'TREFOIL_SITE_FOLDER',
      'the folder of the built documentation site, or off',
      PACKAGED_SITE,
      parseBuilt,
    )?.folder,
    consoleFolder: read(
      'TREFOIL_CONSOLE_FOLDER',
      'the folder of the built console, or off',
      PACKAGED_CONSOLE,
      parseBuilt,
    )?.folder,
    hstsSeconds: read(
      'TREFOIL_HSTS',
      'seconds, or off',
      /^https:/i.test(textOf('TREFOIL_BASE_URL') ?? '') ? String(HSTS_SECONDS) : 'off',
      (text) => (text === 'off' ? 0 : parseInteger(1, HSTS_SECONDS_MAX)(text)),
    ),
    host: read('TREFOIL_HOST', 'the address to listen on', '127.0.0.1', parseHost),
    port: read('TREFOIL_PORT', 'a port', '8080', parseInteger(1, 65_535)),
    connections: Object.freeze({
      perAddress: read('TREFOIL_CONNECTIONS_PER_ADDRESS', '1 to 1000000', '500', parseInteger(1, 1_000_000)),
      inAll: read('TREFOIL_CONNECTIONS', '1 to 1000000', '10000', parseInteger(1, 1_000_000)),
    }),
    metricsHost: read('TREFOIL_METRICS_HOST', 'the address metrics listen on', '127.0.0.1', parseHost),
    metricsPort: read('TREFOIL_METRICS_PORT', 'a port, or 0 for any', '9090', parseInteger(0, 65_535)),
    database: Object.freeze({
      ownerUrl: readOptional('TREFOIL_OWNER_DATABASE_URL', OWNER, postgres),
      appUrl: read('TREFOIL_DATABASE_URL', 'postgres://… as the role trefoil_app', undefined, postgres),
      systemUrl: read('TREFOIL_SYSTEM_DATABASE_URL', 'postgres://… as the role trefoil_system', undefined, postgres),
      appConnections: read('TREFOIL_DATABASE_CONNECTIONS', '1 to 500', '20', parseInteger(1, 500)),
      systemConnections: read('TREFOIL_SYSTEM_DATABASE_CONNECTIONS', '1 to 100', '5', parseInteger(1, 100)),
      isGrouped: read('TREFOIL_DATABASE_GROUPING', 'on or off', 'on', parseSwitch),
    }),
    redisUrl: read('TREFOIL_REDIS_URL', 'redis://…, or none', undefined, parseRedis)?.url,
    redisTimeoutMs: read('TREFOIL_REDIS_TIMEOUT_MS', '10 to 10000', '100', parseInteger(10, 10_000)),
    redisPrefix: read('TREFOIL_REDIS_PREFIX', 'a prefix for keys', 'trefoil:', String),
    nodes: read('TREFOIL_NODES', 'how many API nodes run', '1', parseInteger(1, 1_000)),
    vaultKeys: read(
      'TREFOIL_VAULT_KEYS',
      'id:base64 of 32 random bytes, comma-separated, newest first, no key twice',
      undefined,
      parseRing,
    ),
    keyService: readOptional(
      'TREFOIL_KEY_SERVICE',
      'JSON: kind (file, aws-kms or vault-transit) and what that kind needs',
      parseKeyService,
    ),
    hashKeys: isSet('TREFOIL_HASH_KEYS')
      ? read('TREFOIL_HASH_KEYS', HASH_KEYS, undefined, parseHashRing)
      : read('TREFOIL_HASH_KEY', 'base64 of 32 random bytes, or id:base64', undefined, parseHashKey),
    retiredHashKeys: readOptional('TREFOIL_RETIRED_HASH_KEYS', HASH_KEYS, parseHashRing) ?? [],
    signingKeys: read(
      'TREFOIL_SIGNING_KEYS',
      'a JSON list of private EC P-256 keys, each with a kid',
      undefined,
      parseSigningKeys,
    ),
    evidenceKeys: read(
      'TREFOIL_EVIDENCE_KEYS',
      'a JSON list of Ed25519 keys, each with validFrom; the first one private, begun (validFrom), without validUntil and not revoked; no key twice',
      undefined,
      (text) => parseEvidenceKeys(text),
    ),
    trustedProxies: read('TREFOIL_TRUSTED_PROXIES', PROXIES, ' ', parseProxies),
    fingerprintProxies: read('TREFOIL_FINGERPRINT_PROXIES', PROXIES, ' ', parseProxies),
    collectionRate: read('TREFOIL_COLLECTION_RATE', 'requests a second', '50', parseInteger(1, 1_000_000)),
    providers: readProviders(reader),
    mail: readOptional('TREFOIL_MAIL', 'JSON: url (smtp://… or smtps://…) and from', parseMail),
    traces: readOptional('TREFOIL_TRACES', 'JSON: baseUrl of the collector', parseTraces),
    breachedPasswordsFile: readOptional(
      'TREFOIL_BREACHED_PASSWORDS_FILE',
      'the path of a file that can be read',
      parseReadableFile,
    ),
    lenders: read('TREFOIL_LENDERS_FILE', 'the path of a JSON list of lenders', ' ', parseLenders),
    webhookNetworks: read('TREFOIL_WEBHOOK_ALLOWED_NETWORKS', PROXIES, ' ', parseProxies),
    runsJobs: read('TREFOIL_JOBS', 'on or off', 'on', parseSwitch),
    failpoint: readOptional('TREFOIL_FAILPOINT', 'a name and a visit, such as after-reserve:3', parseFailpoint),
    exceptions: readExceptions(reader),
    unknownSettings,
    logLevel: read('TREFOIL_LOG_LEVEL', LOG_LEVELS.join(', '), 'info', (text) => LOG_LEVELS.find((l) => l === text)),
    drainMs: read('TREFOIL_DRAIN_MS', 'milliseconds', '0', parseInteger(0, 600_000)),
    shutdownMs: read('TREFOIL_SHUTDOWN_MS', 'milliseconds', '20000', parseInteger(0, 600_000)),
  });
  const isTlsUnverified = isTlsOff(environment);
  const addresses = { ...config, ...config.database, isTlsUnverified };
  const hasBoth = isSet('TREFOIL_HASH_KEYS') && isSet('TREFOIL_HASH_KEY');
  reader.finish([
    ...plaintextFaults(addresses, reader.calledBy),
    ...keyFaults(config),
    ...(textOf('TREFOIL_REDIS_URL') === 'none' && config.nodes > 1
      ? ['TREFOIL_REDIS_URL is none and TREFOIL_NODES is above 1: nodes share limits through Redis, so name one']
      : []),
    ...(hasBoth
      ? ['TREFOIL_HASH_KEYS and TREFOIL_HASH_KEY are both set: put the key into the ring and unset the other']
      : []),
    ...developmentFaults({
      ...config,
      ...nodeSettings(environment, nodeArguments),
      installedBy: findInstallation(config.baseUrl ?? ''),
    }),
  ]);
  return config;
}

const nodeSettings = (environment: Environment, nodeArguments: readonly string[]) => ({
  isNodeDebugged: Boolean(environment['NODE_DEBUG']),
  nodeOptions: [...nodeArguments, ...splitNodeOptions(environment['NODE_OPTIONS'])],
});

/** What `migrate` needs and nothing else: it runs where keys and providers have no business. */
export function loadMigration(
  environment: Environment = process.env,
  nodeArguments: readonly string[] = process.execArgv,
): Migration {
  const reader = createReader(environment);
  const { read, textOf, unknownSettings } = reader;
  const ownerUrl = read('TREFOIL_OWNER_DATABASE_URL', OWNER, undefined, postgres);
  const addresses = { ownerUrl, exceptions: readExceptions(reader), isTlsUnverified: isTlsOff(environment) };
  const installedBy = findInstallation(textOf('TREFOIL_BASE_URL'), ownerUrl);
  reader.finish([
    ...plaintextFaults(addresses, reader.calledBy),
    ...developmentFaults({ installedBy, ...nodeSettings(environment, nodeArguments) }),
  ]);
  return { ownerUrl, unknownSettings };
}

/** Where a developer's own PostgreSQL (as a superuser) and Redis are; the defaults fit compose.yaml. */
export function loadLocalServers(environment: Environment = process.env): { adminUrl: string; redisUrl: string } {
  return {
    adminUrl: environment['TREFOIL_ADMIN_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    redisUrl: environment['TREFOIL_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
  };
}
