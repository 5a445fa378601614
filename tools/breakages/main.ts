// Proves that the conformance kit detects faults: breaks copies of the server, one way each, and prints which row noticed.
// The tree itself is never edited, and nothing is left behind: no server, no database, no copy.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BREAKAGES, type Breakage } from './breakages.ts';
import { copyBroken, copyTree, editedFiles } from './copy.ts';
import { type Depth, runKit } from './kit.ts';
import { breakageList, describe, type Finding, findingsJson, findingsTable } from './print.ts';
import { startServer } from './server.ts';
import { isFine, judgeBreakage, judgeControl, type Verdict } from './verdict.ts';

const HELP = `Usage: npm run breakages [-- options]

Applies each planted breakage to a copy of the tree, starts that server, runs the conformance kit against it and says
which rows caught it. An unbroken copy must be all green. Needs PostgreSQL and Redis, as "npm run dev" does, and about
six minutes.

  --fast           leave out the breakages that only the five minutes show (about three minutes)
  --only <regex>   only breakages whose id or promise matches, any case; the unbroken copy is always run
  --json           print one JSON object instead of the table
  --list           list the breakages and run nothing
  --help           this text

Exit code: 0 every breakage was caught, 1 one was not or the run was interrupted, 2 the run could not start.`;

/** More would take longer: a server and the kit keep a processor busy. Waiting lanes use none. */
const FAST_LANES = 2;
const STILL_RUNNING_MS = 60_000;

type Job = { readonly id: string; readonly breakage: Breakage | undefined; readonly depth: Depth };
type Run = { readonly workshop: string; readonly unbroken: string; readonly signal: AbortSignal };

const say = (line: string) => process.stderr.write(`${line}\n`);

async function examine(run: Run, { id, breakage, depth }: Job): Promise<Verdict> {
  const directory = join(run.workshop, id);
  try {
    await copyBroken(run.unbroken, directory, breakage);
    const server = await startServer(directory);
    try {
      run.signal.throwIfAborted();
      const results = await runKit(run.unbroken, server.ready, depth, run.signal);
      return breakage ? judgeBreakage(breakage, results) : judgeControl(depth, results);
    } finally {
      await server.stop();
    }
  } catch (error) {
    return { kind: 'not-run', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function inLanes(jobs: readonly Job[], lanes: number, work: (job: Job) => Promise<void>): Promise<void> {
  const queue = jobs.values();
  const lane = async () => {
    for (const job of queue) await work(job);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function examineAll(run: Run, jobs: readonly Job[]): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const running = new Set<string>();
  const work = async (job: Job) => {
    if (run.signal.aborted) return;
    const startedAt = performance.now();
    running.add(job.id);
    const verdict = await examine(run, job);
    running.delete(job.id);
    verdicts.set(job.id, verdict);
    say(`${job.id}: ${describe(verdict)} (${Math.round((performance.now() - startedAt) / 1000)} s)`);
  };
  const reminder = setInterval(() => say(`still running: ${[...running].join(', ')}`), STILL_RUNNING_MS);
  const slow = jobs.filter(({ depth }) => depth !== 'fast');
  const fast = jobs.filter(({ depth }) => depth === 'fast');
  await Promise.all([inLanes(slow, slow.length, work), inLanes(fast, FAST_LANES, work)]);
  clearInterval(reminder);
  return verdicts;
}

/** Removed at the end whatever happens; an interrupted run first stops its servers. */
async function inWorkshop<T>(work: (run: Run) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = () => {
    if (!stop.signal.aborted) say('Stopping the servers and removing the copies.');
    stop.abort(new Error('interrupted'));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, interrupt);
  const workshop = await mkdtemp(join(tmpdir(), 'trefoil-breakages-'));
  try {
    return await work({ workshop, unbroken: join(workshop, 'unbroken'), signal: stop.signal });
  } finally {
    await rm(workshop, { recursive: true, force: true });
    for (const name of signals) process.off(name, interrupt);
  }
}

async function prove(run: Run, chosen: readonly Breakage[], withSlow: boolean): Promise<Finding[]> {
  await copyTree(run.unbroken);
  // All of them before the first server: a breakage that no longer applies should show at once.
  for (const breakage of chosen) await editedFiles(run.unbroken, breakage);
  const due = chosen.filter(({ isSlow }) => withSlow || !isSlow);
  const control: Job = {
    id: 'control',
    breakage: undefined,
    depth: due.some(({ isSlow }) => isSlow) ? 'everything' : 'fast',
  };
  const jobs = due.map((breakage): Job => {
    return { id: breakage.id, breakage, depth: breakage.isSlow ? 'slow-rows' : 'fast' };
  });
  say(`breakages to try: ${jobs.length}, besides the unbroken copy`);
  const verdicts = await examineAll(run, [control, ...jobs]);
  const missing = (id: string): Verdict =>
    due.some((breakage) => breakage.id === id) || id === control.id
      ? { kind: 'not-run', detail: 'interrupted' }
      : { kind: 'skipped', detail: 'runs without --fast' };
  return [{ id: control.id, breaks: 'nothing: the unbroken copy' }, ...chosen].map(({ id, breaks }) => ({
    id,
    breaks,
    verdict: verdicts.get(id) ?? missing(id),
  }));
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      fast: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return { ...values, only: new RegExp(values.only, 'i') };
}

async function main(): Promise<number> {
  const { fast, only, json, list, help } = readOptions();
  if (help) {
    console.log(HELP);
    return 0;
  }
  const chosen = BREAKAGES.filter(({ id, breaks }) => only.test(id) || only.test(breaks));
  if (chosen.length === 0) throw new Error('No breakage matches --only. See --list.');
  if (list) {
    console.log(breakageList(chosen, json));
    return 0;
  }
  const findings = await inWorkshop((run) => prove(run, chosen, !fast));
  console.log(json ? findingsJson(findings) : findingsTable(findings));
  return findings.every(({ verdict }) => isFine(verdict)) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
