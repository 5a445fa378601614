// Starts and stops the API nodes under measure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/free-port.ts';

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

/** Several nodes of one service, each on a port of its own. */
export async function startNodes(
  environment: Record<string, string>,
  count: number,
): Promise<{ readonly ports: readonly number[]; stop(): Promise<void> }> {
  const nodes: { readonly port: number; stop(): Promise<void> }[] = [];
  for (let started = 0; started < count; started += 1) {
    const port = await freePort();
    nodes.push({ port, ...(await startNode({ ...environment, TREFOIL_PORT: String(port) })) });
  }
  return {
    ports: nodes.map(({ port }) => port),
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
