// Start-up checks that need the database: roles that row-level security does not bind, a clock far from its own, keys that
// rows still need, and hash keys that do not fit those of other processes (docs/decisions/0148-what-the-start-refuses.md,
// 0266-roles-that-nothing-binds.md, 0149-the-clock.md, 0260-the-hash-key-is-a-ring.md). If the database is unreachable, the
// process still starts, but is not ready.
import { setTimeout } from 'node:timers/promises';
import type { Config } from './config.ts';
import { listReportKeys } from './credit-reports/retention/list-ring-keys.ts';
import { listSealKeys } from './identity/factors/seal-secret.ts';
import { CLOCK_OFFSET_MAX_MS, readClockOffset } from './lib/clock-watch.ts';
import { isKeyOf, isWorkingKeyId } from './lib/crypto/vault.ts';
import { describeConflict, type RingWatch } from './lib/hash-rings.ts';
import { describeError, type Log } from './lib/log.ts';
import type { Database, OpenDatabase } from './lib/postgres/database.ts';
import { type RoleFacts, readRole } from './lib/postgres/role.ts';
import { listWebhookKeys } from './webhooks/open-webhooks.ts';

const CHECK_MS = 10_000;

type Start = {
  readonly database: Database;
  readonly now: () => Date;
  readonly log: Log;
  /** Absent where no process is about to run. */
  readonly rings?: RingWatch;
};

type RoleFault = { readonly setting: string; readonly power: string; readonly instead: string };

/** Ordered by how much each says: a superuser is a member of every role, so an owner too. */
function powerOf({ isSuperuser, canBypass, ownedTables }: RoleFacts): string | undefined {
  if (isSuperuser) return 'a superuser';
  if (canBypass) return 'a role with BYPASSRLS';
  return ownedTables > 0 ? 'an owner of tables' : undefined;
}

/** The system role too: what it needs across tenants it has by policies (docs/decisions/0105-postgres-and-row-security.md). */
async function findRoleFaults({ forTenants, asSystem }: Database): Promise<RoleFault[]> {
  const [app, system] = [powerOf(await forTenants([], readRole)), powerOf(await asSystem(readRole))];
  return [
    ...(app ? [{ setting: 'TREFOIL_DATABASE_URL', power: app, instead: 'trefoil_app' }] : []),
    ...(system ? [{ setting: 'TREFOIL_SYSTEM_DATABASE_URL', power: system, instead: 'trefoil_system' }] : []),
  ];
}

/**
 * Whether row-level security binds both roles. Asks at the first call, and again after trouble with the database: another
 * server may answer since. On the connections that serve first after an outage. Logs a fault once, not at every probe.
 */
export function createRoleCheck(database: OpenDatabase, log: Log): () => Promise<boolean> {
  const connections = { forTenants: database.queue.forTenants, asSystem: database.asSystem };
  let boundAtMs = Number.NEGATIVE_INFINITY;
  let isTold = false;
  return async () => {
    const askedMs = performance.now();
    if (askedMs - boundAtMs < database.reachableForMs()) return true;
    const faults = await findRoleFaults(connections);
    if (!isTold) {
      for (const { setting } of faults)
        log.error('row-level security does not bind a database role: not ready', { setting });
    }
    isTold = faults.length > 0;
    if (!isTold) boundAtMs = askedMs;
    return !isTold;
  };
}

async function findClockFaults({ database, now }: Start): Promise<string[]> {
  const offsetMs = await readClockOffset(database, now);
  if (Math.abs(offsetMs) <= CLOCK_OFFSET_MAX_MS) return [];
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  return [`The clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's: set it right, on both`];
}

type KeySettings = Pick<Config, 'vaultKeys' | 'keyService'>;

/** The keys that rows still need, and that are neither in the ring nor in the key service of the settings. */
export async function listMissingVaultKeys(database: Database, { vaultKeys, keyService }: KeySettings) {
  const known = new Set(vaultKeys.map(({ id }) => id));
  const isKnown = (id: string) => known.has(id) || (keyService !== undefined && isKeyOf(keyService.kind, id));
  const needed = [
    ...(await listReportKeys(database)),
    ...(await listSealKeys(database)),
    ...(await listWebhookKeys(database)),
  ];
  return [...new Set(needed)].filter((id) => !isKnown(id)).sort();
}

async function findRingFaults({ database }: Start, config: Config): Promise<string[]> {
  if (config.exceptions.includes('missing-vault-keys')) return [];
  const missing = await listMissingVaultKeys(database, config);
  if (missing.length === 0) return [];
  const months = missing.filter(isWorkingKeyId);
  if (months.length > 0) {
    const kinds = [...new Set(months.map((id) => id.split(':').at(-1)))].join(', ');
    return [
      `TREFOIL_KEY_SERVICE is not the one whose keys rows still need (${kinds}): set it again; to leave a key service, see ` +
        'docs/operate/keys.md',
    ];
  }
  return [
    `TREFOIL_VAULT_KEYS lacks ${missing.join(', ')}, which rows still need: add it at the end, or if it is lost allow it ` +
      'with TREFOIL_ALLOW_PLAINTEXT=missing-vault-keys',
  ];
}

/** Whether the operator has said that the hash keys of the last day are lost or must not be used. */
export const isRingForced = ({ exceptions }: Pick<Config, 'exceptions'>) => exceptions.includes('foreign-hash-keys');

/** The last check, since it also tells the processes to come that this one runs. */
async function findHashRingFaults({ rings }: Start): Promise<string[]> {
  const conflict = await rings?.announce();
  if (!conflict) return [];
  const orElse =
    conflict.kind === 'foreign'
      ? ', or if it must not be used allow it with TREFOIL_ALLOW_PLAINTEXT=foreign-hash-keys'
      : '';
  return [`${describeConflict(conflict)}${orElse} (docs/operate/hash-key.md)`];
}

async function findFaults(start: Start, config: Config): Promise<string[]> {
  // By themselves: the other checks fail on a schema that is not migrated, and must not hide these.
  const roles = await findRoleFaults(start.database);
  if (roles.length > 0) {
    return roles.map(
      ({ setting, power, instead }) =>
        `${setting} logs in as ${power}, which row-level security does not bind: log in as ${instead} ` +
        '(docs/operate/configuration.md#three-roles-in-the-database)',
    );
  }
  const found = (await Promise.all([findClockFaults(start), findRingFaults(start, config)])).flat();
  return found.length > 0 ? found : findHashRingFaults(start);
}

/** The reasons why this process must not start. */
export async function findStartFaults(start: Start, config: Config): Promise<readonly string[]> {
  const looking = findFaults(start, config);
  const late = setTimeout(CHECK_MS, undefined, { ref: false }).then(() => {
    throw new Error('the database did not answer in time');
  });
  try {
    return await Promise.race([looking, late]);
  } catch (error) {
    start.log.warn('the start could not be checked against the database', describeError(error));
    return [];
  }
}
