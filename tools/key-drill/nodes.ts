// Two API nodes and a worker, restarted one by one with the settings of the next step.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tally } from '../chaos/tally.ts';
import { type Server, startServer } from '../faults/servers.ts';
import type { Step } from './settings.ts';
import { ROOT, type Stage } from './stage.ts';

const STOP_MS_MAX = 25_000;
const READY_MS_MAX = 60_000;
const LOOK_MS = 100;

export type Nodes = {
  readonly logged: ReadonlyMap<string, number>;
  /**
   * Restarts one node after the other, then the worker. `beside` runs after each, while old and new settings serve side by side: that
   * is where a wrong order of steps shows. False: one did not come back.
   */
  rollTo(step: Step, beside: () => Promise<void>): Promise<boolean>;
};

export async function startNodes(stage: Stage, tally: Tally): Promise<Nodes> {
  const { nodePorts, environmentOf } = stage;
  const logged = new Map<string, number>();
  const cacheFolder = join(stage.folder, 'compiled');
  const start = (name: 'api' | 'worker', environment: Readonly<Record<string, string>>) =>
    startServer({ name, directory: ROOT, environment, cacheFolder });

  async function startNode(step: Step, port: number): Promise<Server | undefined> {
    const environment = { ...environmentOf(step), TREFOIL_PORT: String(port), TREFOIL_JOBS: 'off' };
    const limit = AbortSignal.timeout(READY_MS_MAX);
    try {
      const server = await start('api', environment);
      const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
      while (!(await isReady().catch(() => false))) {
        if (limit.aborted || !server.isRunning()) throw new Error([...server.logged.keys()].join('; '));
        await sleep(LOOK_MS);
      }
      return server;
    } catch (error) {
      tally.find('every node becomes ready', `with the settings of the step ${step}: ${String(error).slice(0, 600)}`);
      return undefined;
    }
  }

  const nodes = await Promise.all(nodePorts.map((port) => startNode('old', port)));
  let worker: Server | undefined = await start('worker', environmentOf('old'));

  async function stop(server: Server | undefined): Promise<void> {
    if (!server) return;
    const code = await server.stop(STOP_MS_MAX);
    for (const [line, times] of server.logged) logged.set(line, (logged.get(line) ?? 0) + times);
    if (code !== 0) tally.find('a stopped process ends well', `exit code ${code}`);
  }

  stage.onClose(async () => {
    await Promise.all([...nodes, worker].map(async (server) => server?.stop()));
  });
  return {
    logged,
    async rollTo(step, beside) {
      for (const [place, port] of nodePorts.entries()) {
        await stop(nodes[place]);
        nodes[place] = await startNode(step, port);
        // A second one would end the service, and the drill has its finding.
        if (!nodes[place]) return false;
        await beside();
      }
      await stop(worker);
      worker = await start('worker', environmentOf(step));
      return true;
    },
  };
}
