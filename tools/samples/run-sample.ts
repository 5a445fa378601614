// Runs one sample as the reader would, and compares what each of its blocks prints with what the document promises.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language, Sample } from './extract.ts';

/** Printed after each block, to tell their outputs apart. */
const MARK = '--- end of block ---';
const TIMEOUT_MS = 30_000;

const RUNNERS: Readonly<
  Record<
    Language,
    { readonly file: string; readonly before: string; readonly mark: string; readonly command: string[] }
  >
> = {
  bash: { file: 'sample.sh', before: 'set -euo pipefail\n', mark: `echo '${MARK}'\n`, command: ['bash'] },
  js: { file: 'sample.mjs', before: '', mark: `console.log('${MARK}');\n`, command: [process.execPath] },
  ts: { file: 'sample.ts', before: '', mark: `console.log('${MARK}');\n`, command: [process.execPath] },
  python: { file: 'sample.py', before: '', mark: `print('${MARK}', flush=True)\n`, command: ['python3'] },
};

/** The sample as one program in a folder of its own. */
export function writeSample({ language, blocks }: Sample, folder: string): string {
  const { file, before, mark } = RUNNERS[language];
  mkdirSync(folder, { recursive: true });
  const path = join(folder, file);
  writeFileSync(path, before + blocks.map(({ code }) => code + mark).join(''));
  return path;
}

type Ended = { readonly code: number | null; readonly output: string; readonly errors: string };

async function runProgram(language: Language, path: string, environment: Record<string, string>): Promise<Ended> {
  const values = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const child = spawn('env', [...values, ...RUNNERS[language].command, path], {
    cwd: join(path, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  const [output, errors]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const [code] = await once(child, 'close');
  return { code, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() };
}

/** What is wrong with the sample; empty when it does what its document says. */
export async function runSample(sample: Sample, path: string, environment: Record<string, string>): Promise<string[]> {
  const { code, output, errors } = await runProgram(sample.language, path, environment);
  const printed = output.split(`${MARK}\n`);
  const faults = sample.blocks.flatMap((block, at) => {
    const where = `${sample.file}:${block.line}`;
    // Without its mark the block did not come to its end.
    if (at >= printed.length - 1)
      return at === printed.length - 1 ? [`${where}: it failed after printing:\n${printed[at]}`] : [];
    if (block.output === undefined || block.output === printed[at]) return [];
    return [`${where}: it prints\n${printed[at]}and the document says\n${block.output}`];
  });
  return code === 0 ? faults : [...faults, `${sample.file} (${sample.language}) ended with ${code}:\n${errors}`];
}
