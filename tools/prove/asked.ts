// Which checks of `npm run prove` a change asks for, by the files that changed since each was last run. It refuses nothing, and
// must never fail: tools/steps prints its sentence at the end of every run.
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { ROOT } from '../machine/run-command.ts';
import type { Check } from './check.ts';
import { CHECKS } from './checks.ts';
import { git } from './git.ts';
import { PROOFS_PATH, type Row, readProofs } from './table.ts';

/** Another version of a package may change anything. */
const ASKS_FOR_ALL = ['package-lock.json'];
/** Nothing was judged. */
const UNJUDGED = 'machine too noisy';

/** The files that differ; undefined if git does not know the commit. */
type ChangedSince = (commit: string) => readonly string[] | undefined;

export function findAsked(
  checks: readonly Pick<Check, 'name' | 'asks'>[],
  rows: readonly Pick<Row, 'check' | 'commit' | 'verdict'>[],
  changedSince: ChangedSince,
): string[] {
  const known = new Map<string, readonly string[] | undefined>();
  const changedOf = (commit: string) => {
    if (!known.has(commit)) known.set(commit, changedSince(commit));
    return known.get(commit);
  };
  const isAsked = ({ name, asks }: Pick<Check, 'name' | 'asks'>) => {
    const row = rows.findLast(({ check }) => check === name);
    if (!row || row.verdict === UNJUDGED) return true;
    // Changes that were not committed then are in a later commit now, and count as made since.
    const changed = changedOf(row.commit.replace(/\+$/, ''));
    if (!changed) return true;
    return changed.some((path) => [...ASKS_FOR_ALL, ...asks].some((glob) => matchesGlob(path, glob)));
  };
  return checks.filter(isAsked).map(({ name }) => name);
}

export function askedSentence(names: readonly string[], all: number): string {
  if (names.length === 0) return 'This change asks for no check of npm run prove.';
  const only = names.length === all ? '' : ` -- --only ${names.join(',')}`;
  return `This change asks for: npm run prove${only} (it refuses nothing)`;
}

function readRows(): Row[] {
  try {
    return readProofs(readFileSync(join(ROOT, PROOFS_PATH), 'utf8'));
  } catch {
    return [];
  }
}

const changedSince: ChangedSince = (commit) =>
  // What is no commit could be an option of git.
  /^[0-9a-f]{7,40}$/.test(commit)
    ? git('diff', '--name-only', '--no-renames', commit, 'HEAD', '--')?.split('\n').filter(Boolean)
    : undefined;

/** One sentence for the end of a run of steps. */
export function askedProofs(): string {
  try {
    if (git('rev-parse', 'HEAD') === undefined) throw new Error('git does not answer');
    return askedSentence(findAsked(CHECKS, readRows(), changedSince), CHECKS.length);
  } catch (error) {
    return `Which checks of npm run prove this change asks for is not known: ${error instanceof Error ? error.message : error}.`;
  }
}
