// Two API nodes and a worker, each of one version or the other, replaced one by one as docs/operate/deploy.md says.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tally } from '../chaos/tally.ts';
import { type Server, startServer } from '../faults/servers.ts';
import type { Control } from './controls.ts';
import { DRAIN_MS, type Stage, type Version } from './stage.ts';

/** TREFOIL_SHUTDOWN_MS is 20 s by default, and its time begins with the signal. */
const STOP_MS_MAX = 25_000;
const READY_MS_MAX = 60_000;
const LOOK_MS = 100;

export type Nodes = {
  /** From the signal to the end, and from the start until ready, of each process that was replaced. */
  readonly stopMs: number[];
  readonly readyMs: number[];
  readonly logged: ReadonlyMap<string, number>;
  /** Replaces one node after the other, then the worker. */
  rollTo(version: Version): Promise<void>;
};

export async function startNodes(stage: Stage, tally: Tally, control: Control | undefined): Promise<Nodes> {
  const { directories, environment, nodePorts } = stage;
  const [stopMs, readyMs]: [number[], number[]] = [[], []];
  const logged = new Map<string, number>();

  const startNode = async (version: Version, port: number): Promise<Server> => {
    const startedMs = performance.now();
    const server = await startServer({
      name: 'api',
      directory: directories[version],
      environment: { ...environment, TREFOIL_PORT: String(port), TREFOIL_JOBS: 'off' },
    });
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    while (!(await isReady().catch(() => false))) {
      if (performance.now() - startedMs > READY_MS_MAX || !server.isRunning()) {
        tally.find(
          'every node becomes ready',
          `a node of the ${version} version: ${[...server.logged.keys()].join('; ')}`,
        );
        break;
      }
      await sleep(LOOK_MS);
    }
    readyMs.push(Math.round(performance.now() - startedMs));
    return server;
  };
  const startWorker = (version: Version) =>
    startServer({ name: 'worker', directory: directories[version], environment });

  const nodes = await Promise.all(nodePorts.map((port) => startNode('previous', port)));
  let worker = await startWorker('previous');

  function note({ logged: lines }: Server): void {
    for (const [line, times] of lines) logged.set(line, (logged.get(line) ?? 0) + times);
  }

  async function stop(server: Server, drainMs: number): Promise<void> {
    const startedMs = performance.now();
    if (control?.isKilled) server.kill();
    const code = await server.stop(STOP_MS_MAX);
    note(server);
    stopMs.push(Math.round(performance.now() - startedMs));
    if (control?.isKilled) return;
    if (code !== 0) tally.find('a stopped process ends well', `exit code ${code}`);
    if (performance.now() - startedMs < drainMs) tally.find('a stopped node drains first', 'it ended sooner');
  }

  stage.onClose(async () => {
    await Promise.all([...nodes, worker].map((server) => server.stop()));
  });
  return {
    ...{ stopMs, readyMs, logged },
    async rollTo(version) {
      for (const [place, port] of nodePorts.entries()) {
        const node = nodes[place];
        if (node) await stop(node, DRAIN_MS);
        nodes[place] = await startNode(version, port);
      }
      await stop(worker, 0);
      worker = await startWorker(version);
    },
  };
}
