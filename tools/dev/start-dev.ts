// A server of `npm run dev` as a child process with a database of its own, for tools that check something against it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DEV = fileURLToPath(new URL('dev.ts', import.meta.url));
const START_MS = 60_000;

/** A part of what `npm run dev -- --json` prints. */
export type Demo = {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** With simulators of all other companies; its database is dropped when it stops. */
export async function startDev(): Promise<{ readonly demo: Demo; stop(): Promise<void> }> {
  const options = [DEV, '--json', '--ephemeral', '--port', '0'];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'] });
  const log: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGTERM'), START_MS);
  const ready = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const [line] = await Promise.race([ready, once(child, 'exit').then(() => [undefined] as const)]);
  clearTimeout(timer);
  if (line === undefined) throw new Error(`The server did not start:\n${log.join('')}`);
  return {
    demo: JSON.parse(line),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
