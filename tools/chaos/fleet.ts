// The servers as real processes: API nodes that die and come back on their ports, and one worker that never dies. A
// node can be armed to kill itself at a failpoint; before each request, the client asks here for a node.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Random } from '../../bench/merge/random.ts';
import type { FailpointName } from '../../server/src/credit-reports/failpoints.ts';
import type { ArmedFailpoint } from '../../server/src/lib/failpoints.ts';
import { count, type Tally } from './tally.ts';

/** The stretches of work that have a failpoint, and so what a request must do to reach one. */
export type Stretch = 'reserve' | 'fetch' | 'settle' | 'message' | 'receipt';

/** Total on purpose: a failpoint that no request drives at does not compile. */
const STRETCH_OF: Readonly<Record<FailpointName, Stretch>> = {
  'before-reserve-commit': 'reserve',
  'after-reserve': 'reserve',
  'before-bureau-send': 'fetch',
  'after-bureau-send': 'fetch',
  'after-bureau-reply': 'fetch',
  'before-settle-commit': 'settle',
  'after-settle-before-reply': 'settle',
  'before-sms-submit': 'message',
  'after-sms-submit': 'message',
  'before-receipt-commit': 'receipt',
};

export type Node = {
  readonly slot: number;
  readonly baseUrl: string;
  readonly armed: ArmedFailpoint<FailpointName> | undefined;
  isReady: boolean;
  /** True once the run has killed it; an armed node must die by itself. */
  isKilled: boolean;
  readonly died: Promise<NodeJS.Signals | null>;
  kill(): void;
  /** Stops it in the middle of its work; it holds its connections and does not notice the time that passes. */
  freeze(): void;
  thaw(): void;
};

export type Fleet = {
  readonly size: number;
  /** Replaces the dead node of a slot; resolves when the new one accepts requests, or is dead again. */
  start(slot: number, armed?: ArmedFailpoint<FailpointName>): Promise<Node>;
  listReady(): Node[];
  /** A ready node, most often one armed on the path of this work. Work that leads to no failpoint avoids armed nodes. */
  pick(stretches: readonly Stretch[]): Node | undefined;
  stop(): Promise<void>;
};

const START_MS_MAX = 60_000;
/** Not all of it, so that armed nodes also die from, and unarmed ones survive, other work. */
const WANTED_PERCENT = 75;
const ERROR_LEVEL = 'error';
/** Below the ephemeral ports: an outgoing connection could take a dead node's port before it is back. */
const PORTS = { first: 20_000, last: 31_999 };

type LogLine = { readonly level?: string; readonly msg?: string } & Readonly<Record<string, unknown>>;

const FRAMES_MAX = 12;
const TOLD = ['msg', 'route', 'job', 'code', 'errorName', 'errorCode', 'stack'];

/** What happened and where, so that equal faults are counted as equal. */
function describe(line: LogLine): string {
  // An uncaught error has ended its process: where it came from needs more than one frame.
  const frames = line.msg === 'uncaught' ? FRAMES_MAX : 1;
  return TOLD.flatMap((field) =>
    line[field] === undefined ? [] : String(line[field]).trim().split(/\n\s*/, frames),
  ).join(' ');
}

function parseLine(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { level: ERROR_LEVEL, msg: text };
  }
}

function readLog(child: ChildProcess, tally: Tally, onLine: (line: LogLine) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (text) => {
      const line = parseLine(text);
      if (line.level === ERROR_LEVEL) count(tally.logErrors, describe(line));
      onLine(line);
    });
  }
}

/** Compiled code halves the start time. A killed node saves no cache, so one process loads the app and ends first. */
async function compile(directory: string, env: Record<string, string>): Promise<void> {
  const app = pathToFileURL(join(directory, 'server/src/app.ts')).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', `await import('${app}'); process.exit(0)`], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the servers do not load');
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => probe.close(resolve));
  return isListening;
}

export type FleetOptions = {
  /** The tree the servers run from. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly size: number;
};

export async function openFleet(
  { directory, environment, size }: FleetOptions,
  random: Random,
  tally: Tally,
): Promise<Fleet> {
  const main = join(directory, 'server/src/main.ts');
  const kept = { ...environment, NODE_COMPILE_CACHE: join(directory, 'compiled') };
  await compile(directory, kept);
  const ports: number[] = [];
  while (ports.length < size) {
    const port = random.between(PORTS.first, PORTS.last);
    if (!ports.includes(port) && (await isFree(port))) ports.push(port);
  }
  const nodes: (Node | undefined)[] = ports.map(() => undefined);
  const children = new Set<ChildProcess>();
  let isStopping = false;

  function run(name: 'api' | 'worker', changes: Record<string, string>): ChildProcess {
    const child = spawn(process.execPath, [main, name], {
      env: { ...kept, ...changes },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In its own process group: Ctrl-C is for the run, which then stops its servers itself.
      detached: true,
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  }

  const worker = run('worker', {});
  readLog(worker, tally, () => undefined);
  worker.once('exit', (code, signal) => {
    if (!isStopping) tally.find('the worker lives', `it ended with ${signal ?? code}`);
  });

  function watchDeath(node: Node, code: number | null, signal: NodeJS.Signals | null): void {
    node.isReady = false;
    if (isStopping || node.isKilled || (node.armed && signal === 'SIGKILL')) return;
    tally.find('nodes die only when they are killed', `node ${node.slot} ended with ${signal ?? code}`);
  }

  async function start(slot: number, armed?: ArmedFailpoint<FailpointName>): Promise<Node> {
    const port = String(ports[slot]);
    const child = run('api', {
      TREFOIL_PORT: port,
      ...(armed && { TREFOIL_FAILPOINT: `${armed.name}:${armed.visit}` }),
    });
    const { promise: died, resolve: bury } = Promise.withResolvers<NodeJS.Signals | null>();
    const node: Node = {
      slot,
      baseUrl: `http://127.0.0.1:${port}`,
      armed,
      isReady: false,
      isKilled: false,
      died,
      kill() {
        node.isKilled = true;
        node.isReady = false;
        child.kill('SIGKILL');
      },
      freeze() {
        node.isReady = false;
        child.kill('SIGSTOP');
      },
      thaw() {
        node.isReady = !node.isKilled && child.kill('SIGCONT');
      },
    };
    nodes[slot] = node;
    const listening = new Promise<void>((resolve) => {
      readLog(child, tally, ({ msg }) => {
        if (msg === 'listening') resolve();
      });
    });
    child.once('exit', (code, signal) => {
      watchDeath(node, code, signal);
      bury(signal);
    });
    const late = setTimeout(() => {
      tally.find('nodes start', `node ${slot} was not ready after ${START_MS_MAX} ms`);
      node.kill();
    }, START_MS_MAX);
    await Promise.race([listening, died]);
    clearTimeout(late);
    node.isReady = child.exitCode === null && child.signalCode === null;
    return node;
  }

  const listReady = () => nodes.filter((node): node is Node => node?.isReady === true);
  return {
    size,
    start,
    listReady,
    pick(stretches) {
      const ready = listReady();
      const wanted = ready.filter(({ armed }) =>
        stretches.length === 0 ? !armed : armed && stretches.includes(STRETCH_OF[armed.name]),
      );
      const from = wanted.length > 0 && random.chance(WANTED_PERCENT) ? wanted : ready;
      return from.length === 0 ? undefined : random.pick(from);
    },
    async stop() {
      isStopping = true;
      const ends = [...children].map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve())));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}
