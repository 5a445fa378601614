// The environment becomes one frozen Config here and nowhere else. A missing or wrong setting stops the process with
// its name; no value is ever printed, since many of them are secrets.
import { accessSync, constants, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { BUREAUS } from '@trefoil/contract';
import type { JWK } from 'jose';
import type { BureausConfig } from './bureaus/registry.ts';
import type { LenderRegistry } from './credit-reports/explain-report.ts';
import { isEmail } from './lib/email.ts';
import { type ArmedFailpoint, FAILPOINTS } from './lib/failpoints.ts';
import type { RingKey } from './lib/vault.ts';
import type { SmtpSettings } from './mail/smtp.ts';
import type { HttpScreeningOptions } from './screening/http-screening.ts';
import type { TwilioSettings } from './sms/twilio.ts';

/** The other companies that live mode needs. All of them or none. */
export type Providers = {
  readonly bureaus: BureausConfig;
  readonly screening: HttpScreeningOptions;
  readonly sms: Omit<TwilioSettings, 'callbackBaseUrl'>;
};

export type Config = {
  /** The public origin: token issuer and base of every address we print. */
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly database: {
    readonly ownerUrl: string | undefined;
    readonly appUrl: string;
    readonly systemUrl: string;
    readonly appConnections: number;
    readonly systemConnections: number;
  };
  readonly redisUrl: string;
  readonly redisPrefix: string;
  /** How long a limit may wait for Redis before this node judges it alone. */
  readonly redisTimeoutMs: number;
  readonly nodes: number;
  readonly vaultKeys: readonly [RingKey, ...RingKey[]];
  readonly hashKey: Buffer;
  readonly signingKeys: readonly [JWK, ...JWK[]];
  readonly trustedProxies: readonly string[];
  /** Device sessions a second that one network may ask for, and scripts. */
  readonly collectionRate: number;
  /** Undefined: only test mode is open. */
  readonly providers: Providers | undefined;
  readonly lenders: LenderRegistry;
  /** A list of breached passwords; undefined: none is looked at. */
  readonly breachedPasswordsFile: string | undefined;
  /** Undefined: mails wait in the queue. */
  readonly mail: SmtpSettings | undefined;
  /** Whether this process also runs the periodic jobs. */
  readonly runsJobs: boolean;
  /** For crash tests alone. */
  readonly failpoint: ArmedFailpoint | undefined;
  readonly logLevel: string;
  /** How long the process goes on taking requests after it was told to stop, while it reports not ready. */
  readonly drainMs: number;
  readonly shutdownMs: number;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    const list = faults.map((fault) => `  ${fault}`).join('\n');
    super(`The configuration is not complete (docs/operate/configuration.md explains it):\n${list}`);
    this.name = 'ConfigError';
  }
}

const KEY_BYTES = 32;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/** Collects every fault, so that an operator corrects them in one go. */
function createReader(environment: Environment) {
  const faults: string[] = [];
  function read<T>(
    name: string,
    expected: string,
    fallback: string | undefined,
    parse: (text: string) => T | undefined,
  ) {
    const text = environment[name] || fallback;
    const value = text === undefined ? undefined : parse(text);
    if (value === undefined) faults.push(`${name} ${text === undefined ? 'is missing' : 'is not valid'}: ${expected}`);
    // The faults stop the start before this value can be used.
    return value as T;
  }
  return { read, faults };
}

function parseUrl(...protocols: string[]) {
  return (text: string) => (protocols.includes(URL.parse(text)?.protocol ?? '') ? text : undefined);
}

function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '') ? url.origin : undefined;
}

function parseInteger(min: number, max: number) {
  return (text: string) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

function parseKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : undefined;
}

function parseRing(text: string): readonly [RingKey, ...RingKey[]] | undefined {
  const ring = text.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.split(':', 2);
    const key = parseKey(encoded);
    return /^[\w.-]{1,64}$/.test(id) && key ? { id, key } : undefined;
  });
  if (ring.some((entry) => !entry) || new Set(ring.map((entry) => entry?.id)).size !== ring.length) return undefined;
  return ring as unknown as readonly [RingKey, ...RingKey[]];
}

function parseSigningKeys(text: string): readonly [JWK, ...JWK[]] | undefined {
  try {
    const keys: unknown = JSON.parse(text);
    const isKey = (key: JWK) => key?.kty === 'EC' && key.crv === 'P-256' && key.kid && key.x && key.y && key.d;
    return Array.isArray(keys) && keys.length > 0 && keys.every(isKey) ? (keys as [JWK, ...JWK[]]) : undefined;
  } catch {
    return undefined;
  }
}

