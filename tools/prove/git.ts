// What the proofs need from git. Without git they still run.
import { execFileSync } from 'node:child_process';
import { ROOT } from '../machine/run-command.ts';
import { PROOFS_PATH } from './table.ts';

const SHORT_LENGTH = 10;
const BYTES_MAX = 64 * 1024 * 1024;

/** Undefined if it fails, or there is none. */
export function git(...options: string[]): string | undefined {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', options, { cwd: ROOT, encoding: 'utf8', stdio, maxBuffer: BYTES_MAX });
  } catch {
    return undefined;
  }
}

/** The short commit, with a `+` if files have changes that are not committed. The table of proofs itself does not count. */
export function nameCommit(): string {
  const commit = git('rev-parse', `--short=${SHORT_LENGTH}`, 'HEAD')?.trim();
  if (commit === undefined) return 'unknown';
  const changes = git('status', '--porcelain', '--', '.', `:!${PROOFS_PATH}`) ?? '';
  return changes.trim() === '' ? commit : `${commit}+`;
}
