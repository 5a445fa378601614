// One drill: backups under load, the death of the cluster, the restore to a chosen second and the checks of what came back; then,
// unless it is short, the same once more without a chosen second, which shows what the archive had not received yet.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTally, type Tally } from '../chaos/tally.ts';
import { breakOff, type Light } from '../chaos/verdict.ts';
import { SETTLE_MS, SETTLED_LATE } from '../chaos/watch.ts';
import { type Machine, watchMachine } from '../machine/machine.ts';
import type { Point, Told } from './acknowledged.ts';
import {
  type Backup,
  type BackupKind,
  backUp,
  measureArchive,
  type RestorePoint,
  restore,
  withholdArchive,
} from './backups.ts';
import { awaitSweep, type Checked, checkBooks, checkCursors, type Restored, readRestored, settle } from './books.ts';
import { destroyCluster, fillCluster, startCluster } from './cluster.ts';
import type { Control } from './controls.ts';
import { readGuideStatements } from './guide.ts';
import { aimAt, type DrillLoad, gatherPeople, LOAD_RUNS, type People, startDrillLoad } from './load.ts';
import { type Connected, type Nodes, onStage, type Stage } from './stage.ts';

export type MadeBackup = Backup & { readonly ms: number };

/** How long each part of a return took. */
export type Times = {
  /** pgBackRest writes the files, PostgreSQL replays and is promoted, the schema is checked, nodes and worker start. */
  readonly restoreMs: number;
  readonly replayMs: number;
  readonly stepsMs: number;
  readonly serversMs: number;
  /** From the start of the servers until nothing was open. */
  readonly settleMs: number;
};

export type Return = {
  readonly to: Date | 'end';
  readonly killedAt: Date;
  /** How old the last restored commit was when the cluster died. */
  readonly lostMs: number;
  readonly operations: number;
  readonly restored: Restored;
  readonly times: Times;
  readonly checked: Checked;
};

export type Drill = {
  readonly tally: Tally;
  readonly backups: readonly MadeBackup[];
  readonly archive: { readonly files: number; readonly bytes: number };
  readonly archiveTimeoutSeconds: number;
  readonly returns: readonly Return[];
  readonly machine: Machine;
  readonly totalMs: number;
};

export type DrillOptions = {
  /** How long the load runs between two events. */
  readonly seconds: number;
  readonly archiveTimeoutSeconds: number;
  readonly isShort: boolean;
  /** Of other data in the cluster, so that it has a size worth restoring. */
  readonly fillMegabytes: number;
  readonly seed: number;
  readonly control: Control | undefined;
  readonly say: (line: string) => void;
};

/** Clients and database read one clock here, to the millisecond. */
const MARGIN_MS = 1;
/** From the choice of the second to the second itself: challenges are sent, and their codes arrive. */
const LEAD_MS = 8_000;
const LOOK_MS = 100;
const ARCHIVED_MS_MAX = 120_000;

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const startedMs = performance.now();
  const result = await work();
  return [result, Math.round(performance.now() - startedMs)];
};

/** Everything of a running service. */
type Running = { readonly connected: Connected; readonly nodes: Nodes; readonly load: DrillLoad };

type Play = {
  readonly stage: Stage;
  readonly people: People;
  readonly options: DrillOptions;
  readonly tally: Tally;
  readonly backups: MadeBackup[];
};

async function start({ stage, people, tally }: Play): Promise<Running> {
  const connected = stage.connect();
  const nodes = await stage.startNodes();
  return { connected, nodes, load: startDrillLoad({ stage, people, connected, nodes }, tally) };
}

/** Findings about the drill itself: too little happened. */
export const WITHOUT_LOAD = 'every backup is made under load';
export const NOTHING_UNDER_WAY = 'reports are under way at the chosen second';
const NOTHING_AFTERWARDS = 'the restored service works';

async function makeBackup(
  { stage, backups, options, tally }: Play,
  kind: BackupKind,
  { load }: Running,
): Promise<void> {
  const before = load.told.length;
  const [backup, ms] = await timed(() => backUp(stage.backups, kind));
  backups.push({ ...backup, ms });
  const told = load.told.length - before;
  if (told === 0) tally.find(WITHOUT_LOAD, kind);
  options.say(`${kind} backup: ${ms} ms, ${told} operations acknowledged meanwhile`);
}

