// A command of the operator, in this process or as one of its own, against a test server's database.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { TestServer } from '../harness.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The compiled packages of the last run, as `npm test` keeps them: without them each process compiles all of them anew. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)),
};

export type Run = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** As a process with these settings alone; its standard input is no terminal. */
export function runProcess(
  args: readonly string[],
  environment: Record<string, string>,
  nodeArguments: readonly string[] = [],
): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...nodeArguments, MAIN, ...args],
      { env: { ...COMPILE_CACHE, ...environment } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });
}

type Answering = { readonly answer?: string };

/** With an answer there is somebody at a terminal who gives it to every question. */
export async function runAnswering(
  { config }: Pick<TestServer, 'config'>,
  { answer }: Answering,
  ...args: string[]
): Promise<Run & { readonly questions: readonly string[] }> {
  const [stdout, stderr, questions]: [string[], string[], string[]] = [[], [], []];
  const ask = async (question: string) => {
    questions.push(question);
    return answer ?? '';
  };
  const output = { log: (text: string) => stdout.push(text), error: (text: string) => stderr.push(text) };
  const code = await runCommand(args, () => config, { ...output, ...(answer !== undefined && { ask }) });
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n'), questions };
}

export async function runHere(server: Pick<TestServer, 'config'>, ...args: string[]): Promise<Run> {
  const { code, stdout, stderr } = await runAnswering(server, {}, ...args);
  return { code, stdout, stderr };
}

/** What it prints; anything but exit code 0 and silence on standard error fails the test. */
export async function sayHere(server: Pick<TestServer, 'config'>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(server, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

export async function jsonHere<T>(server: Pick<TestServer, 'config'>, ...args: string[]): Promise<T> {
  return JSON.parse(await sayHere(server, ...args, '--json')) as T;
}
