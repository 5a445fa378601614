// What the database says about itself: version, schema, standbys, archive, connections.
import { duration, type Finding, fail, ok, plural, several, skip, warn } from './finding.ts';

const DOWN = 'docs/operate/runbook.md#the-database-is-down';
const SET_UP = 'docs/operate/deploy.md#postgresql-and-redis';
const UPGRADE = 'docs/operate/deploy.md#upgrade';
const SIZES = 'docs/operate/deploy.md#sizes';

export type ServerFacts = {
  /** As PostgreSQL counts: 150020 is 15.20. */
  readonly version: number;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly standbyNames: string;
  /** As connections of the app role have it, which writes the ledger. */
  readonly synchronousCommit: string;
  readonly archiveMode: string;
  readonly maxConnections: number;
  readonly reservedConnections: number;
  readonly usedConnections: number;
};

const VERSION_MIN = 15;

export function judgeServer({ version, isStandby, isReadOnly }: ServerFacts, answeredMs: number): Finding {
  const major = Math.floor(version / 10_000);
  if (isStandby) {
    return fail('The address leads to a standby, which takes no writes.', 'Make it lead to the primary.', DOWN);
  }
  if (isReadOnly) {
    return fail('The database takes no writes: default_transaction_read_only is on.', 'Turn it off.', DOWN);
  }
  if (major < VERSION_MIN) {
    return fail(`PostgreSQL ${major} is too old.`, `Use PostgreSQL ${VERSION_MIN} or later.`, SET_UP);
  }
  return ok(`PostgreSQL ${major}.${version % 10_000} answers both roles, in ${Math.round(answeredMs)} ms.`);
}

/** `applied` is undefined where the role may not read the list, as before the first migration. */
export function judgeSchema(needed: readonly string[], applied: readonly string[] | undefined): Finding {
  const migrate = "Run 'migrate' of this version.";
  if (!applied) return fail('The database has no tables yet, or old ones.', migrate, UPGRADE);
  const missing = needed.filter((name) => !applied.includes(name));
  const newest = needed.toSorted().at(-1) ?? '';
  const unknown = applied.filter((name) => !needed.includes(name));
  const strange = unknown.filter((name) => name < newest);
  if (missing.length > 0) {
    return fail(
      `${plural(missing.length, 'migration is', 'migrations are')} missing: ${several(missing)}.`,
      migrate,
      UPGRADE,
    );
  }
  if (strange.length > 0) {
    return fail(
      `Migrations that this version does not know, among those it does: ${several(strange)}.`,
      'This is the database of another product or branch: check TREFOIL_SYSTEM_DATABASE_URL.',
      UPGRADE,
    );
  }
  if (unknown.length > 0) {
    return warn(
      `A newer version has migrated the database: ${several(unknown)}. This version works with it.`,
      'Finish the roll-out, or roll it back.',
      UPGRADE,
    );
  }
  return ok(`All ${plural(needed.length, 'migration is', 'migrations are')} applied and none is unknown.`);
}

/** A standby whose state this role may not see has null. */
export type Standby = { readonly state: string | null; readonly syncState: string | null };

const NOT_SYNCHRONOUS = ['off', 'local'];

