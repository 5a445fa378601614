import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extractSamples } from './extract.ts';
import { runSample, writeSample } from './run-sample.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function faultsOf(...lines: string[]): Promise<string[]> {
  const [sample] = extractSamples('a.md', lines.join('\n'));
  if (!sample) throw new Error('no sample');
  return runSample(sample, writeSample(sample, mkdtempSync(join(folder, 'x-'))), { BASE_URL: 'http://example.com' });
}

test('a sample that prints what its document says has no fault, in every language', async () => {
  expect(
    await faultsOf('```bash run', 'echo "$BASE_URL"', '```', '```text output', 'http://example.com', '```'),
  ).toEqual([]);
  expect(
    await faultsOf(
      '```ts run',
      'const a: number = 1;',
      '```',
      '```ts run',
      'console.log(a)',
      '```',
      '```text output',
      '1',
      '```',
    ),
  ).toEqual([]);
  expect(await faultsOf('```python run', 'print(1)', '```', '```text output', '1', '```')).toEqual([]);
});

test('another output is a fault, and names the line', async () => {
  const faults = await faultsOf('```bash run', 'echo 2', '```', '```text output', '1', '```');
  expect(faults).toEqual(['a.md:2: it prints\n2\nand the document says\n1\n']);
});

test('a block that fails is named, with what it said', async () => {
  const faults = await faultsOf(
    '```bash run',
    'true',
    '```',
    '```bash run',
    'echo half; ls /nowhere',
    '```',
    '```bash run',
    'true',
    '```',
  );
  expect(faults).toHaveLength(2);
  expect(faults[0]).toBe('a.md:5: it failed after printing:\nhalf\n');
  expect(faults[1]).toContain('nowhere');
});
