// Says whether this installation is fit: every check with a result, within a time that does not depend on what is broken. It
// reads and changes nothing, asks nothing of another company that costs or leaves a trace, and tells no secret
// (docs/decisions/0251-a-doctor-that-only-looks.md).
import type { Config } from '../config.ts';
import { openReadOnly } from '../lib/postgres/read-only.ts';
import { isThisMachine } from '../lib/values/plaintext.ts';
import { databaseChecks, LEDGER_LIMIT_MS } from './database-checks.ts';
import { askBaseAddress, outsideChecks } from './outside-checks.ts';
import type { Status } from './rules/finding.ts';
import { judgeSettings } from './rules/installation.ts';
import { type Check, type Result, runChecks } from './run-checks.ts';

export type Examination = {
  /** Nothing failed. What was skipped was not seen. */
  readonly isFit: boolean;
  readonly counts: Readonly<Record<Status, number>>;
  readonly checks: readonly Result[];
};

/** A connection, and a statement that asks for no more; several of them fit into the limit of a check. */
const DATABASE_MS = 4_000;

function conclude(checks: readonly Result[]): Examination {
  const count = (status: Status) => checks.filter((check) => check.status === status).length;
  const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail'), skip: count('skip') };
  return { isFit: counts.fail === 0, counts, checks };
}

function settingsCheck(config: Config, isDevelopment: boolean): Check {
  const { exceptions, unknownSettings, failpoint, webhookNetworks, logLevel, providers } = config;
  return {
    name: 'settings',
    ...{ subject: 'The settings', todo: '', see: 'docs/operate/configuration.md' },
    run: async () =>
      judgeSettings({
        ...{ isDevelopment, exceptions },
        unknownSettings: unknownSettings.map(({ setting }) => setting),
        hasFailpoint: failpoint !== undefined,
        hasWebhookNetworks: webhookNetworks.length > 0,
        isVerbose: logLevel === 'debug',
        isLive: providers !== undefined,
      }),
  };
}

export async function examineInstallation(config: Config, now: () => Date = () => new Date()): Promise<Examination> {
  const { database: addresses } = config;
  const isDevelopment = isThisMachine(new URL(config.baseUrl).hostname);
  const database = openReadOnly(addresses, DATABASE_MS, LEDGER_LIMIT_MS);
  const { ownerUrl } = addresses;
  const owner =
    ownerUrl === undefined ? undefined : openReadOnly({ appUrl: ownerUrl, systemUrl: ownerUrl }, DATABASE_MS);
  const ready = askBaseAddress(config);
  const addressClock = () =>
    ready.then(
      ({ aheadMs }) => aheadMs,
      () => undefined,
    );
  try {
    return conclude(
      await runChecks([
        settingsCheck(config, isDevelopment),
        ...databaseChecks({ config, database, owner, now, isDevelopment, addressClock }),
        ...outsideChecks({ config, now, isDevelopment, ready }),
      ]),
    );
  } finally {
    await Promise.all([database.close(), owner?.close()]);
  }
}

/** For settings that cannot be read: nothing else can be checked. */
export function concludeUnreadable(faults: string): Examination {
  return conclude([
    {
      name: 'settings',
      status: 'fail',
      reason: faults,
      todo: 'Correct the settings; the other checks need them.',
      see: 'docs/operate/configuration.md#variables',
      timeMs: 0,
    },
  ]);
}
