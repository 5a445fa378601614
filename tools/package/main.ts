// npm run package: the folder that production runs from, and a check that it runs alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import rootPackage from '../../package.json' with { type: 'json' };
import { assemble } from './assemble.ts';
import { checkPackage } from './check.ts';
import { run } from './run.ts';

const HELP = `Usage: npm run package -- --out <folder>
       npm run package -- --check

Makes the folder that production runs from: server, contract, their packages, the console, the documentation site if
"npm run site" has built it, Node, a bill of materials and the licences.

  --out <folder>  where; it must not exist yet
  --check         start it from there (migrations, API, worker) with no access to any other file; needs PostgreSQL and
                  Redis. Without --out the folder is a temporary one
  --help          this text`;

const OPTIONS = {
  out: { type: 'string' },
  check: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

async function makePackage(out: string, isChecked: boolean): Promise<void> {
  await assemble(out);
  const [size = ''] = (await run('du', ['-sm', out], '/')).split('\t');
  console.log(`made ${out}: ${size} MB`);
  if (!isChecked) return;
  const { migrateMs, apiReadyMs, workerReadyMs, stopMs } = await checkPackage(out, rootPackage.version);
  console.log(
    `runs alone: migrate ${migrateMs} ms, API ready ${apiReadyMs} ms, worker ${workerReadyMs} ms, stop ${stopMs} ms`,
  );
}

async function start(): Promise<void> {
  const { out, check, help } = parseArgs({ options: OPTIONS }).values;
  if (help) return console.log(HELP);
  if (out !== undefined) return makePackage(resolve(out), check);
  if (!check) throw new Error('Name a folder: npm run package -- --out <folder>');
  // Outside the repository: nothing of it is found by looking upwards.
  const temporary = await mkdtemp(join(tmpdir(), 'trefoil-package-'));
  try {
    await makePackage(join(temporary, 'trefoil'), true);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

try {
  await start();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