function parseProxies(text: string): string[] | undefined {
  const proxies = text.split(',').filter(Boolean);
  const isRange = (proxy: string) => {
    const [address = '', prefix] = proxy.split('/', 2);
    const bits = isIP(address) === 6 ? 128 : 32;
    return isIP(address) !== 0 && (prefix === undefined || parseInteger(0, bits)(prefix) !== undefined);
  };
  return proxies.every(isRange) ? proxies : undefined;
}

const BUREAU_TIMEOUT_MS = 14_000;
const BUREAU_CONCURRENT_MAX = 50;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isHttp = (value: unknown) => typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '');
const isText = (value: unknown) => typeof value === 'string' && value !== '';

function parseBureaus(text: string): BureausConfig | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const isBureau = (bureau: unknown) =>
    isObject(bureau) &&
    ['albion', 'beacon', 'cygnet'].includes(String(bureau['adapter'])) &&
    isHttp(bureau['baseUrl']) &&
    isObject(bureau['credentials']);
  if (!BUREAUS.every((bureau) => isBureau(value[bureau]))) return undefined;
  const withDefaults = BUREAUS.map((bureau) => [
    bureau,
    { timeoutMs: BUREAU_TIMEOUT_MS, maxConcurrent: BUREAU_CONCURRENT_MAX, ...(value[bureau] as object) },
  ]);
  return Object.fromEntries(withDefaults) as BureausConfig;
}

function parseScreening(text: string): HttpScreeningOptions | undefined {
  const value = parseJson(text);
  const isComplete = isObject(value) && isHttp(value['baseUrl']) && isText(value['apiKey']);
  return isComplete ? (value as HttpScreeningOptions) : undefined;
}

function parseSms(text: string): Providers['sms'] | undefined {
  const value = parseJson(text);
  const isComplete =
    isObject(value) &&
    value['carrier'] === 'twilio' &&
    isHttp(value['apiBaseUrl']) &&
    isText(value['accountSid']) &&
    isText(value['authToken']) &&
    (isText(value['from']) || isText(value['messagingServiceSid']));
  return isComplete ? (value as Providers['sms']) : undefined;
}

function parseMail(text: string): SmtpSettings | undefined {
  const value = parseJson(text);
  if (!isObject(value) || typeof value['url'] !== 'string' || typeof value['from'] !== 'string') return undefined;
  const { protocol = '', hostname = '' } = URL.parse(value['url']) ?? {};
  const [, name = '', inBrackets, alone] = /^(?:([^<>]*)<([^<>]+)>|([^<>]+))$/.exec(value['from']) ?? [];
  const address = inBrackets ?? alone ?? '';
  const isComplete = /^smtps?:$/.test(protocol) && hostname !== '' && isEmail(address);
  return isComplete ? { url: value['url'], from: { name: name.trim(), address } } : undefined;
}

function parseLenders(path: string): LenderRegistry | undefined {
  if (path.trim() === '') return [];
  try {
    const value = parseJson(readFileSync(path, 'utf8'));
    const isLender = (lender: unknown) =>
      isObject(lender) &&
      ['id', 'trading', 'legal', 'companyType'].every((field) => isText(lender[field])) &&
      ['aliases', 'formerNames'].every((field) => Array.isArray(lender[field]));
    return Array.isArray(value) && value.every(isLender) ? (value as LenderRegistry) : undefined;
  } catch {
    return undefined;
  }
}

function parseReadableFile(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch {
    return undefined;
  }
}

function parseFailpoint(text: string): ArmedFailpoint | undefined {
  const [name, visit = '1'] = text.split(':', 2);
  const known = FAILPOINTS.find((each) => each === name);
  return known && /^[1-9]\d{0,8}$/.test(visit) ? { name: known, visit: Number(visit) } : undefined;
}

type Read = ReturnType<typeof createReader>['read'];

/** Live mode needs all three; one alone is a mistake and is told so. */
function readProviders(environment: Environment, read: Read): Providers | undefined {
  const names = ['TREFOIL_BUREAUS', 'TREFOIL_SCREENING', 'TREFOIL_SMS'];
  if (names.every((name) => !environment[name])) return undefined;
  return {
    bureaus: read('TREFOIL_BUREAUS', 'JSON: adapter, baseUrl and credentials of each bureau', undefined, parseBureaus),
    screening: read('TREFOIL_SCREENING', 'JSON: baseUrl and apiKey', undefined, parseScreening),
    sms: read('TREFOIL_SMS', 'JSON: carrier, apiBaseUrl, accountSid, authToken and from', undefined, parseSms),
  };
}

