// Builds deploy/Dockerfile with Debian's buildah: no daemon, no registry, and a storage of its own that is removed afterwards.
// Decision: docs/decisions/0253-the-image-in-ci.md.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import rootPackage from '../../package.json' with { type: 'json' };
import { run } from '../package/run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BASE = 'localhost/trefoil-base';
const BUILD_BASE = 'localhost/trefoil-build-base';
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

/** The program of npm is two folders below its package. */
const ASK_NPM = 'readlink -f "$(command -v npm)"; npm config get cache; npm config get registry';
const NPM_CACHE = '/npm-cache';
const AUTHORITIES = '/authorities.crt';

/**
 * What stands for the image with npm that the first stage begins with: the base, and this machine's npm on our Node. Packages come
 * as on this machine: out of npm's cache, and what is missing there from the registry that npm asks here. All of that is this
 * image's alone, so the Dockerfile does not know it. The result is what `buildah build` must mount.
 */
async function makeBuildBase(buildah: Buildah, folder: string): Promise<string[]> {
  const [npm = '', cache, registry] = (await run('sh', ['-c', ASK_NPM], ROOT)).split('\n');
  const authorities = join(folder, 'authorities.crt');
  await writeFile(authorities, [...getCACertificates('system'), ...getCACertificates('extra')].join('\n'));
  const container = await buildah('from', '--pull=never', BASE);
  const copies = {
    [process.execPath]: '/usr/local/bin/node',
    [dirname(dirname(npm))]: '/usr/local/lib/node_modules/npm',
    [authorities]: AUTHORITIES,
  };
  for (const [from, to] of Object.entries(copies)) await buildah('copy', '--quiet', container, from, to);
  const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm'];
  await buildah('run', '--isolation', 'chroot', container, '--', ...link);
  const settings = [
    `npm_config_cache=${NPM_CACHE}`,
    'npm_config_prefer_offline=true',
    `npm_config_registry=${registry}`,
  ];
  await buildah(
    'config',
    ...[...settings, `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`].flatMap((each) => ['--env', each]),
    container,
  );
  await buildah('commit', '--quiet', '--rm', '--format', 'docker', container, BUILD_BASE);
  return ['--volume', `${cache}:${NPM_CACHE}`];
}

type Building = { readonly baseTar: string; readonly folder: string; readonly revision: string };

/** Both stages, as `docker build` runs them. `folder` is for what is made on the way. */
export async function buildImage(buildah: Buildah, { baseTar, folder, revision }: Building): Promise<void> {
  const container = await buildah('from', 'scratch');
  await buildah('add', '--quiet', container, baseTar, '/');
  await buildah('commit', '--quiet', '--rm', '--format', 'docker', container, BASE);
  const mounts = await makeBuildBase(buildah, folder);
  const set = { BUILD_IMAGE: BUILD_BASE, BASE_IMAGE: BASE, VERSION: rootPackage.version, REVISION: revision };
  await buildah(
    ...['build', '--isolation', 'chroot', '--format', 'docker', '--pull=never', ...mounts],
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
