import { expect, test } from 'vitest';
import { describeFailures, type FailedFile, MOST_REPEATED, whyNotRepeated } from './failed-files.ts';

const file = (path: string): FailedFile => ({ project: 'journeys', path, failures: ['a: too late', 'b: too late'] });
const files = (count: number) => Array.from({ length: count }, (_, n) => file(`${n}.test.ts`));

test('a few failed files are run again', () => {
  expect(whyNotRepeated({ failed: files(1), withoutFile: [] })).toBeUndefined();
  expect(whyNotRepeated({ failed: files(MOST_REPEATED), withoutFile: [] })).toBeUndefined();
});

test('many failed files are a fault of the change', () => {
  expect(whyNotRepeated({ failed: files(MOST_REPEATED + 1), withoutFile: [] })).toMatch(/9 files failed/);
});

test('a failure that no repeat could clear stays one', () => {
  expect(whyNotRepeated(undefined)).toMatch(/without its list/);
  expect(whyNotRepeated({ failed: [], withoutFile: [] })).toMatch(/list of failures is empty/);
  expect(whyNotRepeated({ failed: files(1), withoutFile: ['a worker died'] })).toMatch(/a worker died/);
});

test('each failure is one line with its project and file', () => {
  expect(describeFailures([file('x.test.ts')])).toEqual([
    '  journeys x.test.ts: a: too late',
    '  journeys x.test.ts: b: too late',
  ]);
});
