// The checks that ask the database. If it does not answer, one of them says so and the others are skipped; the same for a
// schema that is not this version's.
import { readFileSync } from 'node:fs';
import { AGED_TABLES } from '../aged-tables.ts';
import { checkChainEnds } from '../audit/verify-chain.ts';
import { isRingForced, listMissingVaultKeys } from '../check-start.ts';
import type { Config } from '../config.ts';
import { TEST_SWEEP } from '../credit-reports/jobs.ts';
import { findSweeping } from '../credit-reports/live/find-sweeping.ts';
import { listMissingKeys } from '../evidence/find-evidence.ts';
import { listMonthKeys } from '../keys/month-keys.ts';
import { openKeyService } from '../keys/open-key-service.ts';
import { monthOf } from '../keys/rules/month.ts';
import { readClockOffset } from '../lib/clock-watch.ts';
import { describeConflict, findConflict } from '../lib/hash-rings.ts';
import { listJobMarks } from '../lib/job-marks.ts';
import { countConnections, type Database } from '../lib/postgres/database.ts';
import type { ReadOnlyDatabase } from '../lib/postgres/read-only.ts';
import { readRole } from '../lib/postgres/role.ts';
import { listNeededMigrations } from '../lib/postgres/schema.ts';
import { findEndedMails, findMailQueue } from '../mail/find-mail-queue.ts';
import { LONG_RECONCILIATIONS } from '../reconciliation/jobs.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { countWriteOffs } from '../wallet/find-charge.ts';
import { findDeliveryQueue, findHandOutDelay } from '../webhooks/jobs.ts';
import { judgeGrants, judgeRoles, judgeRowSecurity } from './rules/access.ts';
import {
  judgeArchiver,
  judgeConnections,
  judgeReplication,
  judgeSchema,
  judgeServer,
  type ServerFacts,
} from './rules/database.ts';
import { type Finding, fail, skip } from './rules/finding.ts';
import {
  judgeAudit,
  judgeBacklog,
  judgeClock,
  judgeJobs,
  judgeKeyService,
  judgeKeys,
  judgeLedger,
  type KeyServiceFacts,
} from './rules/installation.ts';
import { meaningOf } from './rules/outside.ts';
import { type Check, codeOf } from './run-checks.ts';
import {
  listAccess,
  listAppliedMigrations,
  listStandbys,
  readArchiver,
  readConnectionLimits,
  readServer,
} from './store.ts';

const DOWN = 'docs/operate/runbook.md#the-database-is-down';
export const LEDGER_LIMIT_MS = 20_000;
const HOUR_MS = 3_600_000;
const KEY_SERVICE = 'docs/operate/keys.md#when-the-service-is-away';

