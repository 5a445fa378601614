// Makes the folder that production runs from: the server, the contract, their packages, the built console, the documentation
// site where it has been built, and Node itself. No tests, simulators or tools.
// Decision: docs/decisions/0245-a-package-and-an-image.md.
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import rootPackage from '../../package.json' with { type: 'json' };
import serverPackage from '../../server/package.json' with { type: 'json' };
import { describeLicences, listCarried, listTexts } from './licences.ts';
import { run } from './run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CARRIED_WORKSPACES = ['contract', 'server'];
const NODE_PACKAGE = `node-linux-${process.arch}`;
/** Its program is a file of the site. */
const REFERENCE_PACKAGE = '@scalar/fastify-api-reference';

/** Code that only tests use. */
const isForTests = (path: string) => /\.test\.ts$|\/testing(\/|$)/.test(path);

const LAUNCHER = `#!/bin/sh
# Trefoil: the API, the worker, migrations and the operator's command line, on the Node of this folder.
root=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
exec "$root/bin/node" "$root/server/src/start.js" "$@"
`;

async function writeJson(path: string, value: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Installed by the lockfile, which needs the manifests of all workspaces beside it; afterwards only two stay. */
async function installPackages(out: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await cp(join(ROOT, file), join(out, file));
  for (const workspace of rootPackage.workspaces) {
    await mkdir(join(out, workspace), { recursive: true });
    await cp(join(ROOT, workspace, 'package.json'), join(out, workspace, 'package.json'));
  }
  const which = ['--omit=dev', '--workspace', serverPackage.name, '--include-workspace-root=false'];
  await run('npm', ['ci', ...which, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], out);
  for (const workspace of rootPackage.workspaces) {
    if (!CARRIED_WORKSPACES.includes(workspace)) await rm(join(out, workspace), { recursive: true, force: true });
  }
  for (const leftOver of ['sdk', 'package-lock.json', '.npmrc', 'node_modules/.bin']) {
    await rm(join(out, leftOver), { recursive: true, force: true });
  }
  const { name, version, license, type } = rootPackage;
  await writeJson(join(out, 'package.json'), {
    ...{ name, version, private: true, license, type, workspaces: CARRIED_WORKSPACES },
  });
}

async function copySources(out: string): Promise<void> {
  for (const folder of ['contract/src', 'server/src', 'server/migrations']) {
    await cp(join(ROOT, folder), join(out, folder), { recursive: true, filter: (source) => !isForTests(source) });
  }
  await cp(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
  await cp(join(ROOT, 'licences'), join(out, 'licences'), { recursive: true });
}

async function addNode(out: string): Promise<void> {
  const node = join(ROOT, 'node_modules', NODE_PACKAGE);
  await mkdir(join(out, 'bin'));
  await cp(join(node, 'bin/node'), join(out, 'bin/node'));
  await cp(join(node, 'LICENSE'), join(out, 'licences/node.txt'));
  await writeFile(join(out, 'bin/trefoil'), LAUNCHER);
  await chmod(join(out, 'bin/trefoil'), 0o755);
}

/** The console is built anew, so that a package never has an older one than its server. */
async function addPages(out: string): Promise<void> {
  const web = join(out, 'server/web');
  await mkdir(web);
  await run('npm', ['run', '-s', 'console', '--', '--outDir', join(web, 'console'), '--emptyOutDir'], ROOT);
  const site = join(ROOT, 'site/dist');
  if (existsSync(join(site, 'index.html'))) await cp(site, join(web, 'site'), { recursive: true });
}

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** A bill of materials of what is installed, one of what the console is built of and with, and the licences of all. */
async function describeContents(out: string): Promise<void> {
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--loglevel=error'];
  const [server, console] = await Promise.all([
    run('npm', [...sbom, '--omit', 'dev'], out),
    run('npm', [...sbom, '--workspace', '@trefoil/console'], ROOT),
  ]);
  // npm names the whole after its folder.
  const named = (text: string, name: string) => {
    const bill = JSON.parse(text) as { metadata: { component: object } };
    return { ...bill, metadata: { ...bill.metadata, component: { ...bill.metadata.component, name } } };
  };
  const node = {
    type: 'platform',
    name: 'node',
    version: process.versions.node,
    purl: purlOf(NODE_PACKAGE, process.versions.node),
  };
  const bill = named(server, 'trefoil') as { components?: object[] };
  const inSite = existsSync(join(out, 'server/web/site'))
    ? listCarried(ROOT, [REFERENCE_PACKAGE]).filter(({ name }) => name === REFERENCE_PACKAGE)
    : [];
  const more = [
    node,
    ...inSite.map(({ name, version }) => ({ type: 'library', name, version, purl: purlOf(name, version) })),
  ];
  await writeJson(join(out, 'sbom.cdx.json'), { ...bill, components: [...(bill.components ?? []), ...more] });
  await writeJson(join(out, 'sbom-console.cdx.json'), named(console, 'trefoil-console'));
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'console/package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const inConsole = Object.keys(devDependencies).filter((name) => !/^@types\/|\bvite/.test(name));
  const carried = [
    ...listCarried(join(out, 'server'), Object.keys(serverPackage.dependencies)),
    ...listCarried(join(ROOT, 'console'), inConsole),
    ...inSite,
    // Node and the fonts.
    ...listTexts(join(out, 'licences')),
  ];
  await writeFile(join(out, 'LICENCES.txt'), describeLicences(carried));
}

/** A folder that could not be finished is removed. */
export async function assemble(out: string): Promise<void> {
  if (existsSync(out)) throw new Error(`${out} exists already; name a new folder`);
  if (!process.version.startsWith('v24.')) throw new Error('run this with npm, which chooses Node 24');
  await mkdir(out, { recursive: true });
  try {
    await installPackages(out);
    await copySources(out);
    await addNode(out);
    await addPages(out);
    await describeContents(out);
  } catch (error) {
    await rm(out, { recursive: true, force: true });
    throw error;
  }
}
