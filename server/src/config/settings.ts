// The names of all settings. Reading one that is not listed here does not compile, so the lists are whole, and whatever
// else begins like a setting is most likely a slip of the hand (docs/decisions/0177-settings-from-files.md).
import { nearest } from '../lib/values/nearest.ts';
import { printableName } from '../lib/values/plain-text.ts';

/** They hold secrets, or addresses with passwords: each may also be the path of a file, in `<name>_FILE`. */
export const SECRETS = [
  'TREFOIL_DATABASE_URL',
  'TREFOIL_SYSTEM_DATABASE_URL',
  'TREFOIL_OWNER_DATABASE_URL',
  'TREFOIL_REDIS_URL',
  'TREFOIL_VAULT_KEYS',
  'TREFOIL_KEY_SERVICE',
  'TREFOIL_HASH_KEY',
  'TREFOIL_HASH_KEYS',
  'TREFOIL_RETIRED_HASH_KEYS',
  'TREFOIL_SIGNING_KEYS',
  'TREFOIL_EVIDENCE_KEYS',
  'TREFOIL_BUREAUS',
  'TREFOIL_SCREENING',
  'TREFOIL_SMS',
  'TREFOIL_MAIL',
  'TREFOIL_TRACES',
] as const;

const OTHERS = [
  'TREFOIL_BASE_URL',
  'TREFOIL_DOCS_URL',
  'TREFOIL_SITE_FOLDER',
  'TREFOIL_CONSOLE_FOLDER',
  'TREFOIL_HSTS',
  'TREFOIL_HOST',
  'TREFOIL_PORT',
  'TREFOIL_CONNECTIONS_PER_ADDRESS',
  'TREFOIL_CONNECTIONS',
  'TREFOIL_METRICS_HOST',
  'TREFOIL_METRICS_PORT',
  'TREFOIL_DATABASE_CONNECTIONS',
  'TREFOIL_SYSTEM_DATABASE_CONNECTIONS',
  'TREFOIL_DATABASE_GROUPING',
  'TREFOIL_REDIS_TIMEOUT_MS',
  'TREFOIL_REDIS_PREFIX',
  'TREFOIL_NODES',
  'TREFOIL_TRUSTED_PROXIES',
  'TREFOIL_FINGERPRINT_PROXIES',
  'TREFOIL_COLLECTION_RATE',
  'TREFOIL_BREACHED_PASSWORDS_FILE',
  'TREFOIL_LENDERS_FILE',
  'TREFOIL_JOBS',
  'TREFOIL_WEBHOOK_ALLOWED_NETWORKS',
  'TREFOIL_FAILPOINT',
  'TREFOIL_ALLOW_PLAINTEXT',
  'TREFOIL_LOG_LEVEL',
  'TREFOIL_DRAIN_MS',
  'TREFOIL_SHUTDOWN_MS',
] as const;

export type Setting = (typeof SECRETS | typeof OTHERS)[number];

export const isSecret = (name: Setting) => SECRETS.some((each) => each === name);

const PREFIX = 'TREFOIL_';
/** Of development alone: it names the PostgreSQL of a developer. */
const DEVELOPMENT = `${PREFIX}ADMIN_DATABASE_URL`;
const KNOWN: readonly string[] = [...SECRETS, ...SECRETS.map((name) => `${name}_FILE`), ...OTHERS, DEVELOPMENT];

/** `nearest` is the known name that was probably meant. */
export type UnknownSetting = { readonly setting: string; readonly nearest: string | undefined };

const TOLD_MAX = 20;

export function findUnknownSettings(names: readonly string[]): UnknownSetting[] {
  // The prefix is common to all of them and would make every two names look alike.
  const endings = KNOWN.map((name) => name.slice(PREFIX.length));
  return names
    .filter((name) => name.startsWith(PREFIX) && !KNOWN.includes(name))
    .toSorted()
    .slice(0, TOLD_MAX)
    .map((name) => {
      const match = nearest(name.slice(PREFIX.length), endings);
      return { setting: printableName(name), nearest: match && PREFIX + match };
    });
}

export function describeUnknown({ setting, nearest: match }: UnknownSetting): string {
  return `${setting} is not a known setting and is ignored.${match ? ` Did you mean ${match}?` : ''}`;
}
