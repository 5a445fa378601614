// The client library as a file of the site: it is in no registry, and a reader of the site does not have the repository.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name that npm gives the file. */
export function libraryFile(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as { version: string };
  return `trefoil-sdk-${version}.tgz`;
}

export function packLibrary(root: string, folder: string): void {
  const { status, stderr } = spawnSync('npm', ['pack', join(root, 'sdk'), '--pack-destination', folder], {
    ...{ cwd: root, encoding: 'utf8' },
  });
  if (status !== 0) throw new Error(`the client library could not be packed:\n${stderr}`);
}
