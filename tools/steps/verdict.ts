// The last lines of a run: what failed and why, what needed a second try, how long each step took, and how steady the machine was.
// At most LINES_MAX lines, since logs are cut at their beginning.
import { type Machine, machineText } from '../machine/machine.ts';
import type { Taken } from './run-step.ts';
import { SEED } from './steps.ts';

export const LINES_MAX = 60;
const WIDTH_MAX = 240;
/** Beside failures, what needed a second try has at least this many lines. */
const REMARK_LINES_MIN = 8;
/** The lines that are neither failures, remarks nor steps. */
const FRAME_LINES = 4;

export type Run = {
  readonly taken: readonly Taken[];
  readonly planned: number;
  readonly seconds: number;
  readonly machine: Machine;
  /** Which proofs the change asks for, as a sentence. */
  readonly asked: string;
};

export const isPassed = ({ taken, planned }: Pick<Run, 'taken' | 'planned'>): boolean =>
  taken.length === planned && taken.every((step) => step.isPassed);

/** The first lines, and how many more there are. */
const first = (lines: readonly string[], max: number): string[] =>
  lines.length <= max ? [...lines] : [...lines.slice(0, max - 1), `  and ${lines.length - max + 1} more lines`];

export function verdict(run: Run): string[] {
  const { taken, planned, seconds, machine, asked } = run;
  const failed = taken
    .filter((step) => !step.isPassed)
    .toSorted((left, right) => Number(right.isGrave) - Number(left.isGrave));
  const passed = taken.filter((step) => step.isPassed);
  const again = passed.filter(({ tries }) => tries > 1).map(({ title }) => `needed a second try: ${title}`);
  const remarks = [...again, ...passed.flatMap(({ lines }) => lines)];
  const room = LINES_MAX - taken.length - FRAME_LINES;
  const roomOfEach = Math.floor((room - Math.min(remarks.length, REMARK_LINES_MIN)) / Math.max(1, failed.length));
  const failures = failed.flatMap(({ title, isGrave, lines }) => [
    `FAILED: ${title}${isGrave ? ' (final: no repeat clears it)' : ''}`,
    ...first(
      lines.map((line) => `  ${line}`),
      roomOfEach - 1,
    ),
  ]);
  const steps = taken.map(({ title, seconds: each, isPassed: isFine }) => {
    return `${String(each).padStart(5)} s  ${title}${isFine ? '' : ': FAILED'}`;
  });
  const missing = planned - taken.length;
  const lines = [
    ...failures,
    ...first(remarks, room - failures.length),
    ...steps,
    ...(missing > 0 ? [`${missing} steps did not run: the run was stopped`] : []),
    `seed ${SEED}; machine: ${machineText(machine)}`,
    asked,
    `${isPassed(run) ? 'PASSED' : 'REFUSED'} after ${seconds} s`,
  ];
  return lines.map((line) => (line.length > WIDTH_MAX ? `${line.slice(0, WIDTH_MAX)} …` : line));
}
