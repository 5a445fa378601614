import { expect, test } from 'vitest';
import { describeFailures, type FailedFile, MOST_REPEATED, timesAlone, whyNotRepeated } from './failed-files.ts';

const file = (path: string): FailedFile => ({ project: 'journeys', path, failures: ['a: too late', 'b: too late'] });
const files = (count: number) => Array.from({ length: count }, (_, n) => file(`${n}.test.ts`));

test('a few failed files are run again', () => {
  expect(whyNotRepeated({ failed: files(1), withoutFile: [], processId: 1 })).toBeUndefined();
  expect(whyNotRepeated({ failed: files(MOST_REPEATED), withoutFile: [], processId: 1 })).toBeUndefined();
});

test('many failed files are a fault of the change', () => {
  expect(whyNotRepeated({ failed: files(MOST_REPEATED + 1), withoutFile: [], processId: 1 })).toMatch(
    /31 files failed/,
  );
});

test('a failure that no repeat could clear stays one', () => {
  expect(whyNotRepeated(undefined)).toMatch(/without its list/);
  expect(whyNotRepeated({ failed: [], withoutFile: [], processId: 1 })).toMatch(/list of failures is empty/);
  expect(whyNotRepeated({ failed: files(1), withoutFile: ['a worker died'], processId: 1 })).toMatch(/a worker died/);
});

test('each failure is one line with its project and file', () => {
  expect(describeFailures([file('x.test.ts')])).toEqual([
    '  journeys x.test.ts: a: too late',
    '  journeys x.test.ts: b: too late',
  ]);
});

test('a file about credits or about races must pass three times in a row', () => {
  expect(timesAlone('server/test/money/receipts.test.ts')).toBe(3);
  expect(timesAlone('server/test/reports/races.test.ts')).toBe(3);
  expect(timesAlone('server/test/money/live-races.test.ts')).toBe(3);
  expect(timesAlone('server/test/reports/journeys.test.ts')).toBe(1);
});
