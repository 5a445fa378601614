// What traces cost: the processor time of a node for one live report, with traces off and with one report in ten recorded, under
// the same fixed load, in alternating pairs. Both nodes run all the time; only one of them has work. They share a process: two
// processes of one program differ by a quarter, since each compiles and collects in its own way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EVERY_MS } from '../../server/src/lib/traces/export-spans.ts';
import { type Collector, startCollector } from '../../server/test/support/collector.ts';
import { freePort } from '../../tools/dev/free-port.ts';
import { requestBytes, runLoad } from '../speed/load.ts';
import { say } from '../speed/progress.ts';
import { PEOPLE, sampleRequest } from '../speed/sample.ts';
import { check } from '../speed/service.ts';
import { openStage, type Stage } from '../speed/stage.ts';
import { median } from '../speed/statistics.ts';

const USAGE = `Usage: npm run bench:traces [-- --pairs 10 --seconds 8 --rate 120 --ratio 0.1]

Measures the processor time of a node for one live report, with traces off and on, in alternating pairs. Exits with 1 when the
median of on ÷ off is above 1.05. Needs PostgreSQL and Redis; other work on the machine blurs it.`;

/** The most that traces of one report in ten may cost. */
const BAR = 1.05;
const NODE = fileURLToPath(new URL('./node.ts', import.meta.url));
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 10;
/** Of each node in one pair. */
const SLICES = 9;
/** After each slice, of both nodes alike: until the spans of it are sent, which must not count in the slice of the other node. */
const REST_MS = EVERY_MS + 500;

type Nodes = { readonly off: number; readonly on: number; cpuMicros(): Promise<number>; stop(): Promise<void> };

/** Two nodes in one process, at these ports. */
async function startNodes(environment: Record<string, string>, traces: string): Promise<Nodes> {
  const [off, on] = [await freePort(), await freePort()];
  const common = { ...environment, TREFOIL_JOBS: 'off' };
  const settings = [
    { ...common, TREFOIL_PORT: String(off) },
    { ...common, TREFOIL_PORT: String(on), TREFOIL_TRACES: traces },
  ];
  const child = spawn(process.execPath, [NODE, ...settings.map((each) => JSON.stringify(each))], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const next = async () => {
    const [line] = await Promise.race([once(lines, 'line'), exited.then(() => [undefined])]);
    if (line === undefined) throw new Error('the nodes under measure have ended');
    return String(line);
  };
  await next();
  return {
    off,
    on,
    async cpuMicros() {
      child.stdin.write('\n');
      return Number(await next());
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

type Load = { readonly rate: number; readonly seconds: number; readonly requests: readonly Buffer[] };

/**
 * Microseconds for one report with traces off and on: the median of their slices. They take turns, off on on off, so that what
 * else the machine does for a few seconds meets both.
 */
async function measurePair({ off, on, cpuMicros }: Nodes, load: Load): Promise<[number, number]> {
  const slices = new Map<number, number[]>([
    [off, []],
    [on, []],
  ]);
  const { requests, rate } = load;
  for (let number = 0; number < SLICES; number += 1) {
    for (const port of number % 2 === 0 ? [off, on] : [on, off]) {
      const before = await cpuMicros();
      const seconds = load.seconds / SLICES;
      const { answered } = check(await runLoad({ ports: [port], requests, connections: CONNECTIONS, rate, seconds }));
      await sleep(REST_MS);
      slices.get(port)?.push(((await cpuMicros()) - before) / answered);
    }
  }
  return [median(slices.get(off) ?? []), median(slices.get(on) ?? [])];
}

function readOptions() {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      pairs: text('10'),
      seconds: text('8'),
      rate: text('120'),
      ratio: text('0.1'),
      help: { type: 'boolean' },
    },
  });
  const { pairs, seconds, rate, ratio } = values;
  return {
    isHelp: values.help === true,
    ...{ pairs: Number(pairs), seconds: Number(seconds), rate: Number(rate), ratio: Number(ratio) },
  };
}

type Options = ReturnType<typeof readOptions>;

async function measurePairs(stage: Stage, collector: Collector, options: Options): Promise<number[]> {
  const { pairs, ratio, ...load } = options;
  const requests = Array.from({ length: PEOPLE }, (_, number) => requestBytes(stage.hot, sampleRequest(number)));
  const nodes = await startNodes(stage.environment, JSON.stringify({ baseUrl: collector.url, ratio }));
  try {
    // As fast as they can: code that has run some thousand times is compiled.
    for (const port of [nodes.off, nodes.on])
      check(await runLoad({ ports: [port], requests, connections: CONNECTIONS, seconds: WARM_UP_SECONDS }));
    const quotients: number[] = [];
    for (let pair = 1; pair <= pairs; pair += 1) {
      const [off, on] = await measurePair(nodes, { ...load, requests });
      quotients.push(on / off);
      say(`pair ${pair}: off ${off.toFixed(0)} µs, on ${on.toFixed(0)} µs, ${(on / off).toFixed(3)}`);
    }
    return quotients;
  } finally {
    await nodes.stop();
  }
}

const options = readOptions();
if (options.isHelp) process.stdout.write(`${USAGE}\n`);
else {
  const stage = await openStage(0);
  const collector = await startCollector();
  try {
    const quotients = await measurePairs(stage, collector, options);
    const sorted = quotients.toSorted((a, b) => a - b);
    const middle = median(quotients);
    const isGood = middle <= BAR;
    process.stdout.write(
      `on ÷ off: median ${middle.toFixed(3)}, least ${sorted[0]?.toFixed(3)}, most ${sorted.at(-1)?.toFixed(3)}; ` +
        `${collector.spans().length} spans arrived; ≤ ${BAR}${isGood ? '' : ', not reached'}\n`,
    );
    if (!isGood) process.exitCode = 1;
  } finally {
    await collector.close();
    await stage.close();
  }
}
