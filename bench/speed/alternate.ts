// Measures another checkout of the project and this one alternately, with each tree's own benchmark, and prints new
// against old for each figure: the machine varies more from hour to hour than the two trees differ.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareTrees, comparisonTable, type TreeFigures, type TreesRound } from './compare-trees.ts';
import { say } from './progress.ts';

const USAGE = `Usage: npm run bench:alternate -- --old DIR [options]

Runs the speed benchmark of the checkout in DIR (with its packages installed) and of this one in turn, and prints per
figure the median over the rounds of new ÷ old.

  --old DIR     the checkout to compare with
  --rounds N    how often each is measured (default 3)
  --seconds N   length of each measurement, as for npm run bench
  --wallets N   wallets of the spread load, as for npm run bench
  --nodes N     API nodes side by side, as for npm run bench
  --json        one JSON object with all runs and the comparison instead of the table
  --help        this text`;

const MAIN = 'bench/speed/main.ts';
const NEW = fileURLToPath(new URL('../..', import.meta.url));
const PASSED_ON = ['seconds', 'wallets', 'nodes'] as const;

type Options = { readonly old: string; readonly rounds: number; readonly passedOn: readonly string[]; json: boolean };

function readOptions(): (Options & { help: boolean }) | undefined {
  try {
    const { values } = parseArgs({
      options: {
        old: { type: 'string', default: '' },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string' },
        wallets: { type: 'string' },
        nodes: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { help, json } = values;
    const [old, rounds] = [resolve(values.old), Number(values.rounds)];
    if (!(help || (values.old && existsSync(join(old, MAIN)))))
      throw new Error(`--old takes a directory with ${MAIN}.`);
    if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 100)) throw new Error('--rounds takes 1 to 100.');
    const passedOn = PASSED_ON.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
    return { old, rounds, passedOn, json, help };
  } catch (error) {
    say(`${(error as Error).message}\nnpm run bench:alternate -- --help explains the options.`);
    return undefined;
  }
}

/** Both trees run on this process's Node, so that they differ in nothing else. */
async function measureTree(directory: string, passedOn: readonly string[]): Promise<TreeFigures> {
  const child = spawn(process.execPath, [join(directory, MAIN), '--json', ...passedOn], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the benchmark in ${directory} ended with ${code}`);
  return JSON.parse(output) as TreeFigures;
}

async function measureRound(round: number, { old, rounds, passedOn }: Options): Promise<TreesRound> {
  const measure = (name: string, directory: string) => {
    say(`round ${round} of ${rounds}: the ${name} tree, ${directory}`);
    return measureTree(directory, passedOn);
  };
  // The new tree goes first every second round, so that a machine that slows down steadily favours neither.
  if (round % 2 === 1) return { old: await measure('old', old), new: await measure('new', NEW) };
  const [newFigures, oldFigures] = [await measure('new', NEW), await measure('old', old)];
  return { old: oldFigures, new: newFigures };
}

const options = readOptions();
if (!options) process.exitCode = 2;
else if (options.help) process.stdout.write(`${USAGE}\n`);
else {
  const rounds: TreesRound[] = [];
  for (let round = 1; round <= options.rounds; round += 1) rounds.push(await measureRound(round, options));
  const comparison = compareTrees(rounds);
  process.stdout.write(`${options.json ? JSON.stringify({ rounds, comparison }) : comparisonTable(comparison)}\n`);
}