/** A restore can only reach a second if the archive has a commit after it. */
async function awaitArchived({ query }: Connected): Promise<void> {
  const [current] = await query<{ wal: string }>('select pg_walfile_name(pg_current_wal_lsn()) as wal');
  const startedMs = performance.now();
  for (;;) {
    const [archiver] = await query<{ wal: string | null }>('select last_archived_wal as wal from pg_stat_archiver');
    if ((archiver?.wal ?? '') >= (current?.wal ?? '')) return;
    if (performance.now() - startedMs > ARCHIVED_MS_MAX) throw new Error('the WAL is not archived');
    await sleep(LOOK_MS);
  }
}

/** Chooses the next whole second but a few, with reports at the bureaus at that second, and lets it pass. */
async function passChosenSecond(play: Play, running: Running): Promise<Date> {
  const chosen = new Date(Math.ceil((Date.now() + LEAD_MS) / 1_000) * 1_000);
  const { answered } = aimAt(chosen.getTime(), { ...play, ...running }, running.load);
  await answered;
  await awaitArchived(running.connected);
  return chosen;
}

/** Nobody waits for the clients of the dead service: some sit over a code that will not come. */
async function destroy(
  { stage }: Play,
  { connected, nodes, load }: Running,
): Promise<Pick<Death, 'killedAt' | 'ended'>> {
  const dying = destroyCluster(stage.cluster);
  const ended = load.stop();
  const killedAt = await dying;
  await Promise.all([nodes.stop(), connected.close().catch(() => undefined)]);
  return { killedAt, ended };
}

async function bringBack(play: Play, to: RestorePoint): Promise<Pick<Times, 'restoreMs' | 'replayMs'>> {
  const { stage, tally } = play;
  const { control } = play.options;
  const actual = to === 'end' || !control?.earlierMs ? to : new Date(to.getTime() - control.earlierMs);
  const [, restoreMs] = await timed(() => restore(stage.backups, stage.cluster, actual));
  try {
    const [, replayMs] = await timed(() => startCluster(stage.cluster));
    return { restoreMs, replayMs };
  } catch (error) {
    if (to === 'end') throw error;
    // An operator in a hurry would take what there is: the books must show what that costs.
    tally.find('PostgreSQL reaches the chosen second', String(error));
    return bringBack(play, 'end');
  }
}

/** What the guide tells an operator to do before the servers start. */
async function followGuide({ stage, tally, options }: Play, connected: Connected): Promise<Restored> {
  const restored = await readRestored(connected);
  await options.control?.damage?.(connected);
  await checkCursors(connected, tally);
  await stage.trefoil('migrate');
  for (const statement of readGuideStatements()) await connected.query(statement);
  return restored;
}

type Death = {
  readonly to: RestorePoint;
  readonly killedAt: Date;
  /** What the dead service told, and when its clients have given up. */
  readonly told: readonly Told[];
  readonly ended: Promise<void>;
};

async function comeBack(play: Play, { to, killedAt, told, ended }: Death): Promise<{ back: Return; running: Running }> {
  const { stage, tally, options } = play;
  const times = await bringBack(play, to);
  const looking = stage.connect();
  const [restored, stepsMs] = await timed(() => followGuide(play, looking));
  await looking.close();
  const [running, serversMs] = await timed(() => start(play));
  const { connected, nodes, load } = running;
  options.say(
    `restored in ${times.restoreMs} ms, replayed in ${times.replayMs} ms, servers ready after ${serversMs} ms`,
  );
  const sweeping = awaitSweep(connected, restored);
  await sleep(options.seconds * 1_000);
  await load.stop();
  if (load.told.length === 0) tally.find(NOTHING_AFTERWARDS, 'no operation was acknowledged');
  const settleMs = await sweeping;
  if (settleMs > SETTLE_MS) tally.find(SETTLED_LATE, `after ${settleMs} ms`);
  await settle(connected);
  await ended;
  const atMs = to === 'end' ? restored.lastCommitAt.getTime() : to.getTime();
  const point: Point = { atMs, marginMs: MARGIN_MS };
  const epoch = { restored, point, told, toldSince: load.told };
  const checked = await checkBooks(stage, { connected, nodes }, epoch, tally);
  const back: Return = {
    ...{ to, killedAt, restored, checked, operations: told.length },
    lostMs: killedAt.getTime() - restored.lastCommitAt.getTime(),
    times: { ...times, stepsMs, serversMs, settleMs },
  };
  return { back, running };
}

