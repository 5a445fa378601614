// The merge benchmark's command. Figures go to stdout, progress to stderr. It measures the matcher and never steers it.
import { explainReport } from './explain.ts';
import { gatesOf } from './gates.ts';
import { loadMatcher, type Matcher } from './matcher.ts';
import { measureNoise } from './measure.ts';
import type { Profile } from './noise.ts';
import { type Options, readOptions, USAGE, UsageError } from './options.ts';
import { type RunResult, runProfile } from './run.ts';
import { measureScale, scaleText } from './scale.ts';
import { noiseText, resultJson, resultText } from './table.ts';

function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${line.padEnd(60)}`);
}

function run(merge: Matcher, profile: Profile, { seed, people, errors }: Options): RunResult {
  let shown = 0;
  const result = runProfile(merge, {
    ...{ profile, seed, people },
    onProgress: (done) => progress(`${profile}: ${done} of ${people}`),
    onWrong: ({ report, output }) => {
      if (shown >= errors) return;
      shown += 1;
      process.stdout.write(`${explainReport(report, output)}\n\n`);
    },
  });
  progress('');
  return result;
}

/** Whether every gate was met. */
async function main(options: Options): Promise<boolean> {
  if (options.mode === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return true;
  }
  if (options.mode === 'noise') {
    for (const profile of options.profiles) {
      process.stdout.write(`${noiseText(profile, measureNoise(profile, options.seed, options.people))}\n\n`);
    }
    return true;
  }
  const merge = await loadMatcher();
  if (options.mode === 'scale') {
    const scale = measureScale(merge, options.seed);
    process.stdout.write(`${scaleText(scale)}\n`);
    return scale.isMet;
  }
  let isMet = true;
  for (const profile of options.profiles) {
    const result = run(merge, profile, options);
    const text = options.mode === 'json' ? JSON.stringify(resultJson(result)) : `${resultText(result)}\n`;
    process.stdout.write(`${text}\n`);
    isMet &&= gatesOf(result).every((gate) => gate.isMet);
  }
  return isMet;
}

try {
  const options = readOptions(process.argv.slice(2));
  const isMet = await main(options);
  if (options.isGated && !isMet) process.exitCode = 1;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`bench:merge: ${message}\n${error instanceof UsageError ? `\n${USAGE}\n` : ''}`);
  process.exitCode = 2;
}
