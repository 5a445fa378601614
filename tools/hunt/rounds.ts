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

export type Verdict = { readonly lines: readonly string[]; readonly isClean: boolean };

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
    // What was cut off in its first round has shown nothing.
    isClean: files.length + loose.length === 0 && found.length > 0,
    lines: [
      ...files,
      ...loose,
      ...(left > 0 ? [`${left} of ${planned} rounds were not run: five minutes were over. Name fewer files.`] : []),
    ],
  };
}
