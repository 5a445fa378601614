// The outcome of a run as text for people or as JSON for programs.
import { FAILPOINTS } from '../../server/src/credit-reports/failpoints.ts';
import { isSlow, type Machine, machineText } from '../machine/machine.ts';
import type { Checked } from './checks.ts';
import { ANSWERED_LATE } from './client.ts';
import type { Kills } from './kills.ts';
import type { Options } from './options.ts';
import type { Tally } from './tally.ts';
import { type ExitCode, exitCode, type Light, repeatLines } from './verdict.ts';
import { OPEN_TOO_LONG, SETTLED_LATE, type Watch } from './watch.ts';

export type Outcome = {
  readonly options: Options;
  readonly tally: Tally;
  readonly kills: Kills;
  readonly watch: Pick<Watch, 'oldest' | 'reconciliations'>;
  readonly checked: Checked;
  readonly loadMs: number;
  readonly totalMs: number;
  /** From the last answer to a client until nothing was open. */
  readonly settledMs: number;
  readonly receipts: number;
  readonly machine: Machine;
};

export const LIGHT: Light = {
  times: [OPEN_TOO_LONG, ANSWERED_LATE, SETTLED_LATE],
  others: ['every failpoint is reached', 'nodes start', 'the run can look'],
};

export function exitCodeOf({ tally, machine }: Pick<Outcome, 'tally' | 'machine'>): ExitCode {
  return exitCode(tally, LIGHT, isSlow(machine));
}

const entries = (counts: ReadonlyMap<string | number, number>) =>
  [...counts].map(([name, number]) => `${number.toLocaleString('en')} ${name}`).join(', ');
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

function rowsOf({ options, tally, kills, watch, checked, loadMs, totalMs, settledMs, receipts, machine }: Outcome) {
  const reports = [...checked.reports.values()].reduce((sum, number) => sum + number, 0);
  return [
    ...FAILPOINTS.map((name) => [`deaths at ${name}`, `${kills.atPoint.get(name) ?? 0} of ${options.killsPerPoint}`]),
    ['deaths at random', `${kills.atRandom} of ${options.randomKills}`],
    ['frozen and woken', String(kills.frozen)],
    ['operations', `${tally.operations.toLocaleString('en')}, all of them keyed, in ${seconds(loadMs)}`],
    [
      'requests',
      `${tally.requests.toLocaleString('en')} (${(tally.requests / (loadMs / 1_000)).toFixed(0)} a second); ${tally.cut} were cut by a death`,
    ],
    ['answers', entries(tally.statuses)],
    ['longest wait for an answer', seconds(tally.longestWaitMs)],
    ['live reports', `${reports.toLocaleString('en')}: ${entries(checked.reports)}`],
    [
      'credits',
      `${checked.chargedCredits.toLocaleString('en')} charged for reports, ${checked.refundedCredits.toLocaleString('en')} refunded`,
    ],
    [
      'messages',
      `${checked.sends.toLocaleString('en')}, ${checked.delivered.toLocaleString('en')} delivered; ${receipts.toLocaleString('en')} receipts`,
    ],
    ['enquiries', `${checked.enquiries.toLocaleString('en')} at bureaus and screening`],
    [
      'oldest seen',
      `pending ${watch.oldest.pending.toFixed(1)} s, fetching ${watch.oldest.fetching.toFixed(1)} s, message not submitted ${watch.oldest.queued.toFixed(1)} s`,
    ],
    ['nothing open', `${seconds(settledMs)} after the last answer`],
    ['reconciliations under load', String(watch.reconciliations)],
    ['machine', machineText(machine)],
    ['whole run', `${seconds(totalMs)}, seed ${options.seed}`],
  ] as const;
}

export function outcomeTable(outcome: Outcome): string {
  const rows = rowsOf(outcome);
  const width = Math.max(...rows.map(([name = '']) => name.length));
  const lines = rows.map(([name = '', value = '']) => `${name.padEnd(width)}  ${value}`);
  const { findings, logErrors } = outcome.tally;
  if (logErrors.size > 0) {
    lines.push('', 'Errors in the servers’ logs (for information):');
    for (const [text, times] of logErrors) lines.push(`  ${times} × ${text}`);
  }
  lines.push('');
  for (const [about, { count, examples }] of findings) {
    lines.push(`BROKEN: ${about} (${count} times)`, ...examples.map((example) => `  ${example}`));
  }
  lines.push(exitCodeOf(outcome) === 0 ? 'Nothing was found.' : `${findings.size} promises are broken.`);
  return [...lines, ...repeatLines(exitCodeOf(outcome))].join('\n');
}

export function outcomeJson(outcome: Outcome): string {
  const { options, tally, kills, watch, checked, loadMs, totalMs, settledMs, receipts, machine } = outcome;
  return JSON.stringify({
    ok: exitCodeOf(outcome) === 0,
    seed: options.seed,
    findings: Object.fromEntries(tally.findings),
    kills: { atPoint: Object.fromEntries(kills.atPoint), atRandom: kills.atRandom, frozen: kills.frozen },
    operations: tally.operations,
    requests: tally.requests,
    cut: tally.cut,
    statuses: Object.fromEntries(tally.statuses),
    longestWaitMs: Math.round(tally.longestWaitMs),
    oldestSeconds: watch.oldest,
    ...checked,
    reports: Object.fromEntries(checked.reports),
    receipts,
    logErrors: Object.fromEntries(tally.logErrors),
    machine,
    ...{ loadMs: Math.round(loadMs), settledMs: Math.round(settledMs), totalMs: Math.round(totalMs) },
  });
}
