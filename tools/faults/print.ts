// The outcome of a scenario as text for people or as a line of JSON for programs.
import { type ExitCode, repeatLines } from '../chaos/verdict.ts';
import type { Played } from './run-scenario.ts';
import type { Figures } from './scenario.ts';

export type Outcome = Played & {
  readonly scenario: string;
  /** Null when there was none: not requested, or the scenario has no plant. It failed when it found what it should find. */
  readonly control: { readonly failed: boolean; readonly findings: readonly string[] } | null;
};

/** A control that did not fail shows that the scenario cannot fail: then its own success says nothing. */
export function hasHeld({ findings, control }: Outcome): boolean {
  return findings.length === 0 && control?.failed !== false;
}

/** A control that holds may have met a slow machine: that asks for another run, and hides nothing that was found. */
export function exitCodeOf({ code, control }: Pick<Outcome, 'code' | 'control'>): ExitCode {
  return control?.failed === false && code !== 1 ? 3 : code;
}

export function outcomeJson(outcome: Outcome): string {
  const { scenario, findings, control, figures } = outcome;
  return JSON.stringify({
    scenario,
    held: hasHeld(outcome),
    exitCode: exitCodeOf(outcome),
    findings,
    control: control && { failed: control.failed },
    figures,
  });
}

function writeFigure(value: Figures[string]): string {
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.join(', ');
  return Object.entries(value)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');
}

export function outcomeText(outcome: Outcome): string {
  const { scenario, findings, control, figures } = outcome;
  const width = Math.max(0, ...Object.keys(figures).map((name) => name.length));
  const lines = [`${scenario}: ${hasHeld(outcome) ? 'held' : 'BROKEN'}`];
  for (const [name, value] of Object.entries(figures)) lines.push(`  ${name.padEnd(width)}  ${writeFigure(value)}`);
  for (const finding of findings) lines.push(`  BROKEN: ${finding}`);
  for (const line of repeatLines(exitCodeOf(outcome))) lines.push(`  ${line}`);
  if (control) {
    lines.push(control.failed ? '  Without its remedy it fails:' : '  BROKEN: it holds without its remedy as well');
    for (const finding of control.findings) lines.push(`    ${finding}`);
  }
  return lines.join('\n');
}

const firstLine = (text: string) => text.split('\n', 1)[0];

/** The last lines of a run of several scenarios: what did not hold, where a reader of a long log looks first. */
export function brokenText(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter((outcome) => !hasHeld(outcome))
    .map(
      ({ scenario, findings }) =>
        `${scenario} did not hold: ${findings.map(firstLine).join('; ') || 'its control held'}`,
    );
}
