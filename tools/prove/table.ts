// docs/proofs.md: one row for each check, written and read by this program alone. A run replaces the rows of the checks that it ran;
// git has the earlier ones.
import type { Machine } from '../machine/machine.ts';
import type { Check } from './check.ts';
import type { Outcome } from './run-check.ts';

export const PROOFS_PATH = 'docs/proofs.md';
export const NOT_YET_RUN = 'not yet run';

const COLUMNS = [
  ...(['check', 'verdict', 'figures', 'seconds', 'tries', 'longest stop', 'stolen', 'foreign', 'seed'] as const),
  ...(['commit', 'date'] as const),
] as const;
export type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

const FIGURES_MAX = 400;

const OPENING = `# Proofs

\`npm run prove\` writes this page; do not edit it. A *check* is a run that takes long, kills something, explores with random seeds, or is
judged by time. Each has one row: the result of its last complete run, on which commit and when. The history of this file has the
earlier ones. [CONTRIBUTING.md](../CONTRIBUTING.md) says how to run them, and \`npm run prove -- --list\` what each does.

- **held**: it passed. \`bench\` and \`bench-provenance\` judge no figure, and \`bench-fingerprints\` only that no row was written: their
  figures say which goals were not reached.
- **not held**: it failed twice with the same seed, or found at once what no repeat may clear: the books do not add up, a credit was
  lost or charged twice, a fourth guess was judged, another tenant's row was seen, an event was lost.
- **unsteady**: it failed once, then passed with the same seed.
- **machine too noisy**: a bar on time, rate or ratio failed three times, each time while the machine was disturbed. It says nothing
  about the service.

Disturbed means: the machine stood still for more than 300 ms (*longest stop*), the host took more than 1 % of the processor time that
programs wanted (*stolen*), or other programs used more than 15 % of the machine's processor time (*foreign*). The columns have the
worst of all tries. A \`+\` after the commit means that files had changes that were not committed.
`;

const escapeCell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('|', '\\|').trim();
const unescapeCell = (text: string) => text.replace(/\\(.)/g, '$1').trim();
const cut = (text: string) => (text.length > FIGURES_MAX ? `${text.slice(0, FIGURES_MAX)} …` : text);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const noiseOf = ({ longestStopMs, stolenShare, foreignShare }: Machine) => ({
  'longest stop': `${longestStopMs} ms`,
  stolen: percent(stolenShare),
  foreign: percent(foreignShare),
});

type Proved = { readonly commit: string; readonly date: string };

export function rowOf(
  { check, verdict, figures, seconds, tries, machine, seed }: Outcome,
  { commit, date }: Proved,
): Row {
  return {
    ...{ check, verdict, figures: cut(figures), seconds: String(seconds), tries: String(tries) },
    ...noiseOf(machine),
    ...{ seed: seed === undefined ? '' : String(seed), commit, date },
  };
}

/** Every check has its row, in the order of the list; rows of checks that are gone are left out. */
export function writeProofs(checks: readonly Pick<Check, 'name'>[], rows: readonly Row[]): string {
  const cellsOf = (name: string) => {
    const row = rows.findLast(({ check }) => check === name);
    return COLUMNS.map((column) => (row ? row[column] : { check: name, verdict: NOT_YET_RUN }[column as string]) ?? '');
  };
  const body = checks.map(({ name }) => lineOf(cellsOf(name).map(escapeCell)));
  return `${[OPENING, lineOf(COLUMNS), lineOf(COLUMNS.map(() => '---')), ...body].join('\n')}\n`;
}

/** The rows of checks that were run; a line that is no such row is passed over. */
export function readProofs(text: string): Row[] {
  return text.split('\n').flatMap((line): Row[] => {
    // A bar after a backslash belongs to its cell.
    const cells = line.split(/(?<!\\)\|/);
    if (cells.length !== COLUMNS.length + 2) return [];
    const row = Object.fromEntries(COLUMNS.map((column, at) => [column, unescapeCell(cells[at + 1] ?? '')])) as Row;
    return /^\d{4}-\d\d-\d\d$/.test(row.date) ? [row] : [];
  });
}

const SHOWN = COLUMNS.filter((column) => column !== 'commit' && column !== 'date');

/** For the end of a run, with columns of equal width. */
export function showTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => rowOf(outcome, { commit: '', date: '' }));
  const lines = [SHOWN as readonly string[], ...rows.map((row) => SHOWN.map((column) => row[column]))];
  // The figures are long, and come last.
  const order = [...SHOWN.keys()].toSorted((a, b) => Number(SHOWN[a] === 'figures') - Number(SHOWN[b] === 'figures'));
  const width = (at: number) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0));
  return lines
    .map((cells) =>
      order
        .map((at) => (cells[at] ?? '').padEnd(width(at)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
