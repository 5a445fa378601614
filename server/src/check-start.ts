// Start-up checks that need the database: a clock far from its own, and keys that rows still need
// (docs/decisions/0148-what-the-start-refuses.md, 0149-the-clock.md). If the database is unreachable, the process still
// starts, but is not ready.
import { setTimeout } from 'node:timers/promises';
import type { Config } from './config.ts';
import { listReportKeys } from './credit-reports/retention/list-ring-keys.ts';
import { listSealKeys } from './identity/factors/seal-secret.ts';
import { CLOCK_OFFSET_MAX_MS, readClockOffset } from './lib/clock-watch.ts';
import { describeError, type Log } from './lib/log.ts';
import type { Database } from './lib/postgres/database.ts';
import { listWebhookKeys } from './webhooks/open-webhooks.ts';

const CHECK_MS = 10_000;

type Start = { readonly database: Database; readonly now: () => Date; readonly log: Log };

async function findClockFaults({ database, now }: Start): Promise<string[]> {
  const offsetMs = await readClockOffset(database, now);
  if (Math.abs(offsetMs) <= CLOCK_OFFSET_MAX_MS) return [];
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  return [`The clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's: set it right, on both`];
}

async function findRingFaults({ database }: Start, { vaultKeys, exceptions }: Config): Promise<string[]> {
  if (exceptions.includes('missing-vault-keys')) return [];
  const known = new Set(vaultKeys.map(({ id }) => id));
  const needed = [
    ...(await listReportKeys(database)),
    ...(await listSealKeys(database)),
    ...(await listWebhookKeys(database)),
  ];
  const missing = [...new Set(needed)].filter((id) => !known.has(id)).sort();
  if (missing.length === 0) return [];
  return [
    `TREFOIL_VAULT_KEYS lacks ${missing.join(', ')}, which rows still need: add it at the end, or if it is lost allow it ` +
      'with TREFOIL_ALLOW_PLAINTEXT=missing-vault-keys',
  ];
}

/** The reasons why this process must not start. */
export async function findStartFaults(start: Start, config: Config): Promise<readonly string[]> {
  const looking = Promise.all([findClockFaults(start), findRingFaults(start, config)]).then((found) => found.flat());
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
