import { expect, test } from 'vitest';
import { parseOpenFilesMax, readOpenFilesMax } from './open-files.ts';

test('the soft limit of open files is read; no limit is none', () => {
  const limits = 'Limit                     Soft Limit           Hard Limit           Units\n';
  expect(
    parseOpenFilesMax(`${limits}Max open files            1024                 4096                 files\n`),
  ).toBe(1_024);
  expect(
    parseOpenFilesMax(`${limits}Max open files            unlimited            unlimited            files\n`),
  ).toBe(undefined);
  expect(parseOpenFilesMax('')).toBe(undefined);
});

test('this process has a limit, or the system does not say', () => {
  expect(readOpenFilesMax() ?? 1).toBeGreaterThan(0);
});
