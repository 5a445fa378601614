import { expect, test } from 'vitest';
import { listForeignFiles } from './check-tarball.ts';

test('sources and tests do not belong in the package; the build, its types and the papers do', () => {
  const good = [
    'package.json',
    'README.md',
    'LICENSE',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/client.js',
    'dist/cli.js',
  ];
  expect(listForeignFiles(good)).toEqual([]);
  const bad = ['src/index.ts', 'dist/index.ts', 'src/send.test.ts', 'dist/send.test.js', '.env', 'dist/index.js.map'];
  expect(listForeignFiles([...good, ...bad])).toEqual(bad);
});
