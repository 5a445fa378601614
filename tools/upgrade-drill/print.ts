// A drill as text for people or as JSON for programs.
import { type ExitCode, exitCode, type Light, repeatLines } from '../chaos/verdict.ts';
import { OPEN_TOO_LONG } from '../chaos/watch.ts';
import { isSlow, machineText } from '../machine/machine.ts';
import type { Drill } from './drill.ts';
import previous from './previous.json' with { type: 'json' };

const LIGHT: Light = {
  times: [OPEN_TOO_LONG],
  others: [
    'a stopped process ends well',
    'every node becomes ready',
    'every phase has load',
    'the load runs',
    'the migration succeeds under load',
    'the proxy counts',
    'the run can look',
  ],
};
/** That no request is lost is what the drill is for: only a machine that was measured as slow explains these. */
const OF_A_SLOW_MACHINE = [
  'every call gets its answer, after the client library’s own retries',
  'no node that the proxy uses refuses a connection',
];

export const lightOn = (isMachineSlow: boolean): Light =>
  isMachineSlow ? { ...LIGHT, others: [...LIGHT.others, ...OF_A_SLOW_MACHINE] } : LIGHT;

export const hasHeld = ({ tally }: Pick<Drill, 'tally'>) => tally.findings.size === 0;

export function exitCodeOf({ tally, machine }: Pick<Drill, 'tally' | 'machine'>): ExitCode {
  const isMachineSlow = isSlow(machine);
  return exitCode(tally, lightOn(isMachineSlow), isMachineSlow);
}

const list = (counts: ReadonlyMap<string | number, number>) =>
  [...counts].map(([name, n]) => `${n} × ${name}`).join(', ');

export function drillText(drill: Drill): string {
  const { phases, tally, nodes, proxy, checked, migrateTries, machine, totalMs } = drill;
  const width = Math.max(...phases.map(({ name }) => name.length));
  const lines = phases.map(
    ({ name, seconds, operations, requests, unavailable }) =>
      `${name.padEnd(width)}  ${seconds.toFixed(1).padStart(5)} s  ${operations} operations in ${requests} requests, ${unavailable} answered 503`,
  );
  lines.push(
    '',
    `previous version  ${previous.commit.slice(0, 12)}; migrated after ${migrateTries} ${migrateTries === 1 ? 'try' : 'tries'}`,
    `answers           ${list(tally.statuses)}; the longest operation ${(tally.longestWaitMs / 1_000).toFixed(1)} s`,
    `proxy             ${proxy.requests} requests, ${proxy.cut} answers cut, ${proxy.refused} connections refused`,
    `stopped after     ${nodes.stopMs.join(', ')} ms`,
    `ready after       ${nodes.readyMs.join(', ')} ms`,
    `machine           ${machineText(machine)}`,
  );
  if (checked) {
    lines.push(
      `books             ${list(checked.reports)}; ${checked.chargedCredits} credits charged; ${checked.events} events`,
    );
  }
  if (nodes.logged.size > 0) lines.push('', 'Warnings and errors of stopped servers (for information):');
  for (const [line, times] of nodes.logged) lines.push(`  ${times} × ${line}`);
  lines.push('');
  for (const [about, { count, examples }] of tally.findings) {
    lines.push(`BROKEN: ${about} (${count} times)`, ...examples.map((example) => `  ${example}`));
  }
  lines.push(
    `${hasHeld(drill) ? 'Nothing was found' : `${tally.findings.size} promises are broken`}, in ${Math.round(totalMs / 1_000)} s.`,
  );
  return [...lines, ...repeatLines(exitCodeOf(drill))].join('\n');
}

export function drillJson(drill: Drill): string {
  const { tally, nodes, checked, ...rest } = drill;
  return JSON.stringify({
    ok: hasHeld(drill),
    previous: previous.commit,
    ...rest,
    findings: Object.fromEntries(tally.findings),
    operations: tally.operations,
    requests: tally.requests,
    statuses: Object.fromEntries(tally.statuses),
    longestWaitMs: Math.round(tally.longestWaitMs),
    ...{ stopMs: nodes.stopMs, readyMs: nodes.readyMs },
    ...(checked && { books: { ...checked, reports: Object.fromEntries(checked.reports) } }),
  });
}
