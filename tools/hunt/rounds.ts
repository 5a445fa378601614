// How `npm run hunt` runs test files, and what it concludes. A test that fails in one round and passes in another depends on the machine.
import { describeRun, type TestRun } from '../steps/test-run.ts';

export type Round = {
  readonly name: string;
  /** As many busy loops as there are processors. */
  readonly isBusy?: boolean;
  /** Everything stands still for 1.5 s, again and again. */
  readonly hasStops?: boolean;
};

/** Each in an order of its own: what a file leaves behind may only show in the next one. */
export const ROUNDS: readonly Round[] = [
  { name: 'calm' },
  { name: 'beside busy loops', isBusy: true },
  { name: 'with stops of 1.5 s', hasStops: true },
  { name: 'beside busy loops, again', isBusy: true },
  { name: 'with stops of 1.5 s, again', hasStops: true },
];

export type Found = { readonly round: string; readonly isPassed: boolean; readonly run: TestRun };

/** `code` is the exit code: 0 nothing found, 1 found, 3 nothing found but not all rounds were run. */
export type Verdict = { readonly lines: readonly string[]; readonly code: 0 | 1 | 3 };

/** The part `number` of `count`, all of the same length but for one file. Neighbours are alike in what they cost, so each part gets its share. */
export const partOf = <T>(all: readonly T[], number: number, count: number): T[] =>
  all.filter((_, place) => place % count === number - 1);

/** `3/16`: the third of sixteen parts. Undefined when it makes no sense. */
export function readPart(text: string): { readonly number: number; readonly count: number } | undefined {
  const [, number = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  return number >= 1 && number <= count ? { number, count } : undefined;
}

/** One line for each file that failed: in which rounds, and the first line of what it said. */
export function concludeHunt(found: readonly Found[], planned: number): Verdict {
  const paths = [...new Set(found.flatMap(({ run }) => run.list?.failed.map(({ path }) => path) ?? []))].toSorted();
  const files = paths.map((path) => {
    const failed = found.flatMap(({ round, run }) => {
      const file = run.list?.failed.find((each) => each.path === path);
      return file ? [{ round, line: file.failures[0] ?? 'it failed' }] : [];
    });
    const how = failed.length === found.length ? 'FAILS' : 'UNSTEADY';
    return `${how} ${path}: ${failed.map(({ round }) => round).join('; ')}: ${failed[0]?.line}`;
  });
  const loose = found.flatMap(({ round, isPassed, run }) => {
    const others = describeRun({ ...run, list: run.list && { ...run.list, failed: [] } });
    const isTold = (run.list?.failed.length ?? 0) > 0;
    const lines = others.length > 0 || isPassed || isTold ? others : ['it failed, and no file did'];
    return lines.map((line) => `ERROR ${round}: ${line}`);
  });
  const left = planned - found.length;
  return {
    code: files.length + loose.length > 0 ? 1 : left > 0 ? 3 : 0,
    lines: [
      ...files,
      ...loose,
      ...(left > 0 ? [`${left} of ${planned} rounds were not run: five minutes were over. Name fewer files.`] : []),
    ],
  };
}
