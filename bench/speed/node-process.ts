// Starts and stops the API node under measure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const NODE = fileURLToPath(new URL('./node.ts', import.meta.url));

export async function startNode(environment: Record<string, string>): Promise<{ stop(): Promise<void> }> {
  // The node reads nothing but its own settings; PATH is for whoever profiles it.
  const child = spawn(process.execPath, [...process.execArgv, NODE], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const ready = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)]);
  if (!ready) throw new Error('the node under measure did not start');
  return {
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
