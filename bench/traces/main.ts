// What traces cost: the processor time of a node for one live report, with traces off and with one report in ten recorded, under
// the same fixed load, in alternating pairs. Both nodes run all the time; only one of them has work.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
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

type Node = { readonly port: number; cpuMicros(): Promise<number>; stop(): Promise<void> };

async function startNode(environment: Record<string, string>): Promise<Node> {
  const port = await freePort();
  const child = spawn(process.execPath, [NODE], {
    env: { ...environment, TREFOIL_PORT: String(port), TREFOIL_JOBS: 'off' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const next = async () => {
    const [line] = await Promise.race([once(lines, 'line'), exited.then(() => [undefined])]);
    if (line === undefined) throw new Error('the node under measure has ended');
    return String(line);
  };
  await next();
  return {
    port,
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

/** Microseconds of processor time for one report, in one slice. */
async function measure({ port, cpuMicros }: Node, { rate, seconds, requests }: Load): Promise<number> {
  const before = await cpuMicros();
  const { answered } = check(await runLoad({ ports: [port], requests, connections: CONNECTIONS, rate, seconds }));
  return ((await cpuMicros()) - before) / answered;
}

/**
 * Microseconds for one report on each of the two nodes: the median of their slices. They take turns, off on on off, so that
 * what else the machine does for a few seconds meets both.
 */
async function measurePair(nodes: readonly [Node, Node], load: Load): Promise<[number, number]> {
  const slices: [number[], number[]] = [[], []];
  const slice = { ...load, seconds: load.seconds / SLICES };
  for (let number = 0; number < SLICES; number += 1) {
    const order = number % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const place of order) slices[place].push(await measure(nodes[place], slice));
  }
  return [median(slices[0]), median(slices[1])];
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
  const off = await startNode(stage.environment);
  const traces = { TREFOIL_TRACES: JSON.stringify({ baseUrl: collector.url, ratio }) };
  const on = await startNode({ ...stage.environment, ...traces });
  try {
    // As fast as they can: code that has run some thousand times is compiled.
    for (const { port } of [off, on])
      check(await runLoad({ ports: [port], requests, connections: CONNECTIONS, seconds: WARM_UP_SECONDS }));
    const quotients: number[] = [];
    for (let pair = 1; pair <= pairs; pair += 1) {
      // Each goes first every second time, so that a machine that slows down steadily favours neither.
      const isOffFirst = pair % 2 === 1;
      const times = await measurePair(isOffFirst ? [off, on] : [on, off], { ...load, requests });
      const [offMicros, onMicros] = isOffFirst ? times : times.toReversed();
      const quotient = (onMicros ?? Number.NaN) / (offMicros ?? Number.NaN);
      quotients.push(quotient);
      say(`pair ${pair}: off ${offMicros?.toFixed(0)} µs, on ${onMicros?.toFixed(0)} µs, ${quotient.toFixed(3)}`);
    }
    return quotients;
  } finally {
    await Promise.all([off.stop(), on.stop()]);
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
