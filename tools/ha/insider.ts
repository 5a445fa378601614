// Starts inside-writer.ts on a machine and reads what it was acknowledged.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { addressOf, type MachineNumber, namespaceOf, POSTGRES_PORT } from './settings.ts';

export type Insider = { stop(): Promise<void> };

export type InsiderOptions = {
  readonly machine: MachineNumber;
  readonly databaseName: string;
  readonly tenantId: string;
  onAcknowledged(sourceId: string): void;
};

const WRITER = fileURLToPath(new URL('./inside-writer.ts', import.meta.url));
const START_MS_MAX = 30_000;

/** Resolves when its first purchase was acknowledged: an insider that never wrote would prove nothing. */
export async function startInsider(options: InsiderOptions): Promise<Insider> {
  const { machine, databaseName, tenantId, onAcknowledged } = options;
  const urlOf = (role: string) => `postgres://${role}@${addressOf(machine)}:${POSTGRES_PORT}/${databaseName}`;
  const words = ['--app', urlOf('trefoil_app'), '--system', urlOf('trefoil_system'), '--tenant', tenantId];
  const child = spawn('ip', ['netns', 'exec', namespaceOf(machine), process.execPath, WRITER, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'close');
  const { promise: first, resolve } = Promise.withResolvers<true>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    onAcknowledged(line);
    resolve(true);
  });
  const late = new Promise<false>((done) => setTimeout(done, START_MS_MAX, false).unref());
  const isWriting = await Promise.race([first, late, ended.then(() => false as const)]);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  if (!isWriting) {
    await stop();
    throw new Error('the client on the primary’s machine did not write');
  }
  return { stop };
}
