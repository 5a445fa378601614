// The speed benchmark: live generates over HTTP against the bare engine, in one run on one machine, because only the
// ratio of the two means anything where machines differ. Figures go to stdout, progress to stderr.
import { parseArgs } from 'node:util';
import { openEngine } from './engine.ts';
import { fill } from './fill.ts';
import { type LoadResult, requestBytes, runLoad } from './load.ts';
import { startNodes } from './node-process.ts';
import { PEOPLE, sampleRequest } from './sample.ts';
import { openStage, type Stage, type StageTenant } from './stage.ts';

const USAGE = `Usage: npm run bench -- [options]

Measures live generates a second over HTTP (token, limits, validation, screening and report from stand-ins in memory,
8 kB sealed, books, outbox and audit written, committed) against pgbench writing the same rows one report at a time,
for one hot wallet and for many, and the time of a request at half load.

  --seconds N   length of each measurement (default 10)
  --wallets N   wallets of the spread load (default 1000)
  --nodes N     API nodes side by side (default 1)
  --rows N      instead: the service with empty tables and with N reports of 1 kB and 3 N ledger rows in them, in turn
                (10000000 needs 40 GB of disk and about half an hour)
  --json        one JSON object instead of the table
  --help        this text`;

const CONNECTIONS = [64, 128, 256];
const CLIENTS = [8, 16, 32];
const WARM_UP_SECONDS = 3;
const BARS = { hotRatio: 4, spreadRatio: 1, overheadP99Ms: 25 };

type Options = {
  readonly seconds: number;
  readonly wallets: number;
  readonly nodes: number;
  readonly rows: number;
  readonly json: boolean;
};

export type Figures = {
  readonly hotRatio: number;
  readonly spreadRatio: number;
  readonly hotPerSecond: number;
  readonly spreadPerSecond: number;
  readonly engineHotPerSecond: number;
  readonly engineSpreadPerSecond: number;
  readonly overheadP99Ms: number;
};

type Ports = readonly number[];

const say = (line: string) => process.stderr.write(`${line}\n`);
const perSecond = ({ answered, seconds }: LoadResult) => answered / seconds;
const quantile = ({ latenciesMs }: LoadResult, share: number) =>
  latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? Number.NaN;

function check(result: LoadResult): LoadResult {
  if (result.refused > 0) throw new Error(`${result.refused} requests were not answered with a complete report`);
  return result;
}

/** A request for each of the people, from the tenants in turn. */
const requestsOf = (tenants: readonly StageTenant[]): Buffer[] =>
  Array.from({ length: Math.max(PEOPLE, tenants.length) }, (_, number) =>
    requestBytes(tenants[number % tenants.length] as StageTenant, sampleRequest(number)),
  );

type Service = { measure(connections: number, seconds: number): Promise<number> };

async function openService(ports: Ports, tenants: readonly StageTenant[]): Promise<Service> {
  const requests = requestsOf(tenants);
  check(await runLoad({ ports, requests, connections: 64, seconds: WARM_UP_SECONDS }));
  return {
    async measure(connections, seconds) {
      const result = check(await runLoad({ ports, requests, connections, seconds }));
      const p99 = quantile(result, 0.99).toFixed(0);
      say(`    ${connections} connections: ${perSecond(result).toFixed(0)}/s, p99 ${p99} ms`);
      return perSecond(result);
    },
  };
}

async function measureService(ports: Ports, tenants: readonly StageTenant[], seconds: number): Promise<number> {
  const service = await openService(ports, tenants);
  let best = 0;
  for (const connections of CONNECTIONS) best = Math.max(best, await service.measure(connections, seconds));
  return best;
}

/** The best of three each, in turn: a machine that slows down for a while then slows both down. */
async function compare(
  stage: Stage,
  ports: Ports,
  tenants: readonly StageTenant[],
  seconds: number,
): Promise<{ service: number; engine: number }> {
  const service = await openService(ports, tenants);
  const engine = await openEngine(stage, tenants);
  const best = { service: 0, engine: 0 };
  try {
    for (const [turn, connections] of CONNECTIONS.entries()) {
      best.service = Math.max(best.service, await service.measure(connections, seconds));
      const clients = CLIENTS[turn] ?? 0;
      const engineRate = await engine.measure(clients, seconds);
      say(`    ${clients} clients of the engine: ${engineRate.toFixed(0)}/s`);
      best.engine = Math.max(best.engine, engineRate);
    }
  } finally {
    engine.close();
  }
  return best;
}

/** At half of what the service bears; the stand-ins take no time, so all of it is the service's own. */
async function measureOverhead(ports: Ports, tenants: readonly StageTenant[], rate: number, seconds: number) {
  const load = { ports, requests: requestsOf(tenants), connections: 256, rate };
  check(await runLoad({ ...load, seconds: WARM_UP_SECONDS }));
  return quantile(check(await runLoad({ ...load, seconds })), 0.99);
}

async function measure(stage: Stage, { seconds, nodes: count }: Options): Promise<Figures> {
  const nodes = await startNodes(stage.environment, count);
  const { ports } = nodes;
  try {
    say('  one hot wallet');
    const hot = await compare(stage, ports, [stage.hot], seconds);
    say(`  ${stage.spread.length} wallets`);
    const spread = await compare(stage, ports, stage.spread, seconds);
    say('  service at half load');
    const overheadP99Ms = await measureOverhead(ports, stage.spread, spread.service / 2, seconds);
    return {
      hotRatio: hot.service / hot.engine,
      spreadRatio: spread.service / spread.engine,
      hotPerSecond: hot.service,
      spreadPerSecond: spread.service,
      engineHotPerSecond: hot.engine,
      engineSpreadPerSecond: spread.engine,
      overheadP99Ms,
    };
  } finally {
    await nodes.stop();
  }
}