/** How many standbys a commit waits for: `FIRST 2 (a, b)`, `ANY 2 (a, b)`, `2 (a, b)`; a plain list waits for one. */
const countAskedFor = (standbyNames: string) =>
  Number(/^\s*(?:(?:first|any)\s+)?(\d+)\s*\(/i.exec(standbyNames)?.[1] ?? 1);

export function judgeReplication(
  { standbyNames, synchronousCommit }: ServerFacts,
  standbys: readonly Standby[],
  isDevelopment: boolean,
): Finding {
  const judge = isDevelopment ? warn : fail;
  const todo = 'Set synchronous_standby_names to a running standby, and synchronous_commit to on.';
  if (NOT_SYNCHRONOUS.includes(synchronousCommit)) {
    return judge(
      `synchronous_commit is ${synchronousCommit}: a failover, or with off a crash, loses commits, charges included.`,
      todo,
      SET_UP,
    );
  }
  if (standbyNames === '') {
    return judge('No standby is synchronous: a failover loses commits, charges included.', todo, SET_UP);
  }
  const asked = countAskedFor(standbyNames);
  const hidden = standbys.filter(({ syncState }) => syncState === null);
  if (standbys.length > 0 && standbys.length < asked) {
    return fail(
      `Commits wait for ${asked} standbys, and ${plural(standbys.length, 'is', 'are')} connected.`,
      'Start the others, or ask for fewer in synchronous_standby_names.',
      DOWN,
    );
  }
  if (hidden.length > 0 || standbys.length === 0) {
    const confirming = 'so it is not known which of them confirm commits';
    return hidden.length > 0
      ? skip(
          `A synchronous standby is asked for and ${plural(hidden.length, 'standby is', 'standbys are')} connected. This role may not see their state, ${confirming}.`,
          'As a superuser: grant pg_read_all_stats to trefoil_system.',
          SET_UP,
        )
      : fail(
          'A synchronous standby is asked for and none is connected: commits wait for it.',
          'Start the standby, or ask for another one.',
          DOWN,
        );
  }
  const confirming = standbys.filter(
    ({ state, syncState }) => state === 'streaming' && ['sync', 'quorum'].includes(syncState ?? ''),
  );
  if (confirming.length === 0) {
    return fail(
      'No connected standby is synchronous: commits wait for one.',
      'Start it, or ask for another one.',
      DOWN,
    );
  }
  if (confirming.length < asked) {
    return fail(
      `Commits wait for ${asked} standbys, and ${plural(confirming.length, 'confirms', 'confirm')} them.`,
      'Start the others, or ask for fewer in synchronous_standby_names.',
      DOWN,
    );
  }
  return ok(
    `${plural(confirming.length, 'standby confirms', 'standbys confirm')} commits (synchronous_commit ${synchronousCommit}).`,
  );
}

export type ArchiverFacts = {
  readonly archivedCount: number;
  readonly failedCount: number;
  /** Null: never. */
  readonly archivedSecondsAgo: number | null;
  readonly failedSecondsAgo: number | null;
  /** File names. */
  readonly archivedWal: string | null;
  /** The one that is being written; null on a standby. */
  readonly currentWal: string | null;
  readonly segmentBytes: number;
};

const ARCHIVE_MAX_SECONDS = 24 * 3_600;
/** Several files wait, and for minutes: a fit archiver takes seconds for each. */
const WAITING_MAX = 3;
const HANGING_SECONDS = 300;

/** The place of a file in the order of all: its name is a timeline, and a position in two parts. */
function placeOf(wal: string | null, segmentBytes: number): number | undefined {
  const [, high = '', low = ''] = /^[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})/.exec(wal ?? '') ?? [];
  if (high === '') return undefined;
  return Number.parseInt(high, 16) * (2 ** 32 / segmentBytes) + Number.parseInt(low, 16);
}

/** Files that are full and not archived; 0 where that is not known. */
function countWaiting({ archivedWal, currentWal, segmentBytes }: ArchiverFacts): number {
  const [archived, current] = [placeOf(archivedWal, segmentBytes), placeOf(currentWal, segmentBytes)];
  return archived === undefined || current === undefined ? 0 : Math.max(0, current - archived - 1);
}

