// npm run prove: runs checks of tools/prove/checks.ts one after another, and ends with a table of verdicts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/run-command.ts';
import { CHECKS } from './checks.ts';
import { nameCommit } from './git.ts';
import { HELP, type Options, type Planned, readOptions, UsageError } from './options.ts';
import { type Outcome, runCheck } from './run-check.ts';
import { PROOFS_PATH, type Row, readProofs, rowOf, showTable, writeProofs } from './table.ts';
import { exitCodeOf, VERDICTS } from './verdict.ts';

const LOGS = 'node_modules/.cache/prove';
const INTERRUPTED = 130;

/** Progress goes to standard error: standard output has the table, or the JSON, and nothing else. */
const say = (line: string) => process.stderr.write(`${line}\n`);

function keepRow(row: Row): void {
  const path = join(ROOT, PROOFS_PATH);
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // The first row makes the file.
  }
  writeFileSync(path, writeProofs(CHECKS, [...readProofs(text), row]));
}

async function prove({ planned, seed }: Options, signal: AbortSignal): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [at, { check, size, isFull }] of planned.entries()) {
    if (signal.aborted) break;
    const since = new Date().toISOString().slice(11, 16);
    say(
      `[${at + 1}/${planned.length}] ${check.name}: ${check.title}; since ${since} UTC, at most ${check.limitMinutes} min`,
    );
    const commit = nameCommit();
    const outcome = await runCheck(check, { size, seed, folder: join(ROOT, LOGS), say, signal });
    outcomes.push(outcome);
    say(`  ${check.name}: ${outcome.verdict}, ${outcome.seconds} s`);
    // After each, so that a run that ends early leaves what it has shown.
    if (isFull && outcome.verdict !== 'interrupted') {
      keepRow(rowOf(outcome, { commit, date: new Date().toISOString().slice(0, 10) }));
    }
  }
  return outcomes;
}

function summarise(outcomes: readonly Outcome[]): string[] {
  return VERDICTS.flatMap((verdict) => {
    const names = outcomes.filter((outcome) => outcome.verdict === verdict).map(({ check }) => check);
    if (names.length === 0) return [];
    return [verdict === 'held' ? `${names.length} held` : `${verdict}: ${names.join(', ')}`];
  });
}

function list(planned: readonly Planned[]): void {
  for (const { check, size } of planned) {
    const { name, title, limitMinutes, judges } = check;
    const settings = Object.entries(size.environment ?? {}).map(([key, value]) => `${key}=${value} `);
    console.log(
      `${name}: ${title}; judges ${judges}, at most ${limitMinutes} min: ${settings.join('')}${size.command.join(' ')}`,
    );
  }
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.mode === 'help') console.log(HELP);
  if (options.mode === 'list') list(options.planned);
  if (options.mode !== 'run') return 0;
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!stopping.signal.aborted) say('Stopping: the running check is ended with everything that it started.');
      stopping.abort();
    });
  }
  say(`seed ${options.seed}; the output of each check is in ${LOGS}`);
  const outcomes = await prove(options, stopping.signal);
  const verdicts = outcomes.flatMap(({ verdict }) => (verdict === 'interrupted' ? [] : [verdict]));
  const code = exitCodeOf(verdicts);
  const exitCode = stopping.signal.aborted && code !== 1 ? INTERRUPTED : code;
  const { seed, isQuick } = options;
  const text = options.isJson
    ? JSON.stringify({ exitCode, commit: nameCommit(), seed, isQuick, checks: outcomes })
    : [showTable(outcomes), '', ...summarise(outcomes)].join('\n');
  console.log(text);
  return exitCode;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say(`${error.message}\nnpm run prove -- --help explains the options.`);
  process.exitCode = 2;
}
