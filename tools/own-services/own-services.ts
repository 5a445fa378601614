// PostgreSQL and Redis servers for one run, in memory and without care for power cuts. A process of its own keeps them, outside the
// group of this one: it ends them when this process ends, in whatever way, and nothing that stops the run's processes stops them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hasPostgresPrograms } from '../dev/postgres-programs.ts';
import type { Servers } from './servers.ts';

export type OwnServices = {
  readonly servers: readonly [Servers, ...Servers[]];
  close(): Promise<void>;
};

const keeper = fileURLToPath(new URL('keep.ts', import.meta.url));

/** Undefined where PostgreSQL's programs are not installed. */
export async function openOwnServices(count: number): Promise<OwnServices | undefined> {
  if (!hasPostgresPrograms) return undefined;
  const child = spawn(process.execPath, [keeper, String(count)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
    exited.then(([code]) => Promise.reject(new Error(`the servers of the tests did not start (exit code ${code})`))),
  ]);
  return {
    servers: JSON.parse(line) as [Servers, ...Servers[]],
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
