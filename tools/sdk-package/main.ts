// The client library as its users get it: packed, examined, installed into an empty folder, compiled against, and run on
// every Node that it promises, up to a completed test report. Needs PostgreSQL and Redis.
// Decision: docs/decisions/0205-a-client-library-to-install.md.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkTarball, listForeignFiles } from './check-tarball.ts';
import { findOlderNodes } from './node-versions.ts';
import { run, startDevelopmentServer } from './run.ts';

/** From `npm install` in an empty folder to a completed test report. Judged with `--bar` only: a busy machine takes longer. */
const FIRST_REPORT_MAX_MS = process.argv.includes('--bar') ? 60_000 : Number.POSITIVE_INFINITY;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONSUMER = fileURLToPath(new URL('consumer/', import.meta.url));
const RESOLUTIONS = [
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
] as const;

const say = (line: string) => console.log(line);

type Packed = {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
};

async function pack(work: string): Promise<string> {
  const output = await run('npm', ['pack', join(ROOT, 'sdk'), '--json', '--pack-destination', work], ROOT);
  // What `prepack` says may come first.
  const answer: unknown = JSON.parse(output.slice(output.search(/^[[{]\s*$/m)));
  // A list up to npm 11, an object by name from npm 12 on.
  const [packed] = Object.values(answer as Record<string, Packed>);
  if (!packed) throw new Error('npm pack named no file');
  const foreign = listForeignFiles(packed.files.map(({ path }) => path));
  if (foreign.length > 0) throw new Error(`the package must not contain ${foreign.join(', ')}`);
  say(`packed: ${packed.size} bytes, ${packed.files.length} files`);
  return join(work, packed.filename.replace(/^@/, '').replace('/', '-'));
}

async function installAndReport(work: string, node: string, tarball: string, settings: string): Promise<string> {
  const name = (await run(node, ['--version'], work)).trim();
  const folder = join(work, name);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await writeFile(join(folder, 'settings.json'), settings);
  await cp(CONSUMER, folder, { recursive: true });
  const startedAtMs = performance.now();
  // Offline: the package needs nothing else.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], folder);
  const line = (await run(node, ['report.mjs'], folder)).trim();
  const timeTakenMs = Math.round(performance.now() - startedAtMs);
  say(`${name}: npm install to the report in ${timeTakenMs} ms: ${line}`);
  if (timeTakenMs > FIRST_REPORT_MAX_MS) throw new Error(`the first report took longer than ${FIRST_REPORT_MAX_MS} ms`);
  await run(node, ['require.cjs'], folder);
  const help = await run(node, ['node_modules/.bin/trefoil-sdk', '--help'], folder);
  if (!help.includes('--forward-to')) throw new Error('the command line does not start');
  return folder;
}

async function compile(folder: string): Promise<void> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  for (const [moduleResolution, module] of RESOLUTIONS) {
    const options = ['--strict', '--noEmit', '--module', module, '--moduleResolution', moduleResolution];
    await run(tsc, [...options, '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', 'handles-all.ts'], folder);
    say(`compiles with --strict and --moduleResolution ${moduleResolution}, declarations checked`);
  }
}

async function main(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'trefoil-sdk-package-'));
  const server = startDevelopmentServer(ROOT);
  try {
    const [tarball, olderNodes] = await Promise.all([pack(work), findOlderNodes(work)]);
    await checkTarball(await readFile(tarball));
    say('publint and are-the-types-wrong find nothing');
    const settings = await server.ready;
    let folder = '';
    for (const node of [...olderNodes, process.execPath])
      folder = await installAndReport(work, node, tarball, settings);
    await compile(folder);
  } finally {
    await server.stop();
    await rm(work, { recursive: true, force: true });
  }
}

await main();
