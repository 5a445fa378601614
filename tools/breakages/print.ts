// Findings and breakages as text for people or as JSON for programs.
import type { Breakage } from './breakages.ts';
import { isFine, type Verdict } from './verdict.ts';

export type Finding = { readonly id: string; readonly breaks: string; readonly verdict: Verdict };

const ROWS_SHOWN = 3;

export function describe(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'caught': {
      const more = verdict.rows.length - ROWS_SHOWN;
      return `${verdict.rows.slice(0, ROWS_SHOWN).join(', ')}${more > 0 ? ` +${more}` : ''}`;
    }
    case 'not-caught':
      return `NOT CAUGHT: ${verdict.detail}`;
    case 'green':
      return `green: ${verdict.detail}`;
    case 'not-green':
      return `NOT GREEN: ${verdict.detail}`;
    case 'skipped':
      return `skipped: ${verdict.detail}`;
    case 'not-run':
      return `NOT RUN: ${verdict.detail}`;
    default:
      return verdict satisfies never;
  }
}

const indent = (text: string, width: number) => text.replaceAll('\n', `\n${' '.repeat(width)}`);

function columns(lines: readonly (readonly [string, string, string])[]): string {
  const [first, second] = [0, 1].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const [one, two] = [first ?? 0, second ?? 0];
  return lines
    .map(([a, b, c]) => `${a.padEnd(one)}  ${b.padEnd(two)}  ${indent(c, one + two + 4)}`.trimEnd())
    .join('\n');
}

export function findingsTable(findings: readonly Finding[]): string {
  const table = columns([
    ['BREAKAGE', 'WHAT IT BREAKS', 'CAUGHT BY'],
    ...findings.map(({ id, breaks, verdict }): [string, string, string] => [id, breaks, describe(verdict)]),
  ]);
  const count = (kind: Verdict['kind']) => findings.filter(({ verdict }) => verdict.kind === kind).length;
  const wrong = findings.filter(({ verdict }) => !isFine(verdict)).length;
  const skipped = count('skipped');
  return `${table}\n\n${count('caught')} caught, ${skipped} skipped, ${wrong} not as they must be`;
}

export function findingsJson(findings: readonly Finding[]): string {
  return JSON.stringify({
    ok: findings.every(({ verdict }) => isFine(verdict)),
    findings: findings.map(({ id, breaks, verdict }) => ({ id, breaks, ...verdict })),
  });
}

export function breakageList(breakages: readonly Breakage[], json: boolean): string {
  if (json) {
    return JSON.stringify(
      breakages.map(({ id, breaks, sentence, isSlow, edits }) => ({
        id,
        breaks,
        sentence,
        isSlow: isSlow ?? false,
        edits,
      })),
    );
  }
  return columns(
    breakages.map(({ id, breaks, sentence, isSlow }) => [id, breaks, `${sentence}${isSlow ? ' (slow)' : ''}`]),
  );
}
