// Which hash rings the processes of this installation run with. Two rings without a common key would hash one idempotency key
// two ways, and a node could neither check nor send codes of a key that it lacks: such a process does not start, and one that could
// not ask when it started does no work until it has asked (docs/decisions/0260-the-hash-key-is-a-ring.md).
import { setTimeout } from 'node:timers/promises';
import type { HashRing } from './crypto/hash-ring.ts';
import { newId } from './ids.ts';
import type { Log } from './log.ts';
import type { Database } from './postgres/database.ts';
import { execute, rows, sql, type Tx } from './postgres/sql.ts';
import { inScope } from './request-scope.ts';

/** As long as idempotency keys, counts of numbers and refresh tokens live, and an hour. */
export const RING_HOURS = 25;
const EVERY_MS = 60_000;
/** As long as a probe waits. */
const ASK_MS = 2_000;

/** A ring that processes have used in the last 30 days. */
export type SeenRing = {
  /** In the order of the ring. */
  readonly fingerprints: readonly string[];
  /** A process that was killed counts as running for three minutes more. */
  readonly isRunning: boolean;
  readonly beganAt: Date;
  readonly seenAt: Date;
  readonly secondsAgo: number;
};

export type RingConflict =
  /** A ring of the last day has no key in common with ours. */
  | { readonly kind: 'foreign'; readonly hoursLeft: number }
  /** Our first key is unknown to a process that runs. */
  | { readonly kind: 'too-new' }
  /** The first key of a process that runs is unknown to us. */
  | { readonly kind: 'too-old' };

type Seen = Pick<SeenRing, 'fingerprints' | 'secondsAgo' | 'isRunning'>;

/** Undefined when a process with this ring may run beside, and after, those that have been seen. */
export function findRingConflict(own: readonly string[], seen: readonly Seen[]): RingConflict | undefined {
  const [first = ''] = own;
  const recent = seen.filter(({ secondsAgo }) => secondsAgo < RING_HOURS * 3_600);
  const strangers = recent.filter(({ fingerprints }) => !fingerprints.some((each) => own.includes(each)));
  if (strangers.length > 0) {
    const newest = Math.min(...strangers.map(({ secondsAgo }) => secondsAgo));
    return { kind: 'foreign', hoursLeft: Math.ceil(RING_HOURS - newest / 3_600) };
  }
  const running = recent.filter(({ isRunning }) => isRunning);
  if (running.some(({ fingerprints }) => !fingerprints.includes(first))) return { kind: 'too-new' };
  if (running.some(({ fingerprints: [theirs = ''] }) => !own.includes(theirs))) return { kind: 'too-old' };
  return undefined;
}

export function listRings(tx: Tx): Promise<SeenRing[]> {
  return rows<SeenRing>(
    tx,
    sql`
    select fingerprints, min(began_at) as "beganAt", max(seen_at) as "seenAt",
           bool_or(stopped_at is null and seen_at > clock_timestamp() - interval '3 minutes') as "isRunning",
           extract(epoch from clock_timestamp() - max(seen_at))::float8 as "secondsAgo"
      from hash_rings group by fingerprints order by max(seen_at) desc, fingerprints limit 100`,
  );
}

const fingerprintsOf = (ring: HashRing) => ring.map(({ fingerprint }) => fingerprint);

export async function findConflict(database: Database, ring: HashRing): Promise<RingConflict | undefined> {
  return findRingConflict(fingerprintsOf(ring), await database.asSystem(listRings));
}

export function describeConflict(conflict: RingConflict): string {
  switch (conflict.kind) {
    case 'foreign':
      return (
        'TREFOIL_HASH_KEYS has no key in common with the ring that other processes have used in the last ' +
        `${RING_HOURS} hours: keep their key in the ring for ${conflict.hoursLeft} more hours`
      );
    case 'too-new':
      return 'TREFOIL_HASH_KEYS begins with a key that running processes do not have: first give it to all of them as the second';
    case 'too-old':
      return 'TREFOIL_HASH_KEYS lacks the key that the ring of running processes begins with: add it';
  }
}

/** Why a process may not work yet whose start could not ask. */
const NOT_ASKED =
  'TREFOIL_HASH_KEYS is not compared with the rings of other processes yet: the database does not answer';

export interface RingWatch {
  /** At the start: tells other processes that this one runs with its ring, or returns the reason why it must not. */
  announce(): Promise<RingConflict | undefined>;
  /**
   * Undefined once `announce` has found nothing against this process: until then it must neither answer requests nor run jobs.
   * Asks again at each call, for all who call meanwhile, and logs a reason once.
   */
  whyHeld(): Promise<string | undefined>;
  /** For every process, even where a worker runs the other jobs. */
  readonly job: { readonly name: string; readonly everyMs: number; run(): Promise<number> };
  /** Tells them that it has ended. */
  stop(): Promise<void>;
}

/** `isForced` where the operator has allowed any ring, since after a leak all nodes change at once: nothing is checked then. */
export function openRingWatch(
  database: Database,
  ring: HashRing,
  { isForced, log }: { readonly isForced: boolean; readonly log: Log },
): RingWatch {
  const processId = newId();
  const own = fingerprintsOf(ring);
  let isHeld = true;
  let asking: Promise<string | undefined> | undefined;
  let told: RingConflict['kind'] | undefined;

  async function note(tx: Tx): Promise<RingConflict | undefined> {
    // One process at a time: of two that start at the same moment, the second sees the first.
    await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended('hash_rings', 0))`);
    const conflict = isForced ? undefined : findRingConflict(own, await listRings(tx));
    // It has done nothing that the next ring must fit. One that works is seen whatever its ring is.
    if (conflict && isHeld) return conflict;
    await execute(
      tx,
      sql`
      insert into hash_rings (process_id, fingerprints) values (${processId}, ${own}::text[])
      on conflict (process_id) do update set seen_at = clock_timestamp()`,
    );
    await execute(tx, sql`delete from hash_rings where seen_at < clock_timestamp() - interval '30 days'`);
    return conflict;
  }

  async function announce(): Promise<RingConflict | undefined> {
    const conflict = await database.asSystem(note);
    // Only once the row is committed: others must be able to see it.
    if (!conflict) isHeld = false;
    return conflict;
  }

  /** The words of `describeConflict` are of settings alone, so they may be logged, unlike those of other errors. */
  const tell = (conflict: RingConflict) => log.error(describeConflict(conflict), { setting: 'TREFOIL_HASH_KEYS' });

  async function askAgain(): Promise<string | undefined> {
    const asked = inScope({ deadlineMs: performance.now() + ASK_MS }, announce).catch(() => NOT_ASKED);
    const conflict = await Promise.race([asked, setTimeout(ASK_MS, NOT_ASKED, { ref: false })]);
    if (conflict === undefined || typeof conflict === 'string') return conflict;
    if (conflict.kind !== told) tell(conflict);
    told = conflict.kind;
    return describeConflict(conflict);
  }

  return {
    announce,
    async whyHeld() {
      if (!isHeld) return undefined;
      asking ??= askAgain().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    job: {
      name: 'watch-hash-ring',
      everyMs: EVERY_MS,
      async run() {
        // Others may have started without a check: a release before this one does not hold itself back.
        const conflict = await announce();
        if (!conflict) return 0;
        tell(conflict);
        throw new Error(describeConflict(conflict));
      },
    },
    async stop() {
      await database.asSystem((tx) =>
        execute(
          tx,
          sql`
          update hash_rings set seen_at = clock_timestamp(), stopped_at = clock_timestamp()
           where process_id = ${processId}`,
        ),
      );
    },
  };
}