export function loadConfig(environment: Environment = process.env): Config {
  const { read, faults } = createReader(environment);
  const postgres = parseUrl('postgres:', 'postgresql:');
  const config: Config = Object.freeze({
    baseUrl: read('TREFOIL_BASE_URL', 'the public origin, such as https://api.example.com', undefined, parseOrigin),
    host: read('TREFOIL_HOST', 'the address to listen on', '127.0.0.1', String),
    port: read('TREFOIL_PORT', 'a port', '8080', parseInteger(1, 65_535)),
    metricsHost: read('TREFOIL_METRICS_HOST', 'the address metrics listen on', '127.0.0.1', String),
    metricsPort: read('TREFOIL_METRICS_PORT', 'a port, or 0 for any', '9090', parseInteger(0, 65_535)),
    database: Object.freeze({
      ownerUrl: environment['TREFOIL_OWNER_DATABASE_URL'],
      appUrl: read('TREFOIL_DATABASE_URL', 'postgres://… as the role trefoil_app', undefined, postgres),
      systemUrl: read('TREFOIL_SYSTEM_DATABASE_URL', 'postgres://… as the role trefoil_system', undefined, postgres),
      appConnections: read('TREFOIL_DATABASE_CONNECTIONS', '1 to 500', '20', parseInteger(1, 500)),
      systemConnections: read('TREFOIL_SYSTEM_DATABASE_CONNECTIONS', '1 to 100', '5', parseInteger(1, 100)),
    }),
    redisUrl: read('TREFOIL_REDIS_URL', 'redis://…', undefined, parseUrl('redis:', 'rediss:')),
    redisTimeoutMs: read('TREFOIL_REDIS_TIMEOUT_MS', '10 to 10000', '100', parseInteger(10, 10_000)),
    redisPrefix: read('TREFOIL_REDIS_PREFIX', 'a prefix for keys', 'trefoil:', String),
    nodes: read('TREFOIL_NODES', 'how many API nodes run', '1', parseInteger(1, 1_000)),
    vaultKeys: read('TREFOIL_VAULT_KEYS', 'id:base64 of 32 bytes, comma-separated, newest first', undefined, parseRing),
    hashKey: read('TREFOIL_HASH_KEY', 'base64 of 32 bytes', undefined, parseKey),
    signingKeys: read('TREFOIL_SIGNING_KEYS', 'a JSON list of private EC P-256 keys', undefined, parseSigningKeys),
    trustedProxies: read('TREFOIL_TRUSTED_PROXIES', 'addresses or ranges', ' ', (text) => parseProxies(text.trim())),
    collectionRate: read('TREFOIL_COLLECTION_RATE', 'requests a second', '50', parseInteger(1, 1_000_000)),
    providers: readProviders(environment, read),
    mail: environment['TREFOIL_MAIL']
      ? read('TREFOIL_MAIL', 'JSON: url (smtp://… or smtps://…) and from', undefined, parseMail)
      : undefined,
    breachedPasswordsFile: environment['TREFOIL_BREACHED_PASSWORDS_FILE']
      ? read('TREFOIL_BREACHED_PASSWORDS_FILE', 'the path of a file that can be read', undefined, parseReadableFile)
      : undefined,
    lenders: read('TREFOIL_LENDERS_FILE', 'the path of a JSON list of lenders', ' ', parseLenders),
    runsJobs: read('TREFOIL_JOBS', 'on or off', 'on', (text) =>
      text === 'on' ? true : text === 'off' ? false : undefined,
    ),
    failpoint: environment['TREFOIL_FAILPOINT']
      ? read('TREFOIL_FAILPOINT', 'a name and a visit, such as after-reserve:3', undefined, parseFailpoint)
      : undefined,
    logLevel: read('TREFOIL_LOG_LEVEL', LOG_LEVELS.join(', '), 'info', (text) => LOG_LEVELS.find((l) => l === text)),
    drainMs: read('TREFOIL_DRAIN_MS', 'milliseconds', '0', parseInteger(0, 600_000)),
    shutdownMs: read('TREFOIL_SHUTDOWN_MS', 'milliseconds', '20000', parseInteger(0, 600_000)),
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Where a developer's own PostgreSQL (as a superuser) and Redis are; the defaults fit compose.yaml. */
export function loadLocalServers(environment: Environment = process.env): { adminUrl: string; redisUrl: string } {
  return {
    adminUrl: environment['TREFOIL_ADMIN_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    redisUrl: environment['TREFOIL_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
  };
}
