// A command of the operator in this process, against a test server's database.
import { expect } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { TestServer } from '../harness.ts';

export type Run = { readonly code: number; readonly stdout: string; readonly stderr: string };

export async function runHere(server: TestServer, ...args: string[]): Promise<Run> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const output = { log: (text: string) => stdout.push(text), error: (text: string) => stderr.push(text) };
  const code = await runCommand(args, () => server.config, output);
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

/** What it prints; anything but exit code 0 and silence on standard error fails the test. */
export async function sayHere(server: TestServer, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(server, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

export async function jsonHere<T>(server: TestServer, ...args: string[]): Promise<T> {
  return JSON.parse(await sayHere(server, ...args, '--json')) as T;
}
