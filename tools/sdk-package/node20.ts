// The oldest Node that the client library promises: the machine's own where it is that, otherwise from the registry.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

const VERSION = '20.20.2';

export async function findNode20(work: string): Promise<string> {
  const paths = (await run('which', ['-a', 'node'], work).catch(() => '')).split('\n').filter(Boolean);
  for (const path of paths) {
    if ((await run(path, ['--version'], work)).startsWith('v20.')) return path;
  }
  // The platform's package and not the package `node`, which fetches its binary in an install script
  // (docs/decisions/0101-one-repository.md).
  const folder = join(work, 'node20');
  const name = `node-linux-${process.arch}`;
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${VERSION}`], folder);
  return join(folder, 'node_modules', name, 'bin/node');
}
