// Builds deploy/Dockerfile with Debian's buildah: no daemon, no registry, and a storage of its own that is removed afterwards.
// Decision: docs/decisions/0253-the-image-in-ci.md.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import rootPackage from '../../package.json' with { type: 'json' };
import { run } from '../package/run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BASE = 'localhost/trefoil-base';
export const IMAGE = 'localhost/trefoil';

/** What an image says about its own start, as Docker reads it. */
export type ImageConfig = {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
};

export type Buildah = (...parameters: string[]) => Promise<string>;

/** All that buildah writes is under `folder`. */
export const openBuildah =
  (folder: string): Buildah =>
  async (...parameters) => {
    const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
    return (await run('buildah', [...storage, ...parameters], ROOT)).trim();
  };

/** The machine's own package sources: this repository names none. */
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];

/** What Node does not bring: glibc, libstdc++, a shell for `bin/trefoil`, and the names of users. */
const BASE_PACKAGES = 'base-files,base-passwd,coreutils,dash,libc6,libstdc++6';

/** A minimal Debian as a tar file: unpacked, not configured, which takes a tenth of the time and is all that the image needs. */
export async function makeBase(tar: string): Promise<void> {
  const sources = SOURCES.find((file) => existsSync(file));
  if (sources === undefined) throw new Error('no package sources of Debian: name a base with --base <tar file>');
  await run('mmdebstrap', ['--quiet', '--variant=extract', `--include=${BASE_PACKAGES}`, '', tar, sources], ROOT);
}

/** `context` has the made package in /opt/trefoil. It stands for the Dockerfile's first stage, which would make it again. */
export async function buildImage(
  buildah: Buildah,
  { baseTar, context, revision }: { readonly baseTar: string; readonly context: string; readonly revision: string },
): Promise<void> {
  const container = await buildah('from', 'scratch');
  await buildah('add', '--quiet', container, baseTar, '/');
  await buildah('commit', '--quiet', '--rm', '--format', 'docker', container, BASE);
  const set = { BASE_IMAGE: BASE, VERSION: rootPackage.version, REVISION: revision };
  await buildah(
    ...['build', '--isolation', 'chroot', '--format', 'docker', '--pull=never', '--build-context', `build=${context}`],
    ...Object.entries(set).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ...['--tag', IMAGE, '--file', 'deploy/Dockerfile', '.'],
  );
}

export async function readImage(buildah: Buildah): Promise<{ readonly config: ImageConfig; readonly bytes: number }> {
  const { Docker, Manifest } = JSON.parse(await buildah('inspect', '--type', 'image', IMAGE)) as {
    Docker: { config: ImageConfig };
    Manifest: string;
  };
  const { layers } = JSON.parse(Manifest) as { layers: { size: number }[] };
  return { config: Docker.config, bytes: layers.reduce((sum, { size }) => sum + size, 0) };
}
