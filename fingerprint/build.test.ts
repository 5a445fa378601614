import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildScript, OUTPUT } from './build.ts';

test('the committed script is what its source gives (npm run fingerprint), at most 20 kB compressed, and asks nobody else', async () => {
  const committed = await readFile(OUTPUT, 'utf8');
  expect(committed === (await buildScript())).toBe(true);
  expect(gzipSync(committed).length).toBeLessThanOrEqual(20_000);
  // The library reports its use to its makers unless it is told not to: that part is not even here.
  expect(committed).not.toMatch(/https?:\/\/|sourceMappingURL|\beval\(|new Function/);
});
