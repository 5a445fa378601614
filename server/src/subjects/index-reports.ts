// Makes the hashes by which reports are found, for those that have none: reports that ended since the last run, and after an
// upgrade all of them (docs/decisions/0261-a-person-is-found-by-a-keyed-hash.md). No request pays for it but a search, which first does what is missing. It can be
// stopped at any moment and is safe to run concurrently: the rows say what is left.
import { type HeldState, listHeldAfter, openHeld } from '../credit-reports/reading/open-held.ts';
import type { Vault } from '../lib/crypto/vault.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import type { SubjectHash } from './hash-subject.ts';
import { keysOfReport } from './rules/person.ts';
import { findMark, insertHashes, listHashed, type Mark, type NewHash, upsertMark } from './store.ts';

export type IndexDependencies = {
  readonly database: Database;
  readonly vault: Vault;
  readonly subjectHash: SubjectHash;
  readonly isLossAccepted: boolean;
  /** Of reports that run, by their ids, so that each is opened once in a process and not by each search. */
  readonly runningHashes: Map<string, readonly Buffer[]>;
  readonly now: () => Date;
};

/** A page of states is a few milliseconds; opened reports may have a megabyte each. */
const STATES_AT_A_TIME = 500;
const OPENED_AT_A_TIME = 40;
/** Ids are made on nodes whose clocks differ, and a report is committed some seconds after its id: within this both are over. */
const SETTLED_MS = 30 * 60_000;
/** Some megabytes. Whatever has ended goes with the rest. */
const RUNNING_MAX = 20_000;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** A report that has not ended has no rows of hashes: its person may still become known better. These are of its request. */
export type RunningReport = { readonly id: string; readonly hashes: readonly Buffer[] };
export type Indexed = { readonly isDone: boolean; readonly running: readonly RunningReport[] };

type Limit = { readonly untilMs: number; readonly signal?: AbortSignal | undefined };

/** From the beginning if hashes may be under a key that is gone: they find nothing any more. */
async function startingMark(tx: Tx, tenantId: string, { keyIds }: SubjectHash): Promise<Mark> {
  const mark = await findMark(tx, tenantId);
  return mark?.keyIds.every((id) => keyIds.includes(id)) ? mark : { upTo: LOWEST_ID, keyIds: [] };
}

/** Opens some of the missing reports. Hashes of those that have ended are stored; those of reports that run stay in memory. */
async function hashSome(
  tx: Tx,
  { vault, subjectHash, isLossAccepted, runningHashes }: IndexDependencies,
  tenantId: string,
  states: readonly HeldState[],
): Promise<void> {
  const isRunning = new Set(states.filter((state) => state.isRunning).map(({ id }) => id));
  const opened = await openHeld(tx, vault, tenantId, { ids: states.map(({ id }) => id), isLossAccepted });
  const added = opened
    .filter(({ id }) => !isRunning.has(id))
    .flatMap(({ id, request, creditReport }): NewHash[] =>
      // One that cannot be opened is no person's any more.
      request === null
        ? []
        : keysOfReport(request, creditReport).map((person) => ({
            creditReportId: id,
            subjectHash: subjectHash.hash(tenantId, person),
          })),
    );
  await insertHashes(tx, tenantId, subjectHash.keyId, added);
  if (runningHashes.size > RUNNING_MAX) runningHashes.clear();
  for (const { id, request } of opened.filter(({ id }) => isRunning.has(id))) {
    const people = request === null ? [] : keysOfReport(request, null);
    runningHashes.set(
      id,
      people.map((person) => subjectHash.hash(tenantId, person)),
    );
  }
}

/** Up to where the mark may move: over reports that have ended, and not into the time in which ids still appear out of order. */
function reached(mark: Mark, states: readonly HeldState[], youngest: string): string {
  let upTo = mark.upTo;
  for (const { id, isRunning } of states) {
    if (isRunning || id >= youngest) break;
    upTo = id;
  }
  return upTo;
}

/** Not done when the time was over first: what is done stays done, and the next run goes on. */
export async function indexReports(
  dependencies: IndexDependencies,
  tenantId: string,
  { untilMs, signal }: Limit,
): Promise<Indexed> {
  const { database, subjectHash, runningHashes, now } = dependencies;
  const isOver = () => performance.now() >= untilMs || signal?.aborted === true;
  const running: RunningReport[] = [];
  let mark = await database.forTenants([tenantId], (tx) => startingMark(tx, tenantId, subjectHash));
  let isUnbroken = true;
  for (let afterId = mark.upTo; ; ) {
    const { states, missing } = await database.forTenants([tenantId], async (tx) => {
      const states = await listHeldAfter(tx, tenantId, afterId, STATES_AT_A_TIME);
      const ids = states.filter(({ hasKey }) => hasKey).map(({ id }) => id);
      const hashed = await listHashed(tx, tenantId, ids, subjectHash.keyIds);
      const isKnown = ({ id, isRunning }: HeldState) => (isRunning ? runningHashes.has(id) : hashed.has(id));
      return { states, missing: states.filter((state) => state.hasKey && !isKnown(state)) };
    });
    for (let at = 0; at < missing.length; at += OPENED_AT_A_TIME) {
      const some = missing.slice(at, at + OPENED_AT_A_TIME);
      await database.forTenants([tenantId], (tx) => hashSome(tx, dependencies, tenantId, some));
      // After the first of them, so that every run gets on, however little time it has.
      if (isOver() && at + OPENED_AT_A_TIME < missing.length) return { isDone: false, running };
    }
    running.push(
      ...states.flatMap(({ id, isRunning }) => (isRunning ? [{ id, hashes: runningHashes.get(id) ?? [] }] : [])),
    );
    const upTo: string = isUnbroken
      ? reached(mark, states, firstIdAt(new Date(now().getTime() - SETTLED_MS)))
      : mark.upTo;
    isUnbroken &&= upTo === states.at(-1)?.id;
    // All of them: a hash under any of them counted as made.
    const { keyIds } = subjectHash;
    if (upTo !== mark.upTo) {
      mark = { upTo, keyIds };
      const moved = mark;
      await database.forTenants([tenantId], (tx) => upsertMark(tx, tenantId, moved, subjectHash.keyIds));
    }
    if (states.length < STATES_AT_A_TIME) return { isDone: true, running };
    if (isOver()) return { isDone: false, running };
    afterId = states.at(-1)?.id ?? afterId;
  }
}
