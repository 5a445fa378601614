// A drill as text for people or as JSON for programs.
import { type ExitCode, exitCode, type Light, repeatLines } from '../chaos/verdict.ts';
import { OPEN_TOO_LONG } from '../chaos/watch.ts';
import type { Drill } from './drill.ts';

export const LIGHT: Light = {
  times: [OPEN_TOO_LONG],
  others: [
    'a stopped process ends well',
    'every call gets its answer, after the client library’s own retries',
    'every node becomes ready',
    'every phase has load',
    'the load runs',
    'the run can look',
  ],
};

export const hasHeld = ({ tally }: Pick<Drill, 'tally'>) => tally.findings.size === 0;

/** The drill does not measure the machine: `npm run prove` does. */
export const exitCodeOf = ({ tally }: Pick<Drill, 'tally'>): ExitCode => exitCode(tally, LIGHT, false);

const list = (counts: ReadonlyMap<string | number, number>) =>
  [...counts].map(([name, n]) => `${n} × ${name}`).join(', ');

export function drillText(drill: Drill): string {
  const { phases, tally, rewrapped, readable, handedOver, nodes, totalMs } = drill;
  const width = Math.max(...phases.map(({ name }) => name.length));
  const lines = phases.map(
    ({ name, seconds, operations, unavailable }) =>
      `${name.padEnd(width)}  ${seconds.toFixed(1).padStart(5)} s  ${operations} operations, ${unavailable} answered 503`,
  );
  lines.push(
    '',
    `answers    ${list(tally.statuses)}; the longest operation ${(tally.longestWaitMs / 1_000).toFixed(1)} s`,
    `re-wrapped ${rewrapped.join(', then ')} data keys; ${readable} reports read at the end`,
  );
  const { tokens, tokenKeys, evidences, evidenceKeys } = handedOver;
  lines.push(
    `handed on  ${tokens} tokens of ${tokenKeys} keys and ${evidences} evidences of ${evidenceKeys} keys, made at one node and tried at the other`,
  );
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
  const { tally, nodes: _, ...rest } = drill;
  return JSON.stringify({
    ok: hasHeld(drill),
    ...rest,
    findings: Object.fromEntries(tally.findings),
    operations: tally.operations,
    requests: tally.requests,
    statuses: Object.fromEntries(tally.statuses),
    longestWaitMs: Math.round(tally.longestWaitMs),
  });
}
