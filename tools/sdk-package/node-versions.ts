// The older versions of Node that the client library promises: the machine's own where it is that, otherwise from the
// registry.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

const VERSIONS = ['20.20.2', '22.23.3'] as const;

async function findNode(work: string, version: string): Promise<string> {
  const major = `v${version.split('.', 1)[0]}.`;
  const paths = (await run('which', ['-a', 'node'], work).catch(() => '')).split('\n').filter(Boolean);
  for (const path of paths) {
    if ((await run(path, ['--version'], work)).startsWith(major)) return path;
  }
  // The platform's package and not the package `node`, which fetches its binary in an install script
  // (docs/decisions/0101-one-repository.md).
  const folder = join(work, `node-${version}`);
  const name = `node-linux-${process.arch}`;
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  // A level of its own: `npm run -s` around it would silence its errors.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, `${name}@${version}`], folder);
  return join(folder, 'node_modules', name, 'bin/node');
}

/** Oldest first. */
export const findOlderNodes = (work: string): Promise<string[]> =>
  Promise.all(VERSIONS.map((version) => findNode(work, version)));
