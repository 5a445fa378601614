// The outcome of a run as text for people or as JSON for programs.

import { ANSWERED_LATE } from '../chaos/client.ts';
import type { Findings } from '../chaos/tally.ts';
import { type ExitCode, exitCode, isGrave, type Light, repeatLines } from '../chaos/verdict.ts';
import { OPEN_TOO_LONG } from '../chaos/watch.ts';
import { isSlow, type Machine, machineText } from '../machine/machine.ts';
import { type Spread, spreadOf } from './gaps.ts';
import type { Round } from './play.ts';
import { GAP, REJOIN } from './settings.ts';

export type ScenarioOutcome = {
  readonly name: string;
  readonly wantedRounds: number;
  readonly rounds: readonly Round[];
};

export type Outcome = {
  readonly ttl: number;
  readonly seed: number;
  readonly scenarios: readonly ScenarioOutcome[];
  /** Undefined if the control was not run. */
  readonly control: Round | undefined;
  readonly hasControl: boolean;
  readonly findings: ReadonlyMap<string, Findings>;
  /** Errors in the servers' logs, for information. */
  readonly logErrors: ReadonlyMap<string, number>;
  readonly figures: { readonly reports: number; readonly credits: number; readonly slowestAnswerMs: number };
  readonly machine: Machine;
  readonly totalMs: number;
};

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

/** The run came to no end, or its control lost nothing: it says neither that something was lost nor that nothing was. */
export const UNENDED = 'the run goes on';

export const LIGHT: Light = {
  times: [GAP, REJOIN, OPEN_TOO_LONG, ANSWERED_LATE, 'every answer comes within its deadline'],
  others: [
    UNENDED,
    'a failure finds reports whose bureaus were asked',
    'another machine becomes primary',
    'every operation gets a definite answer',
    'every request is answered',
    'nodes start',
    'the load runs',
    'the primary stays',
    'the run can look',
  ],
};

export function exitCodeOf(outcome: Outcome): ExitCode {
  const { findings, machine } = outcome;
  // Rounds that are missing and a control that lost nothing are complaints without a finding.
  if (complaintsOf(outcome).length > findings.size) return isGrave(findings.keys(), LIGHT) ? 1 : 3;
  return exitCode(outcome, LIGHT, isSlow(machine));
}

/** The reasons why a run does not count as passed. */
export function complaintsOf({ scenarios, control, hasControl, findings }: Outcome): string[] {
  return [
    ...[...findings].map(([about, { count, examples }]) => `${about} (${count} times): ${examples.join('; ')}`),
    ...scenarios
      .filter(({ rounds, wantedRounds }) => rounds.length < wantedRounds)
      .map(({ name, rounds, wantedRounds }) => `${name} had ${rounds.length} of ${wantedRounds} rounds`),
    ...(hasControl && !control ? ['the control did not end'] : []),
    ...(control && control.lost === 0 ? ['the control lost nothing, so the run proves nothing'] : []),
  ];
}

export function roundLine(round: Round): string {
  const inside = round.insideCredits > 0 ? `, ${round.insideCredits} writes acknowledged inside` : '';
  return (
    `${round.primaries} at ${round.failedAt.slice(11, 19)}, no write for ${seconds(round.gapMs)} s (credits ${seconds(round.creditGapMs)} s), ` +
    `whole ${seconds(round.rejoinMs)} s after mending, ${round.lost} lost, ${round.doubled} doubled, ` +
    `${round.unavailable} × 503, ${round.completed}/${round.asked} reports in progress completed${inside}`
  );
}

const spreadText = (spread: Spread | undefined) =>
  spread ? `${seconds(spread.least)} / ${seconds(spread.median)} / ${seconds(spread.most)}` : '–';

const sum = (rounds: readonly Round[], figure: (round: Round) => number) =>
  rounds.reduce((total, round) => total + figure(round), 0);

function cellsOf({ name, rounds, wantedRounds }: ScenarioOutcome): string[] {
  return [
    name,
    `${rounds.length}/${wantedRounds}`,
    spreadText(spreadOf(rounds.map(({ gapMs }) => gapMs))),
    spreadText(spreadOf(rounds.map(({ creditGapMs }) => creditGapMs))),
    spreadText(spreadOf(rounds.map(({ rejoinMs }) => rejoinMs))),
    String(sum(rounds, ({ lost }) => lost)),
    String(sum(rounds, ({ doubled }) => doubled)),
    `${sum(rounds, ({ completed }) => completed)}/${sum(rounds, ({ asked }) => asked)}`,
    String(sum(rounds, ({ insideCredits }) => insideCredits)),
    String(sum(rounds, ({ unavailable }) => unavailable)),
  ];
}

const HEADINGS = [
  ...['scenario', 'rounds', 'gap s (least/median/most)', 'gap of credits s', 'whole again s'],
  ...['lost', 'doubled', 'in progress', 'inside', '503'],
];

export function outcomeTable(outcome: Outcome): string {
  const { control, figures, logErrors, machine, scenarios, totalMs, ttl, seed } = outcome;
  const rows = [HEADINGS, ...scenarios.map(cellsOf)];
  const widths = HEADINGS.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0)));
  const lines =
    scenarios.length === 0
      ? []
      : rows.map((row) =>
          row
            .map((cell, place) => cell.padEnd(widths[place] ?? 0))
            .join('  ')
            .trimEnd(),
        );
  if (control) lines.push(`control: ${control.lost} acknowledged writes lost with asynchronous replication`);
  const complaints = complaintsOf(outcome);
  return [
    ...lines,
    `${figures.reports} reports and ${figures.credits} purchases acknowledged, slowest answer ${seconds(figures.slowestAnswerMs)} s`,
    `ttl ${ttl} s, seed ${seed}, ${Math.round(totalMs / 1_000)} s; ${machineText(machine)}`,
    // While the database is away they are many, and of interest only if something is wrong.
    ...(complaints.length > 0 ? [...logErrors].map(([text, times]) => `${times} × in a log: ${text}`) : []),
    ...complaints.map((complaint) => `BROKEN: ${complaint}`),
    complaints.length === 0 ? 'Nothing was lost.' : `${complaints.length} promises are broken.`,
    ...repeatLines(exitCodeOf(outcome)),
  ].join('\n');
}

export function outcomeJson(outcome: Outcome): string {
  const complaints = complaintsOf(outcome);
  const logErrors = Object.fromEntries(outcome.logErrors);
  return JSON.stringify({ ok: complaints.length === 0, complaints, ...outcome, findings: undefined, logErrors });
}
