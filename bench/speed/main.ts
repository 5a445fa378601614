// The speed benchmark: live generates over HTTP against the bare engine, in one run on one machine, because only the
// ratio of the two is meaningful where machines differ. Figures go to stdout, progress to stderr.
import { parseArgs } from 'node:util';
import { openEngine } from './engine.ts';
import { fill } from './fill.ts';
import { measureOverhead, type Overhead } from './measure-overhead.ts';
import { startNodes } from './node-process.ts';
import { say } from './progress.ts';
import { openPacedService, openService } from './service.ts';
import { openStage, type Stage, type StageTenant } from './stage.ts';

const USAGE = `Usage: npm run bench -- [options]

Measures live generates a second over HTTP (token, limits, validation, screening and report from stand-ins in memory,
8 kB sealed, books, outbox and audit written, committed) against pgbench writing the same rows one report at a time,
for one hot wallet and for many, and the time of a request at half load against that of the engine at the same rate.

  --seconds N   length of each measurement (default 10)
  --wallets N   wallets of the spread load (default 1000)
  --nodes N     API nodes side by side (default 1)
  --rows N      instead: the service with empty tables and with N reports of 1 kB and 3 N ledger rows in them, in turn
                (10000000 needs 40 GB of disk and about half an hour)
  --json        one JSON object instead of the table
  --help        this text`;

const CONNECTIONS = [64, 128, 256];
const CLIENTS = [8, 16, 32];
/** `npm run prove` keeps the figures and judges none of them. */
const GOALS = { hotRatio: 4, spreadRatio: 1, overheadRatio: 2 };

type Options = {
  readonly seconds: number;
  readonly wallets: number;
  readonly nodes: number;
  readonly rows: number;
  readonly json: boolean;
};

export type Figures = Overhead & {
  readonly hotRatio: number;
  readonly spreadRatio: number;
  readonly hotPerSecond: number;
  readonly spreadPerSecond: number;
  readonly engineHotPerSecond: number;
  readonly engineSpreadPerSecond: number;
};

type Ports = readonly number[];

async function measureService(
  stage: Stage,
  ports: Ports,
  tenants: readonly StageTenant[],
  seconds: number,
): Promise<number> {
  const service = await openService(ports, tenants);
  await stage.analyze();
  let best = 0;
  for (const connections of CONNECTIONS) best = Math.max(best, await service.measure(connections, seconds));
  return best;
}

/** The best of three each, in turn: a machine that slows down for a while then slows down both. */
async function compare(
  stage: Stage,
  ports: Ports,
  tenants: readonly StageTenant[],
  seconds: number,
): Promise<{ service: number; engine: number }> {
  const service = await openService(ports, tenants);
  await stage.analyze();
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

/** At half of the service's maximum; the stand-ins take no time, so all of the time is the service's own. */
async function compareTimes(stage: Stage, ports: Ports, rate: number, seconds: number): Promise<Overhead> {
  const engine = await openEngine(stage, stage.spread);
  try {
    return await measureOverhead(openPacedService(ports, stage.spread), engine, { rate, seconds });
  } finally {
    engine.close();
  }
}

async function measure(stage: Stage, { seconds, nodes: count }: Options): Promise<Figures> {
  const nodes = await startNodes(stage.environment, count);
  const { ports } = nodes;
  try {
    say('  one hot wallet');
    const hot = await compare(stage, ports, [stage.hot], seconds);
    say(`  ${stage.spread.length} wallets`);
    const spread = await compare(stage, ports, stage.spread, seconds);
    say('  service at half load, engine at the same rate');
    const overhead = await compareTimes(stage, ports, spread.service / 2, seconds);
    return {
      hotRatio: hot.service / hot.engine,
      spreadRatio: spread.service / spread.engine,
      hotPerSecond: hot.service,
      spreadPerSecond: spread.service,
      engineHotPerSecond: hot.engine,
      engineSpreadPerSecond: spread.engine,
      ...overhead,
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

/** Empty and filled in turn, the best of a few rounds each: the machine varies more over minutes than the tables matter. */
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
        const hot = await measureService(stage, nodes.ports, [stage.hot], seconds);
        const spread = await measureService(stage, nodes.ports, stage.spread, seconds);
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
    `                 empty/s  filled/s    kept   (goal: ≥ 0.9 with ${figures.rows} reports)`,
    line('one hot wallet', emptyHotPerSecond, filledHotPerSecond, hotKept),
    line('many wallets', emptySpreadPerSecond, filledSpreadPerSecond, spreadKept),
  ].join('\n');
}

function table(figures: Figures): string {
  const line = (name: string, service: string, engine: string, ratio: number, goal: string) =>
    `${name.padEnd(20)}${service.padStart(10)}${engine.padStart(10)}${ratio.toFixed(2).padStart(8)}    ${goal}`;
  const { hotPerSecond, engineHotPerSecond, hotRatio } = figures;
  const { spreadPerSecond, engineSpreadPerSecond, spreadRatio } = figures;
  const { overheadP99Ms, engineP99Ms, overheadRatio } = figures;
  const [rate, time] = [(value: number) => `${value.toFixed(0)}/s`, (value: number) => `${value.toFixed(1)} ms`];
  const goal = (text: string, isReached: boolean) => `goal ${text}${isReached ? '' : ', not reached'}`;
  const atLeast = (ratio: number, wanted: number) => goal(`≥ ${wanted}`, ratio >= wanted);
  const atMost = (ratio: number, wanted: number) => goal(`≤ ${wanted}`, ratio <= wanted);
  return [
    `${'service'.padStart(30)}${'engine'.padStart(10)}${'ratio'.padStart(8)}`,
    line('one hot wallet', rate(hotPerSecond), rate(engineHotPerSecond), hotRatio, atLeast(hotRatio, GOALS.hotRatio)),
    line(
      'many wallets',
      rate(spreadPerSecond),
      rate(engineSpreadPerSecond),
      spreadRatio,
      atLeast(spreadRatio, GOALS.spreadRatio),
    ),
    line(
      'p99 at half load',
      time(overheadP99Ms),
      time(engineP99Ms),
      overheadRatio,
      atMost(overheadRatio, GOALS.overheadRatio),
    ),
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