export type FillFigures = {
  readonly rows: number;
  readonly hotKept: number;
  readonly spreadKept: number;
  readonly emptyHotPerSecond: number;
  readonly emptySpreadPerSecond: number;
  readonly filledHotPerSecond: number;
  readonly filledSpreadPerSecond: number;
};

const FILL_ROUNDS = 3;

/** Empty and filled in turn, the best of a few rounds each: the machine changes more in the minutes between than tables do. */
async function measureFilled(
  empty: Stage,
  filled: Stage,
  { seconds, rows, nodes: count }: Options,
): Promise<FillFigures> {
  const startedMs = performance.now();
  await fill(filled, rows, (done) => {
    const minutes = (performance.now() - startedMs) / 60_000;
    say(`  filled ${done} of ${rows} after ${minutes.toFixed(1)} min`);
  });
  const best = { emptyHot: 0, filledHot: 0, emptySpread: 0, filledSpread: 0 };
  for (let round = 1; round <= FILL_ROUNDS; round += 1) {
    for (const [name, stage] of [
      ['empty', empty],
      ['filled', filled],
    ] as const) {
      const nodes = await startNodes(stage.environment, count);
      try {
        say(`  round ${round}, ${name} tables: one hot wallet, then many`);
        const hot = await measureService(nodes.ports, [stage.hot], seconds);
        const spread = await measureService(nodes.ports, stage.spread, seconds);
        best[`${name}Hot`] = Math.max(best[`${name}Hot`], hot);
        best[`${name}Spread`] = Math.max(best[`${name}Spread`], spread);
      } finally {
        await nodes.stop();
      }
    }
  }
  return {
    rows,
    hotKept: best.filledHot / best.emptyHot,
    spreadKept: best.filledSpread / best.emptySpread,
    emptyHotPerSecond: best.emptyHot,
    emptySpreadPerSecond: best.emptySpread,
    filledHotPerSecond: best.filledHot,
    filledSpreadPerSecond: best.filledSpread,
  };
}

function filledTable(figures: FillFigures): string {
  const line = (name: string, empty: number, filled: number, kept: number) =>
    `${name.padEnd(16)}${empty.toFixed(0).padStart(8)}${filled.toFixed(0).padStart(10)}${kept.toFixed(2).padStart(8)}`;
  const { emptyHotPerSecond, filledHotPerSecond, hotKept } = figures;
  const { emptySpreadPerSecond, filledSpreadPerSecond, spreadKept } = figures;
  return [
    `                 empty/s  filled/s    kept   (bar: ≥ 0.9 with ${figures.rows} reports)`,
    line('one hot wallet', emptyHotPerSecond, filledHotPerSecond, hotKept),
    line('many wallets', emptySpreadPerSecond, filledSpreadPerSecond, spreadKept),
  ].join('\n');
}

function table(figures: Figures): string {
  const whole = (value: number) => value.toFixed(0).padStart(8);
  return [
    '                service/s  engine/s    ratio      bar',
    `one hot wallet  ${whole(figures.hotPerSecond)}  ${whole(figures.engineHotPerSecond)}  ${figures.hotRatio.toFixed(2).padStart(7)}    ≥ ${BARS.hotRatio}`,
    `many wallets    ${whole(figures.spreadPerSecond)}  ${whole(figures.engineSpreadPerSecond)}  ${figures.spreadRatio.toFixed(2).padStart(7)}    ≥ ${BARS.spreadRatio}`,
    `p99 at half load, beyond the providers' own time: ${figures.overheadP99Ms.toFixed(1)} ms (bar: ≤ ${BARS.overheadP99Ms})`,
  ].join('\n');
}

function readOptions(): (Options & { help: boolean }) | undefined {
  try {
    const { values } = parseArgs({
      options: {
        seconds: { type: 'string', default: '10' },
        wallets: { type: 'string', default: '1000' },
        nodes: { type: 'string', default: '1' },
        rows: { type: 'string', default: '0' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const [seconds, wallets, rows] = [Number(values.seconds), Number(values.wallets), Number(values.rows)];
    const nodes = Number(values.nodes);
    if (!(seconds >= 1 && seconds <= 3_600)) throw new Error('--seconds takes 1 to 3600.');
    if (!(Number.isInteger(wallets) && wallets >= 1 && wallets <= 100_000))
      throw new Error('--wallets takes 1 to 100000.');
    if (!(Number.isInteger(nodes) && nodes >= 1 && nodes <= 16)) throw new Error('--nodes takes 1 to 16.');
    if (!(Number.isInteger(rows) && rows >= 0 && rows <= 1e9)) throw new Error('--rows takes a number of reports.');
    return { ...values, seconds, wallets, nodes, rows };
  } catch (error) {
    say(`${(error as Error).message}\nnpm run bench -- --help explains the options.`);
    return undefined;
  }
}

const options = readOptions();
if (!options) process.exitCode = 2;
else if (options.help) process.stdout.write(`${USAGE}\n`);
else {
  say(`making a database with ${options.wallets + 1} wallets`);
  const stage = await openStage(options.wallets);
  try {
    if (options.rows > 0) {
      const filled = await openStage(options.wallets);
      try {
        const figures = await measureFilled(stage, filled, options);
        process.stdout.write(`${options.json ? JSON.stringify(figures) : filledTable(figures)}\n`);
      } finally {
        await filled.close();
      }
    } else {
      const figures = await measure(stage, options);
      process.stdout.write(`${options.json ? JSON.stringify(figures) : table(figures)}\n`);
    }
  } finally {
    await stage.close();
  }
}