/** What this version's migrations grant; `server/test/doctor/access.test.ts` writes it. */
const readExpectedAccess = () =>
  readFileSync(new URL('./access.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean);

type Asked = {
  readonly config: Config;
  readonly database: ReadOnlyDatabase;
  /** The owner's, where the settings have it: it sees more. */
  readonly owner: ReadOnlyDatabase | undefined;
  readonly now: () => Date;
  readonly isDevelopment: boolean;
  /** How far this machine is ahead of what answers at the base address. */
  readonly addressClock: () => Promise<number | undefined>;
};

type Reached = { readonly server: ServerFacts; readonly answeredMs: number };
/** A database that could not be asked is a finding, told once. */
type Opened = { readonly reached: Reached } | { readonly finding: Finding };

async function open(database: ReadOnlyDatabase): Promise<Opened> {
  const beganMs = performance.now();
  const roles = [
    ['TREFOIL_DATABASE_URL', database.asApp],
    ['TREFOIL_SYSTEM_DATABASE_URL', database.asSystem],
  ] as const;
  const answers = await Promise.all(
    roles.map(([setting, as]) =>
      as(readServer).then(
        (server) => ({ server }),
        (error: unknown) => ({ fault: `By ${setting} it ${meaningOf(codeOf(error))}.` }),
      ),
    ),
  );
  const faults = answers.flatMap((answer) => ('fault' in answer ? [answer.fault] : []));
  const [first] = answers;
  if (faults.length > 0 || !first || 'fault' in first) {
    return { finding: fail(`The database cannot be used. ${faults.join(' ')}`, 'Bring it back first.', DOWN) };
  }
  return { reached: { server: first.server, answeredMs: performance.now() - beganMs } };
}

async function describeRing(database: Database, { hashKeys }: Config): Promise<string | undefined> {
  const conflict = await findConflict(database, hashKeys);
  return conflict && describeConflict(conflict);
}

/** Rows that are past their deletion, of each table; one after another, over one connection. */
async function listOverdue(database: Database) {
  const overdue: { table: string; seconds: number }[] = [];
  for (const { table, findOverdueSeconds } of AGED_TABLES) {
    overdue.push({ table, seconds: await database.asSystem(findOverdueSeconds) });
  }
  return overdue;
}

/** Asks about this month's key, which unwraps nothing. */
async function askKeyService(
  { keyService }: Config,
  database: Database,
  now: Date,
): Promise<KeyServiceFacts | undefined> {
  if (!keyService) return undefined;
  const service = openKeyService(keyService);
  const month = monthOf(now);
  try {
    const [answer, keys] = await Promise.all([service.describe(month), listMonthKeys(database)]);
    return {
      ...{ kind: service.kind, month },
      answer: answer.kind === 'away' ? { fault: answer.cause.message } : answer.kind === 'done' ? 'present' : 'gone',
      keys: keys
        .filter(({ destroyedAt }) => !destroyedAt)
        .map((key) => ({ ...key, isOfService: key.service === service.kind })),
    };
  } finally {
    await service.close();
  }
}

/** The owner may see their state; if its address does not work, that is told and the service's own role answers. */
async function examineReplication(
  { database, owner, isDevelopment }: Pick<Asked, 'database' | 'owner' | 'isDevelopment'>,
  server: ServerFacts,
): Promise<Finding> {
  const seen = await owner?.asSystem(listStandbys).then(
    (standbys) => ({ standbys }),
    (error: unknown) => ({ code: codeOf(error) }),
  );
  if (seen && 'standbys' in seen) return judgeReplication(server, seen.standbys, isDevelopment);
  const found = judgeReplication(server, await database.asSystem(listStandbys), isDevelopment);
  if (!seen) return found;
  const told = `TREFOIL_OWNER_DATABASE_URL does not work (${seen.code}), so the role of the service looked.`;
  return { ...found, reason: `${found.reason} ${told}` };
}

/** For what grows with the data: on a big or busy database a look of a few seconds may not be enough, and that is no fault. */
const tooBig = (what: string, todo: string) =>
  skip(
    `${what} could not be read in the seconds that a look may take: too much to examine here, or a busy database.`,
    todo,
  );

export function databaseChecks({ config, database, owner, now, isDevelopment, addressClock }: Asked): Check[] {
  const opening = open(database);
  const schema = opening.then(async (opened): Promise<Finding> => {
    if ('finding' in opened) return skip('The database cannot be asked.');
    return judgeSchema(listNeededMigrations(), await database.asSystem(listAppliedMigrations));
  });
  // Told by its own check; until then it must not count as unhandled.
  schema.catch(() => undefined);

  const usual = { subject: 'The database', todo: 'See the check database.', see: DOWN };
  type Time = Partial<Pick<Check, 'limitMs' | 'late' | 'subject' | 'todo' | 'see'>>;
  const check = (name: string, run: (server: ServerFacts) => Promise<Finding>, time: Time = {}): Check => ({
    ...{ ...usual, ...time, name },
    async run() {
      const opened = await opening;
      return 'finding' in opened ? skip('The database cannot be asked.') : run(opened.reached.server);
    },
  });
  /** For a check that reads our tables. */
  const onTables = (name: string, run: () => Promise<Finding>, time?: Time) =>
    check(
      name,
      async () => ((await schema).status === 'fail' ? skip('The schema is not the one of this version.') : run()),
      time,
    );
  const onThisSchema = (name: string, run: () => Promise<Finding>) =>
    check(name, async () =>
      (await schema).status === 'ok' ? run() : skip('The schema is not the one of this version.'),
    );

  return [
    {
      ...{ ...usual, name: 'database' },
      async run() {
        const opened = await opening;
        return 'finding' in opened ? opened.finding : judgeServer(opened.reached.server, opened.reached.answeredMs);
      },
    },
    check('schema', () => schema),
    check('roles', async () => judgeRoles(await database.asApp(readRole), await database.asSystem(readRole))),
    onThisSchema('grants', async () => judgeGrants(readExpectedAccess(), await database.asSystem(listAccess))),
    onThisSchema('row-security', async () =>
      judgeRowSecurity(readExpectedAccess(), await database.asSystem(listAccess)),
    ),
    check('clock', async () => judgeClock(await readClockOffset(database, now), await addressClock())),
    onTables(
      'keys',
      async () =>
        judgeKeys(
          {
            vaultIds: config.vaultKeys.map(({ id }) => id),
            signingIds: config.signingKeys.map(({ kid }) => kid ?? ''),
            evidence: config.evidenceKeys,
            hashIds: config.hashKeys.map(({ id }) => id),
            retiredHashIds: config.retiredHashKeys.map(({ id }) => id),
            hashConflict: isRingForced(config) ? undefined : await describeRing(database, config),
            // A key that the operator has declared lost is told by the check settings.
            missingVaultIds: config.exceptions.includes('missing-vault-keys')
              ? []
              : await listMissingVaultKeys(database, config),
            missingEvidenceIds: await listMissingKeys(database, config.evidenceKeys),
          },
          now(),
        ),
      { late: tooBig('Which keys rows still need', 'Look again when the database is less busy.') },
    ),
    onTables('key-service', async () => judgeKeyService(await askKeyService(config, database, now()), now()), {
      ...{ subject: 'The key service', todo: 'Check it, and TREFOIL_KEY_SERVICE.', see: KEY_SERVICE },
    }),
    check('replication', (server) => examineReplication({ database, owner, isDevelopment }, server)),
    check('archive', async ({ archiveMode }) => judgeArchiver(archiveMode, await database.asSystem(readArchiver))),
    check('connections', async (server) =>
      judgeConnections(
        server,
        { app: await database.asApp(readConnectionLimits), system: await database.asSystem(readConnectionLimits) },
        { nodes: config.nodes, ...countConnections(config.database) },
      ),
    ),
    onTables('jobs', async () => {
      const eventSeconds = await findHandOutDelay(database);
      if (config.providers) {
        const { sweepers, secondsAgo } = await findSweeping(database);
        return judgeJobs({ sweptSecondsAgo: secondsAgo ?? undefined, sweepers, eventSeconds });
      }
      const mark = (await listJobMarks(database)).find(({ name }) => name === TEST_SWEEP);
      return judgeJobs({ sweptSecondsAgo: mark?.secondsAgo, sweepers: undefined, eventSeconds });
    }),
    onTables(
      'backlog',
      async () => {
        const mails = await findMailQueue(database);
        const webhooks = await findDeliveryQueue(database);
        return judgeBacklog({
          ...{ mailsWaiting: mails.waiting, mailSeconds: mails.oldestSeconds },
          mailsEnded: await findEndedMails(database),
          ...{ webhooksWaiting: webhooks.waiting, webhookSeconds: webhooks.oldestSeconds },
          overdue: await listOverdue(database),
        });
      },
      { late: tooBig('What waits', 'The metrics of the worker have it: see docs/operate/runbook.md#alerts.') },
    ),
    onTables(
      'ledger',
      async () => {
        const { findings } = await reconcile(database, new Date(now().getTime() - HOUR_MS));
        const breaks = findings.filter(({ isBreak }) => isBreak).map((finding) => finding.check);
        const names: readonly string[] = LONG_RECONCILIATIONS;
        const long = (await listJobMarks(database)).filter(({ name }) => names.includes(name));
        return judgeLedger(breaks, long, await countWriteOffs(database));
      },
      {
        limitMs: LEDGER_LIMIT_MS,
        late: tooBig('The ledger of the last hour', "Run 'wallet reconcile', which takes its time."),
      },
    ),
    onTables(
      'audit',
      async () => {
        const { chains, loose } = await checkChainEnds(database);
        return judgeAudit(chains, loose);
      },
      { late: tooBig('The ends of the audit chains', "Run 'audit verify', which takes its time.") },
    ),
  ];
}
