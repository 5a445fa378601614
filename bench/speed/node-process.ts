// Starts and stops the measured API nodes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/dev/free-port.ts';

const NODE = fileURLToPath(new URL('./node.ts', import.meta.url));

export async function startNode(environment: Record<string, string>): Promise<{ stop(): Promise<void> }> {
  // The node reads only its own settings; PATH is for profiling it.
  const child = spawn(process.execPath, [...process.execArgv, NODE], {
    env: environment,
    // Its input ends with this process, and the node ends with its input: a killed benchmark leaves no node behind.
    stdio: ['pipe', 'pipe', 'inherit'],
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

/** Several nodes of one service, each on its own port. */
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