export function judgeArchiver(archiveMode: string, facts: ArchiverFacts): Finding {
  const { archivedCount, failedCount, archivedSecondsAgo, failedSecondsAgo } = facts;
  const see = 'docs/operate/runbook.md#restore-from-a-backup';
  if (archiveMode === 'off') {
    return warn(
      'PostgreSQL does not archive its WAL: a restore goes back to the last base backup.',
      'Set archive_mode and archive_command, unless your provider backs the disk up continuously.',
      see,
    );
  }
  const hasFailedLast =
    failedSecondsAgo !== null && failedSecondsAgo < (archivedSecondsAgo ?? Number.POSITIVE_INFINITY);
  if (hasFailedLast) {
    const last =
      archivedSecondsAgo === null
        ? 'none was ever archived'
        : `the last good one was ${duration(archivedSecondsAgo)} ago`;
    return fail(
      `Archiving fails (${plural(failedCount, 'time')} so far; ${last}). WAL piles up on the disk.`,
      'The log of PostgreSQL has the reason; archive_command must succeed.',
      see,
    );
  }
  if (archivedSecondsAgo === null) {
    return warn('No WAL has been archived yet.', "Look again after 'select pg_switch_wal()'.", see);
  }
  const waiting = countWaiting(facts);
  if (waiting >= WAITING_MAX && archivedSecondsAgo > HANGING_SECONDS) {
    return fail(
      `${plural(waiting, 'WAL file')} waiting, and none was archived for ${duration(archivedSecondsAgo)}: the archiver hangs.`,
      'Find out what archive_command waits for; ps shows it below the archiver of PostgreSQL.',
      see,
    );
  }
  if (archivedSecondsAgo > ARCHIVE_MAX_SECONDS) {
    return warn(
      `The last WAL was archived ${duration(archivedSecondsAgo)} ago.`,
      'Set archive_timeout, so that a quiet day is archived too.',
      see,
    );
  }
  return ok(`${plural(archivedCount, 'WAL file')} archived, the last ${duration(archivedSecondsAgo)} ago.`);
}

/** Null: no limit of its own. */
export type ConnectionLimits = {
  readonly role: string;
  readonly roleLimit: number | null;
  readonly databaseLimit: number | null;
};

export type ConnectionNeeds = {
  readonly nodes: number;
  /** What one process opens as each role, by the settings of this command. */
  readonly app: number;
  readonly system: number;
};

/** Room for a psql of a person, a backup, an exporter. */
const SPARE = 10;

export function judgeConnections(
  { maxConnections, reservedConnections, usedConnections }: ServerFacts,
  limits: { readonly app: ConnectionLimits; readonly system: ConnectionLimits },
  { nodes, app, system }: ConnectionNeeds,
): Finding {
  const places = maxConnections - reservedConnections;
  const allowed = limits.app.databaseLimit ?? Number.POSITIVE_INFINITY;
  const available = Math.min(places, allowed);
  const processes = nodes + 1;
  const needed = processes * (app + system);
  const whose = allowed < places ? " that the database's own connection limit allows" : '';
  const sum = `${plural(nodes, 'API node')} and a worker, ${app + system} each if all have the settings of this command, need up to ${needed} of ${available} connections${whose}`;
  const todo = `Raise ${whose ? 'the connection limit of the database' : 'max_connections'}, lower TREFOIL_DATABASE_CONNECTIONS, or correct TREFOIL_NODES.`;
  const tight = [
    { ...limits.app, needs: processes * app },
    { ...limits.system, needs: processes * system },
  ].find(({ roleLimit, needs }) => roleLimit !== null && needs > roleLimit);
  if (tight) {
    return fail(
      `${sum}, ${tight.needs} of them as ${tight.role}, whose own connection limit is ${tight.roleLimit}.`,
      `As the owner: alter role ${tight.role} connection limit -1.`,
      SIZES,
    );
  }
  if (needed > available) return fail(`${sum}: a busy day runs out of them.`, todo, SIZES);
  if (needed + SPARE > available)
    return warn(`${sum}, which leaves few for people, backups and a second worker.`, todo, SIZES);
  if (usedConnections > 0.9 * places) {
    return warn(
      `${sum}, but ${usedConnections} of the server's ${places} are in use now.`,
      'Find out in pg_stat_activity who uses them.',
      SIZES,
    );
  }
  return ok(`${sum}; ${usedConnections} are in use.`);
}
