// Compares openapi.json with the last release's and prints every change to the wire. Exits with 1 if a change breaks
// clients and contract/releases/<version>.accepted.json does not name it. With --record it records today's document
// as a release (docs/guides/release.md). Decision: docs/decisions/0190-changes-of-the-wire-are-compared.md.
import { constants, copyFile, readdir, readFile } from 'node:fs/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { compareDocuments } from './compare.ts';
import { isSound, judge, newestRelease, readAcceptances, type Verdict } from './judge.ts';
import { isSchema, type Schema } from './variants.ts';

const root = new URL('../../', import.meta.url);
const releases = new URL('contract/releases/', root);

async function readJson(file: URL): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

async function readDocument(file: URL): Promise<Schema> {
  const document = await readJson(file);
  if (!isSchema(document)) throw new Error(`${file.pathname} is no OpenAPI document.`);
  return document;
}

async function readAccepted(version: string): Promise<unknown> {
  return readJson(new URL(`${version}.accepted.json`, releases)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

function print(version: string, { refused, accepted, additive, unused }: Verdict): void {
  const tell = (title: string, lines: readonly string[]) => {
    if (lines.length > 0) console.log(`\n${title} (${lines.length})\n${lines.map((line) => `  ${line}`).join('\n')}`);
  };
  console.log(`openapi.json against that of ${version}`);
  tell('Additive', additive);
  for (const { reason, changes } of accepted) tell(`Breaking, accepted: ${reason}`, changes);
  tell('BREAKING', refused);
  tell('ACCEPTED, BUT NOT CHANGED', unused);
  if (refused.length > 0) {
    console.log(
      '\nInside v1 changes are additive (docs/decisions/0018-versioning.md). Undo the breaking ones, or let a reviewer accept them with' +
        `\na reason in contract/releases/${version}.accepted.json.`,
    );
  }
  if (unused.length > 0) console.log(`\nTake what has not changed out of contract/releases/${version}.accepted.json.`);
}

/** A recorded release never changes, so an existing file is refused. */
async function record(): Promise<void> {
  const { version } = packageJson;
  await copyFile(new URL('openapi.json', root), new URL(`${version}.openapi.json`, releases), constants.COPYFILE_EXCL);
  console.log(`wrote contract/releases/${version}.openapi.json`);
}

async function check(): Promise<number> {
  const version = newestRelease(await readdir(releases));
  if (version === undefined) throw new Error('contract/releases has no recorded release.');
  const base = await readDocument(new URL(`${version}.openapi.json`, releases));
  const now = await readDocument(new URL('openapi.json', root));
  const verdict = judge(compareDocuments(base, now), readAcceptances(await readAccepted(version)));
  print(version, verdict);
  return isSound(verdict) ? 0 : 1;
}

if (process.argv.includes('--record')) await record();
else process.exitCode = await check();
