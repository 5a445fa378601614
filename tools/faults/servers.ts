// The servers under test as real processes: API nodes and a worker, started from a copy of the tree. Counts their log
// messages, and reads their memory and metrics.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../chaos/tally.ts';
import { freePort } from '../dev/free-port.ts';

export type Server = {
  readonly metricsPort: number;
  /** How often each message of at least level `warn` was logged. */
  readonly logged: ReadonlyMap<string, number>;
  isRunning(): boolean;
  residentMegabytes(): number;
  /** The sum over all labels; 0 while the metric is unknown. */
  readMetric(name: string): Promise<number>;
  /** Sends SIGTERM, and SIGKILL after this time. Returns the exit code; null if it was killed. */
  stop(patienceMs?: number): Promise<number | null>;
  kill(): void;
};

export type ServerOptions = {
  readonly name: 'api' | 'worker';
  /** The tree it runs from. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** For compiled code; by default beside the tree, which is a copy. */
  readonly cacheFolder?: string;
};

const START_MS_MAX = 120_000;
const LOOK_MS = 50;
const STOP_MS_MAX = 3_000;
const METRICS_MS_MAX = 2_000;
const MEMORY_KB = /^VmRSS:\s+(\d+)/m;

function countLog(child: ChildProcess, logged: Map<string, number>): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (text) => {
      const line = parseLine(text);
      const told = ['msg', 'job', 'code', 'errorName', 'errorCode'].map((field) => line[field]).filter(Boolean);
      count(logged, told.join(' '));
    });
  }
}

function parseLine(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { msg: text };
  }
}

/** How often a message was logged, whatever its fields. */
export function countLogged({ logged }: Pick<Server, 'logged'>, message: string): number {
  return [...logged].reduce((sum, [text, times]) => (text.startsWith(message) ? sum + times : sum), 0);
}

export function sumMetric(text: string, name: string): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

export async function startServer({ name, directory, environment, cacheFolder }: ServerOptions): Promise<Server> {
  const metricsPort = await freePort();
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const child = spawn(process.execPath, [join(directory, 'server/src/main.ts'), name], {
    env: {
      ...environment,
      TREFOIL_METRICS_PORT: String(metricsPort),
      NODE_COMPILE_CACHE: cacheFolder ?? join(directory, 'compiled'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group: Ctrl-C is for the run, which then stops its servers itself.
    detached: true,
  });
  // Not "exit": its last lines may come after that.
  const exited = once(child, 'close');
  const logged = new Map<string, number>();
  countLog(child, logged);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const readMetrics = async () =>
    (await fetch(metricsUrl, { signal: AbortSignal.timeout(METRICS_MS_MAX) }).catch(() => undefined))?.text() ?? '';
  const server: Server = {
    metricsPort,
    logged,
    isRunning,
    residentMegabytes() {
      try {
        return Number(MEMORY_KB.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
      } catch {
        return 0;
      }
    },
    readMetric: async (metric) => sumMetric(await readMetrics(), metric),
    async stop(patienceMs = STOP_MS_MAX) {
      if (!isRunning()) {
        await exited;
        return child.exitCode;
      }
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(patienceMs, undefined, { ref: false })]);
      if (isRunning()) child.kill('SIGKILL');
      await exited;
      return child.exitCode;
    },
    kill: () => void child.kill('SIGKILL'),
  };
  const startedMs = performance.now();
  // The metrics listener opens last, when the server accepts requests or does its work.
  while ((await readMetrics()) === '') {
    if (isRunning() && performance.now() - startedMs < START_MS_MAX) {
      await sleep(LOOK_MS);
      continue;
    }
    await server.stop();
    throw new Error(`${name} did not start: ${[...logged.keys()].join('; ')}`);
  }
  return server;
}
