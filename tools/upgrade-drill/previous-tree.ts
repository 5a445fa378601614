// The previous version as a folder of its own, from the history of this repository (previous.json names the commit). Packages
// are those of this tree if the previous version's lockfile names the same ones; otherwise npm installs its own.
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { linkPackages } from '../breakages/copy.ts';
import { run } from '../package/run.ts';
import previous from './previous.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type Lockfile = {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly dev?: true; readonly optional?: true; readonly link?: true }>
  >;
};

/** Packages that the previous version runs with and that this tree has in another version, or not at all. */
export function findOtherPackages(wanted: Lockfile, installed: Lockfile): string[] {
  return Object.entries(wanted.packages)
    .filter(([place, { dev, optional, link }]) => place.startsWith('node_modules/') && !dev && !optional && !link)
    .filter(([place, { version }]) => installed.packages[place]?.version !== version)
    .map(([place]) => place.slice('node_modules/'.length));
}

const readLockfile = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Lockfile;

async function unpack(commit: string, folder: string): Promise<void> {
  await mkdir(folder);
  const tar = join(folder, 'tree.tar');
  await promisify(execFile)('git', ['archive', '--output', tar, commit], { cwd: ROOT }).catch((cause: Error) => {
    throw new Error(`The history has no commit ${commit}: fetch it, for example with git fetch --unshallow.`, {
      cause,
    });
  });
  await run('tar', ['-xf', tar], folder);
  await run('rm', [tar], folder);
}

/** Returns the packages that had to be installed. */
export async function checkOutPrevious(folder: string): Promise<string[]> {
  await unpack(previous.commit, folder);
  const others = findOtherPackages(await readLockfile(folder), await readLockfile(ROOT));
  if (others.length === 0) await linkPackages(folder);
  else
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  return others;
}
