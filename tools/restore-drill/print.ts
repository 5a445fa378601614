// A drill as text for people or as JSON for programs.
import { type ExitCode, exitCode, repeatLines } from '../chaos/verdict.ts';
import { isSlow, machineText } from '../machine/machine.ts';
import { type Drill, LIGHT, type Return } from './drill.ts';

export function exitCodeOf({ tally, machine }: Pick<Drill, 'tally' | 'machine'>): ExitCode {
  return exitCode(tally, LIGHT, isSlow(machine));
}

const list = (counts: ReadonlyMap<string | number, number>) =>
  [...counts].map(([name, number]) => `${number} × ${name}`).join(', ') || 'none';
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function returnLines({ to, killedAt, lostMs, operations, restored, times, checked }: Return): string[] {
  const { restoreMs, replayMs, stepsMs, serversMs, settleMs } = times;
  const point = to === 'end' ? 'the end of the archive' : to.toISOString();
  return [
    '',
    `Restored to ${point}; destroyed at ${killedAt.toISOString()}`,
    `recovery time     ${seconds(restoreMs + replayMs + stepsMs + serversMs)}: files ${seconds(restoreMs)}, replay ${seconds(replayMs)}, ` +
      `steps ${seconds(stepsMs)}, servers ${seconds(serversMs)}; ${megabytes(restored.bytes)}, timeline ${restored.timeline}`,
    `recovery point    the last restored commit was ${seconds(lostMs)} old when the cluster died`,
    `operations        ${operations} answers: ${checked.before} operations acknowledged before, ${checked.across} under way, ` +
      `${checked.after} sent after; ${checked.lost} acknowledged and lost`,
    `under way         ${list(checked.underWay)}; bureaus had been asked about ${checked.underWayAsked}; settled after ${seconds(settleMs)}`,
    `read again        ${checked.readBack} reports; ${checked.sentAgain} messages sent again`,
  ];
}

export function drillText(drill: Drill): string {
  const { tally, backups, archive, archiveTimeoutSeconds, returns, machine, totalMs } = drill;
  const lines = backups.map(
    ({ type, ms, databaseBytes, addedBytes }) =>
      `${type.padEnd(4)} backup       ${seconds(ms)}; ${megabytes(databaseBytes)} of database, ${megabytes(addedBytes)} added to the repository`,
  );
  lines.push(
    `archive           ${archive.files} segments, ${megabytes(archive.bytes)}; archive_timeout ${archiveTimeoutSeconds} s`,
  );
  lines.push(`answers           ${list(tally.statuses)}`);
  for (const each of returns) lines.push(...returnLines(each));
  lines.push('');
  for (const [about, { count, examples }] of tally.findings) {
    lines.push(`BROKEN: ${about} (${count} times)`, ...examples.map((example) => `  ${example}`));
  }
  const verdict = exitCodeOf(drill) === 0 ? 'Nothing was found' : `${tally.findings.size} promises are broken`;
  lines.push(`${verdict}, in ${Math.round(totalMs / 1_000)} s; ${machineText(machine)}.`);
  return [...lines, ...repeatLines(exitCodeOf(drill))].join('\n');
}

export function drillJson(drill: Drill): string {
  const { tally, returns, ...rest } = drill;
  return JSON.stringify({
    ok: exitCodeOf(drill) === 0,
    ...rest,
    returns: returns.map(({ restored, checked, ...each }) => ({
      ...each,
      restored: {
        ...restored,
        underWay: Object.fromEntries(restored.underWay),
        queuedSends: restored.queuedSends.size,
      },
      checked: { ...checked, underWay: Object.fromEntries(checked.underWay) },
    })),
    findings: Object.fromEntries(tally.findings),
    statuses: Object.fromEntries(tally.statuses),
  });
}
