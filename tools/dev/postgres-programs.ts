// PostgreSQL's own programs, for tools and tests that start a server of their own: where they are, and as whom they run.
// PostgreSQL refuses to run as root, so root runs them as the user postgres.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSIONS = '/usr/lib/postgresql';
const USER = 'postgres';
const OUTPUT_MAX = 16 * 2 ** 20;
const run = promisify(execFile);
const isRoot = () => process.getuid?.() === 0;

export const hasPostgresPrograms = existsSync(VERSIONS);

/** The folder of the newest version's programs. */
export function findPostgresPrograms(): string {
  const newest = (hasPostgresPrograms ? readdirSync(VERSIONS) : [])
    .toSorted((left, right) => Number(left) - Number(right))
    .at(-1);
  if (newest === undefined) throw new Error(`${VERSIONS} is missing: install PostgreSQL (Debian: postgresql)`);
  return join(VERSIONS, newest, 'bin');
}

/** The command that runs a program as a user that PostgreSQL accepts. */
export function commandOfPostgres(program: string, options: readonly string[]): [string, string[]] {
  return isRoot() ? ['runuser', ['-u', USER, '--', program, ...options]] : [program, [...options]];
}

/** Not in the current folder, which that user may not be allowed to enter. */
export async function runOfPostgres(program: string, ...options: string[]): Promise<string> {
  const [file, parameters] = commandOfPostgres(program, options);
  return (await run(file, parameters, { cwd: '/', maxBuffer: OUTPUT_MAX })).stdout;
}

/** So that the user that PostgreSQL runs as may write there. */
export async function giveToPostgres(...paths: string[]): Promise<void> {
  if (!isRoot()) return;
  const [user, group] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await run('id', [option, USER])).stdout)),
  );
  if (user === undefined || group === undefined) throw new Error(`there is no user ${USER}`);
  for (const path of paths) await chown(path, user, group);
}
