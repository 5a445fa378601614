// A server of `npm run dev` as a child process with a database of its own, for tools that check something against it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FOR_CHECKS } from './dev-options.ts';

const DEV = fileURLToPath(new URL('dev.ts', import.meta.url));
/** A start takes a few seconds. The limit is for a machine that other programs keep busy. */
const START_MS = 180_000;

/** A part of what `npm run dev -- --json` prints. */
export type Demo = {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** With simulators of all other companies; its database is dropped when it stops. */
export async function startDev(): Promise<{ readonly demo: Demo; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [DEV, ...FOR_CHECKS], { stdio: ['ignore', 'pipe', 'pipe'] });
  const log: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const exited = once(child, 'exit');
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGTERM');
  }, START_MS);
  const ready = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const [line] = await Promise.race([ready, exited.then(() => [undefined] as const)]);
  clearTimeout(timer);
  // A server that is told to stop while it starts prints its line all the same, and then ends: its callers would find the
  // port closed.
  if (isLate) await exited;
  if (isLate || line === undefined) {
    const limit = isLate ? ` within ${START_MS / 1_000} s` : '';
    throw new Error(`The server did not start${limit}:\n${log.join('')}`);
  }
  return {
    demo: JSON.parse(line),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
