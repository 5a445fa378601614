// One scenario on one tree: opens its stage, plays it, lets everything settle, and checks the answers against the ledger.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTally, type Tally } from '../chaos/tally.ts';
import { type ExitCode, exitCode } from '../chaos/verdict.ts';
import { SETTLE_MS, SETTLED_LATE } from '../chaos/watch.ts';
import { isSlow, machineText, watchMachine } from '../machine/machine.ts';
import { check } from './books.ts';
import { LIGHT } from './light.ts';
import type { Figures, Scenario } from './scenario.ts';
import { onStage, type Stage } from './stage.ts';

export type Played = {
  readonly findings: readonly string[];
  readonly code: ExitCode;
  readonly figures: Figures;
};

export type Setting = {
  /** The tree the servers run from. */
  readonly directory: string;
  readonly seconds: number;
  readonly isShort: boolean;
  readonly say: (line: string) => void;
  /** Rejects when the run is interrupted. */
  readonly interrupted: Promise<never>;
};

const LIMIT_SECONDS = 300;
const SETTLE_MS_MAX = 150_000;

function writeFindings({ findings }: Tally): string[] {
  return [...findings].map(([about, { count, examples }]) => `${about} (${count}): ${examples.join('; ')}`);
}

/** Errors in the servers' logs explain a finding; by themselves they are not findings. */
function tellLogs({ api, worker }: Stage, say: Setting['say']): void {
  for (const [name, { logged }] of [['api', api] as const, ['worker', worker] as const]) {
    for (const [text, times] of logged) say(`  ${name} logged ${times} × ${text}`);
  }
}

async function playOn(stage: Stage, scenario: Scenario, setting: Setting, tally: Tally): Promise<Figures> {
  const { seconds, isShort, say } = setting;
  const run = { stage, tally, seconds, isShort, say };
  const played = await scenario.play(run);
  say('  last look');
  for (const [name, server] of [['api', stage.api] as const, ['worker', stage.worker] as const]) {
    if (!server.isRunning()) tally.find('the servers live', `${name} has ended`);
  }
  const { reportOf, ...checked } = await check(stage, tally, SETTLE_MS_MAX);
  if (checked.settledMs > SETTLE_MS) tally.find(SETTLED_LATE, `after ${checked.settledMs} ms`);
  const judged = await scenario.judge?.(run, { ...checked, reportOf }, played);
  tellLogs(stage, say);
  return {
    ...played,
    ...judged,
    interruptedAfterAsked: checked.interruptedAfterAsked,
    settledMs: checked.settledMs,
    reports: checked.reports,
    answers: checked.answers,
  };
}

export async function runScenario(scenario: Scenario, setting: Setting): Promise<Played> {
  const tally = createTally();
  const watching = watchMachine();
  const startedMs = performance.now();
  const limitSeconds = scenario.limitSeconds ?? LIMIT_SECONDS;
  let figures: Figures = {};
  try {
    figures = await onStage({ directory: setting.directory, wish: scenario.wish, pace: setting }, (stage) => {
      const late = sleep(limitSeconds * 1_000, undefined, { ref: false }).then(() => {
        throw new Error(`not ended after ${limitSeconds} s`);
      });
      return Promise.race([playOn(stage, scenario, setting, tally), late, setting.interrupted]);
    });
  } catch (error) {
    tally.find('the scenario runs', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const machine = watching.stop();
  return {
    findings: writeFindings(tally),
    code: exitCode(tally, LIGHT, isSlow(machine)),
    figures: { ...figures, seconds, machine: machineText(machine) },
  };
}