async function play(
  stage: Stage,
  options: DrillOptions,
  tally: Tally,
): Promise<Omit<Drill, 'tally' | 'machine' | 'totalMs'>> {
  const { seconds, control, isShort, archiveTimeoutSeconds, say } = options;
  const people = await gatherPeople(stage, options.seed);
  if (options.fillMegabytes > 0) await fillCluster(stage.cluster, options.fillMegabytes);
  const backups: MadeBackup[] = [];
  const playing: Play = { stage, people, options, tally, backups };
  const hold = () => sleep(seconds * 1_000);
  const running = await start(playing);
  await hold();
  await makeBackup(playing, 'full', running);
  await hold();
  await makeBackup(playing, 'incr', running);
  await hold();
  const chosen = await passChosenSecond(playing, running);
  if (!isShort) await hold();
  const { killedAt, ended } = await destroy(playing, running);
  say(`destroyed ${((killedAt.getTime() - chosen.getTime()) / 1_000).toFixed(1)} s after the chosen second`);
  if (control?.isWithheld) say(`withheld: ${await withholdArchive(stage.backups)} files of the archive`);
  const first = await comeBack(playing, { to: chosen, killedAt, ended, told: running.load.told });
  const { underWay } = first.back.restored;
  for (const status of ['pending', 'fetching']) {
    const isThere = [...underWay.values()].includes(status);
    // A drill without reports under way proves nothing about them.
    if (!isThere) tally.find(NOTHING_UNDER_WAY, `none is ${status}`);
  }
  if (first.back.checked.underWayAsked < underWay.size) {
    say(`${underWay.size - first.back.checked.underWayAsked} reports under way had asked no bureau yet`);
  }
  const returns = [first.back];
  if (!isShort && !control) returns.push(await dieWithoutChoice(playing, first.running));
  return { backups, archiveTimeoutSeconds, archive: await measureArchive(stage.backups), returns };
}

/** On the restored service: a backup at once, load, a death at any moment, and a restore of all that was archived. */
async function dieWithoutChoice(playing: Play, { connected, nodes, load: before }: Running): Promise<Return> {
  const { stage, people, options, tally } = playing;
  const load = startDrillLoad({ stage, people, connected, nodes }, tally);
  const running = { connected, nodes, load };
  await makeBackup(playing, 'incr', running);
  // Longer than a segment can stay unarchived, and not a multiple of it.
  await sleep((options.archiveTimeoutSeconds * 1.7 + options.seconds) * 1_000);
  const { killedAt, ended } = await destroy(playing, running);
  options.say('destroyed without a chosen second');
  return (await comeBack(playing, { to: 'end', killedAt, ended, told: [...before.told, ...load.told] })).back;
}

/** With one of the others, too little happened in the drill to prove anything. */
export const LIGHT: Light = {
  times: [SETTLED_LATE],
  others: [WITHOUT_LOAD, NOTHING_UNDER_WAY, NOTHING_AFTERWARDS, LOAD_RUNS],
};

export async function runDrill(options: DrillOptions): Promise<Drill> {
  const startedMs = performance.now();
  const tally = createTally();
  const machine = watchMachine();
  const played = await onStage(options.archiveTimeoutSeconds, (stage) => play(stage, options, tally)).catch(
    (error: unknown) => breakOff(tally, LIGHT, { error, say: options.say }),
  );
  return { tally, ...played, machine: machine.stop(), totalMs: Math.round(performance.now() - startedMs) };
}
