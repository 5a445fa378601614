// What the library costs a page: at most 15 kB, minified and compressed, all of it included.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const BYTES_MAX = 15_000;

test(`the library is at most ${BYTES_MAX} bytes, minified and compressed, and imports nothing`, async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'trefoil-size-'));
  try {
    const entry = { index: fileURLToPath(new URL('../src/index.ts', import.meta.url)) };
    const options = { config: false, platform: 'neutral', format: 'esm', minify: true, dts: false } as const;
    await build({ ...options, entry, outDir, logLevel: 'silent' });
    const code = await readFile(join(outDir, 'index.js'), 'utf8');
    expect(code).not.toMatch(/\bimport\s*["'({]|\brequire\(/);
    const bytes = gzipSync(code).length;
    console.log(`@trefoil/sdk: ${bytes} bytes minified and compressed`);
    expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
  } finally {
    await rm(outDir, { recursive: true });
  }
});

test('the package depends on nothing', () => {
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    expect(manifest).not.toHaveProperty(kind);
});
