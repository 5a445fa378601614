// Starts a server process, visits it while it is ready, stops it, and checks that it ended well and in time.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const START_MS = 60_000;
const STOP_MS = 20_000;
const LOOK_MS = 50;

export type ServerProcess = {
  readonly name: string;
  /** Answers 200 as soon as the process is ready. */
  readonly readyUrl: string;
  readonly start: () => ChildProcess;
};

export type Times = { readonly readyMs: number; readonly stopMs: number };

async function waitUntilReady(child: ChildProcess, { name, readyUrl }: ServerProcess): Promise<void> {
  const limit = AbortSignal.timeout(START_MS);
  const isReady = async () => (await fetch(readyUrl)).ok;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || limit.aborted) throw new Error(`${name} did not become ready`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** `whileStopping` runs beside the stop, after the signal. */
export async function withProcess(
  server: ServerProcess,
  visit: () => Promise<void> = async () => undefined,
  whileStopping: () => Promise<void> = async () => undefined,
): Promise<Times> {
  const startedAt = performance.now();
  const child = server.start();
  try {
    await waitUntilReady(child, server);
    const readyMs = Math.round(performance.now() - startedAt);
    await visit();
    const stoppedAt = performance.now();
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
    child.kill('SIGTERM');
    const [[code]] = await Promise.all([exited, whileStopping()]);
    if (code !== 0) throw new Error(`${server.name} ended with ${code}`);
    return { readyMs, stopMs: Math.round(performance.now() - stoppedAt) };
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}
