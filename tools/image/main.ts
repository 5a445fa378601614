// npm run image: deploy/Dockerfile built without a container engine, and a check that the image runs as an installation runs it.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import rootPackage from '../../package.json' with { type: 'json' };
import { assemble } from '../package/assemble.ts';
import { checkPackage } from '../package/check.ts';
import { run } from '../package/run.ts';
import { buildImage, IMAGE, makeBase, openBuildah, readImage } from './buildah.ts';
import { checkImage } from './check.ts';

const HELP = `Usage: npm run image -- --check [--base <tar file>]
       npm run image -- --out <file> [--base <tar file>]

Builds deploy/Dockerfile, both stages, with Debian's buildah and mmdebstrap; as root. No registry of images is asked: the base
is a minimal Debian, made from the package sources of this machine, and the first stage gets this machine's npm.

  --base <tar file>  the file system of another base image: with glibc, libstdc++ and a shell
  --out <file>       write the image there, for "docker load"; the file must not exist yet
  --check            start the package in it alone, then the image: read-only, as its own user, with secrets as files. It
                     migrates, serves, passes the fast rows of the conformance kit, and drains. Needs PostgreSQL and Redis.
                     Where an image cannot be built, this says why and makes and checks a package alone
  --help             this text`;

const OPTIONS = {
  base: { type: 'string' },
  out: { type: 'string' },
  check: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const say = (line: string, startedMs: number) =>
  console.log(`${line} (after ${((performance.now() - startedMs) / 1_000).toFixed(0)} s)`);

/** What the start of an image does (container.ts), tried on an empty file system. */
const TRY_MOUNTS = `
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir /mnt/proc /mnt/dev
mount -t proc proc /mnt/proc
mount --rbind /dev /mnt/dev
mount --bind /mnt /mnt
mount -o remount,bind,ro /mnt
`;

/** Undefined if this machine can build and start an image. */
function findObstacle(base: string | undefined): string | undefined {
  if (process.getuid?.() !== 0) return 'an image is built and started as root';
  const missing = ['buildah', 'unshare', 'setpriv', ...(base === undefined ? ['mmdebstrap'] : [])].filter((program) => {
    try {
      execFileSync('which', [program], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length > 0) return `${missing.join(' and ')} is not installed`;
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', TRY_MOUNTS], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this machine allows no mounts';
  }
}

type Order = { readonly base: string | undefined; readonly out: string | undefined; readonly isChecked: boolean };

async function checkAlone(made: string, startedMs: number): Promise<void> {
  const { migrateMs, apiReadyMs, workerReadyMs, stopMs } = await checkPackage(made, rootPackage.version);
  const times = `migrate ${migrateMs} ms, API ready ${apiReadyMs} ms, worker ${workerReadyMs} ms, stop ${stopMs} ms`;
  say(`the package runs alone: ${times}`, startedMs);
}

async function make({ base, out, isChecked }: Order, folder: string): Promise<void> {
  const startedMs = performance.now();
  const obstacle = findObstacle(base);
  if (obstacle !== undefined) {
    if (!isChecked) throw new Error(`No image: ${obstacle}.`);
    const made = join(folder, 'trefoil');
    await assemble(made);
    await checkAlone(made, startedMs);
    return console.log(`SKIPPED: no image is built, because ${obstacle}.`);
  }
  const baseTar = base ?? join(folder, 'base.tar');
  if (base === undefined) await makeBase(baseTar);
  say('made the base', startedMs);
  const buildah = openBuildah(folder);
  const revision = (await run('git', ['rev-parse', 'HEAD'], ROOT)).trim();
  await buildImage(buildah, { baseTar, folder, revision });
  const { config, bytes } = await readImage(buildah);
  say(`built the image: ${Math.round(bytes / 1e6)} MB`, startedMs);
  if (out !== undefined)
    await buildah('push', '--quiet', IMAGE, `docker-archive:${out}:trefoil:${rootPackage.version}`);
  if (!isChecked) return;
  const root = await buildah('mount', await buildah('from', '--pull=never', IMAGE));
  const made = join(root, 'opt/trefoil');
  // Alerts link to the runbook in it.
  const [isBuilt, isInImage] = [join(ROOT, 'site/dist'), join(made, 'server/web/site')].map((site) =>
    existsSync(join(site, 'index.html')),
  );
  if (isBuilt !== isInImage)
    throw new Error(`the documentation is ${isBuilt ? 'built and not in the image' : 'in the image and not built'}`);
  await checkAlone(made, startedMs);
  const { rows, ...times } = await checkImage({ root, config }, folder);
  const figures = `migrate ${times.migrateMs} ms, API ready ${times.apiReadyMs} ms, worker ${times.workerReadyMs} ms`;
  const conformance = `${rows.passed} rows of the conformance kit passed, ${rows.skipped} skipped`;
  say(`the image runs: ${figures}, stop ${times.stopMs} ms with its drain; ${conformance}`, startedMs);
}

async function start(): Promise<void> {
  const { base, out, check, help } = parseArgs({ options: OPTIONS }).values;
  if (help) return console.log(HELP);
  if (out === undefined && !check) throw new Error('Say what for: --check, or --out <file>. --help explains both.');
  // Outside the repository: nothing of it is found by looking upwards.
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-image-'));
  try {
    await make({ base: base && resolve(base), out: out && resolve(out), isChecked: check }, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  await start();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
