import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIGHT as LIGHT_FAULTS } from '../faults/light.ts';
import { LIGHT as LIGHT_HA } from '../ha/print.ts';
import { LIGHT as LIGHT_KEYS } from '../key-drill/print.ts';
import { LIGHT as LIGHT_DAY } from '../random-day/light.ts';
import { LIGHT as LIGHT_RESTORE } from '../restore-drill/drill.ts';
import { lightOn } from '../upgrade-drill/print.ts';
import { exitCodeOf, LIGHT as LIGHT_CHAOS } from './print.ts';
import { createTally } from './tally.ts';
import { BrokenOff, breakOff, exitCode } from './verdict.ts';

const QUIET = { stolenShare: 0, pausedShare: 0.01, longestStopMs: 60, foreignShare: 0 };

test('only times that were missed on a slow machine end with 4; anything that is not listed ends with 1', () => {
  const light = { times: ['late', 'slow'], others: ['unseen'] };
  const codeOf = (isMachineSlow: boolean, ...abouts: string[]) => {
    const tally = createTally();
    for (const about of abouts) tally.find(about, 'x');
    return exitCode(tally, light, isMachineSlow);
  };
  expect([codeOf(false), codeOf(true)]).toEqual([0, 0]);
  expect([codeOf(false, 'slow', 'late'), codeOf(true, 'slow', 'late')]).toEqual([3, 4]);
  expect([codeOf(false, 'unseen'), codeOf(true, 'unseen', 'late')]).toEqual([3, 3]);
  expect([codeOf(false, 'slow', 'lost'), codeOf(true, 'slow', 'lost')]).toEqual([1, 1]);
});

test('the exit code of a run of chaos', () => {
  const tally = createTally();
  const codes = () =>
    [QUIET, { ...QUIET, stolenShare: 0.3 }, { ...QUIET, pausedShare: 0.2 }].map((machine) =>
      exitCodeOf({ tally, machine }),
    );
  expect(codes()).toEqual([0, 0, 0]);
  tally.find('no report is open for more than 60 s', 'pending for 61.0 s');
  expect(codes()).toEqual([3, 4, 4]);
  tally.find('every failpoint is reached', 'after-reserve:3 was not');
  expect(codes()).toEqual([3, 3, 3]);
  tally.find('nobody is asked twice about a report', 'r1');
  expect(codes()).toEqual([1, 1, 1]);
});

const sources = globSync('../{chaos,faults,ha,key-drill,random-day,restore-drill,upgrade-drill}/**/*.ts', {
  cwd: import.meta.dirname,
})
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(`${import.meta.dirname}/${path}`, 'utf8'))
  .join('\n');
const lists = [LIGHT_CHAOS, LIGHT_FAULTS, LIGHT_HA, LIGHT_KEYS, LIGHT_DAY, LIGHT_RESTORE, lightOn(true)].map(
  ({ times, others }) => [...times, ...others],
);

test.each([...new Set(lists.flat())])('a run can find "%s"', (about) => {
  // Beyond the lists, where it is found, or as the constant that is used there.
  const isConstant = new RegExp(`const [A-Z_]+ = '${about}'`).test(sources);
  const listed = isConstant ? 0 : lists.filter((list) => list.includes(about)).length;
  expect(sources.split(`'${about}'`).length - 1).toBeGreaterThan(listed);
});

test('nothing about credits, or about what was told or done twice, is light', () => {
  for (const about of lists.flat()) {
    expect(about).not.toMatch(
      /lost|asked twice|once|charge|credit|top-up|acknowledged|told|books|reconciliation|wallet|deadlock/,
    );
  }
});

test('a run that breaks off after a grave finding says so, and is not repeated', () => {
  const said: string[] = [];
  const tally = createTally();
  const breaking = () => breakOff(tally, LIGHT_CHAOS, { error: new Error('gone'), say: (line) => said.push(line) });
  expect(breaking).toThrow(/^gone$/);
  tally.find('nodes start', 'node 1');
  expect(breaking).toThrow(/^gone$/);
  tally.find('nobody is asked twice about a report', 'r1');
  expect(breaking).toThrow(BrokenOff);
  expect(said.at(-1)).toBe('FOUND nobody is asked twice about a report: r1');
});
