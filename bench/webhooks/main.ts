// The webhooks benchmark: how late events arrive at receivers that work, first with all receivers working and then with one
// in ten dead. Both in one run, because only their comparison means something where machines differ. Figures go to stdout,
// progress to stderr.
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { loadConfig } from '../../server/src/config.ts';
import { Random } from '../merge/random.ts';
import { say } from '../speed/progress.ts';
import { openStage } from '../speed/stage.ts';
import { quantile } from '../speed/statistics.ts';
import { addEndpoints, type BenchEndpoint, countNotHandedOut, TYPES_COUNT, writeEvents } from './endpoints.ts';
import { type Receivers, startReceivers, startWorker } from './processes.ts';

const USAGE = `Usage: npm run bench:webhooks -- [options]

Measures with one worker how many events a second reach receivers that answer at once. Then writes events at half that
rate, without and with dead receivers, and compares how late the events of healthy ones arrive. The dead ones have accepted everything until
then, half of them hang and half refuse, and most belong to a company with a healthy one at the same host.
Ends with status 1 if an event was lost or the bar is not reached: beside dead receivers, the p99 of the healthy ones may be
twice that of the run without them, or 200 ms more where that is more.

  --events N      events of each of the two runs (default 100000)
  --endpoints N   (default 1000)
  --companies N   (default 500)
  --dead N        dead endpoints in a hundred (default 10)
  --rate N        events a second instead of half of what was measured
  --control       starts a worker in which all endpoints share ten places: the bar must not be reached, status 1
  --json          one JSON object instead of the table
  --help          this text

How long it takes: about two minutes to begin with, then each run for its events divided by the rate. With a capacity of
C events a second, a run of 100,000 takes 200,000 / C seconds: 17 minutes with 200/s, 7 with 500/s. The machine should have
nothing else to do. Progress is printed every ten seconds.

  npm run bench:webhooks                          100,000 events in each run
  npm run bench:webhooks -- --events 50000        100,000 events in all
  npm run bench:webhooks -- --events 2000         a first look, one to two minutes
  npm run bench:webhooks -- --events 4000 --control    shows that the bar can be missed`;

/** What dead receivers may add: nothing beyond twice the delay without them, or 200 ms where that is more. */
const BAR = { factor: 2, addedMs: 200 };
const DEAD_SEED = 1;
const TICK_MS = 20;
const PROGRESS_MS = 10_000;
/** An event that is later than this is lost, or the worker does not keep up. */
const PATIENCE_MS = 180_000;

type Options = {
  readonly events: number;
  readonly endpoints: number;
  readonly companies: number;
  readonly dead: number;
  readonly rate: number;
  readonly control: boolean;
  readonly json: boolean;
};

type Delays = { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
export type Figures = {
  readonly capacityPerSecond: number;
  readonly ratePerSecond: number;
  readonly events: number;
  readonly control: Delays;
  readonly withDead: Delays;
  readonly barMs: number;
  readonly isReached: boolean;
  readonly lost: number;
  readonly repeated: number;
};

type Hall = { readonly client: Client; readonly receivers: Receivers };

const any = (endpoints: readonly BenchEndpoint[]) => {
  const endpoint = endpoints[Math.floor(Math.random() * endpoints.length)];
  if (!endpoint) throw new Error('there is no endpoint');
  return endpoint;
};

/** Returns how many are missing when nothing more comes. */
async function awaitAll({ receivers }: Hall, count: number): Promise<number> {
  let [seen, changedMs] = [await receivers.count(), performance.now()];
  while (seen < count && performance.now() - changedMs < PATIENCE_MS) {
    await wait(20);
    const now = await receivers.count();
    if (now > seen) [seen, changedMs] = [now, performance.now()];
  }
  return count - seen;
}

/** All at once; how many a second arrive. */
async function measureCapacity(hall: Hall, endpoints: readonly BenchEndpoint[], count: number): Promise<number> {
  const startedMs = performance.now();
  for (let left = count; left > 0; left -= 500) {
    await writeEvents(
      hall.client,
      Array.from({ length: Math.min(left, 500) }, () => any(endpoints)),
    );
  }
  const missing = await awaitAll(hall, count);
  if (missing > 0) throw new Error(`${missing} of ${count} events did not arrive`);
  const perSecond = count / ((performance.now() - startedMs) / 1_000);
  await hall.receivers.take();
  return perSecond;
}

type Run = Delays & { readonly lost: number; readonly repeated: number };

/** Events at a steady rate, each for any endpoint. Only those for healthy ones are waited for. */
async function run(
  hall: Hall,
  endpoints: readonly BenchEndpoint[],
  order: {
    readonly name: string;
    readonly dead: ReadonlySet<BenchEndpoint>;
    readonly count: number;
    readonly rate: number;
  },
): Promise<Run> {
  const startedMs = performance.now();
  let [written, expected, toldMs] = [0, 0, startedMs];
  while (written < order.count) {
    const nowMs = performance.now();
    const due = Math.min(order.count, Math.floor(((nowMs - startedMs) * order.rate) / 1_000)) - written;
    if (due > 0) {
      const chosen = Array.from({ length: due }, () => any(endpoints));
      await writeEvents(hall.client, chosen);
      written += due;
      expected += chosen.filter((each) => !order.dead.has(each)).length;
    }
    if (nowMs - toldMs > PROGRESS_MS) {
      toldMs = nowMs;
      const late = expected - (await hall.receivers.count());
      const leftSeconds = (order.count - written) / order.rate;
      say(
        `  ${order.name}: ${written} of ${order.count} written, ${late} on their way, ${leftSeconds.toFixed(0)} s left`,
      );
    }
    await wait(TICK_MS);
  }
  const lost = await awaitAll(hall, expected);
  const { arrivals, repeated } = await hall.receivers.take();
  const sorted = arrivals.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return {
    ...{ p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), maxMs: quantile(sorted, 1) },
    ...{ lost, repeated },
  };
}

async function measure(hall: Hall, endpoints: readonly BenchEndpoint[], dead: Set<BenchEndpoint>, options: Options) {
  const { events } = options;
  say('warming up');
  await measureCapacity(hall, endpoints, endpoints.length * 3);
  const capacity = await measureCapacity(hall, endpoints, Math.min(10_000, Math.max(1_000, Math.ceil(events / 10))));
  const rate = options.rate > 0 ? options.rate : capacity / 2;
  const minutes = (2 * events) / rate / 60;
  say(
    `capacity ${capacity.toFixed(0)}/s; from here ${rate.toFixed(0)}/s: two runs of ${(minutes / 2).toFixed(1)} minutes each`,
  );
  const order = { count: events, rate };
  const control = await run(hall, endpoints, { ...order, name: 'all healthy', dead: new Set() });
  await hall.receivers.die();
  const withDead = await run(hall, endpoints, { ...order, name: `${dead.size} dead`, dead });
  const barMs = Math.max(BAR.factor * control.p99Ms, control.p99Ms + BAR.addedMs);
  const { lost: _, repeated: __, ...healthy } = control;
  const figures: Figures = {
    ...{ capacityPerSecond: capacity, ratePerSecond: rate, events, control: healthy, barMs },
    withDead: { p50Ms: withDead.p50Ms, p99Ms: withDead.p99Ms, maxMs: withDead.maxMs },
    isReached: withDead.p99Ms <= barMs,
    lost: control.lost + withDead.lost + (await countNotHandedOut(hall.client)),
    repeated: control.repeated + withDead.repeated,
  };
  return figures;
}

function table({ control, withDead, ...figures }: Figures): string {
  const line = (name: string, { p50Ms, p99Ms, maxMs }: Delays) =>
    `${name.padEnd(26)}${[p50Ms, p99Ms, maxMs].map((ms) => `${ms.toFixed(0)} ms`.padStart(10)).join('')}`;
  return [
    `${figures.events} events a run, ${figures.ratePerSecond.toFixed(0)}/s of ${figures.capacityPerSecond.toFixed(0)}/s; lost ${figures.lost}, repeated ${figures.repeated}`,
    `${''.padEnd(26)}${['p50', 'p99', 'max'].map((name) => name.padStart(10)).join('')}`,
    line('all receivers healthy', control),
    line('healthy beside dead ones', withDead),
    `bar for the second p99: ${figures.barMs.toFixed(0)} ms, ${figures.isReached ? 'reached' : 'NOT reached'}`,
  ].join('\n');
}

function readOptions(): (Options & { help: boolean }) | undefined {
  try {
    const text = (value: string) => ({ type: 'string', default: value }) as const;
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({
      options: {
        ...{ events: text('100000'), endpoints: text('1000'), companies: text('500'), dead: text('10') },
        ...{ rate: text('0'), control: flag, json: flag, help: flag },
      },
    });
    const count = (name: 'events' | 'endpoints' | 'companies' | 'dead' | 'rate', low: number, high: number) => {
      const value = Number(values[name]);
      if (!(Number.isInteger(value) && value >= low && value <= high))
        throw new Error(`--${name} takes ${low} to ${high}.`);
      return value;
    };
    const companies = count('companies', 1, 10_000);
    return {
      ...{ json: values.json, control: values.control, help: values.help, companies },
      events: count('events', 100, 10_000_000),
      endpoints: count('endpoints', companies, companies * TYPES_COUNT),
      ...{ dead: count('dead', 0, 90), rate: count('rate', 0, 100_000) },
    };
  } catch (error) {
    say(`${(error as Error).message}\nnpm run bench:webhooks -- --help explains the options.`);
    return undefined;
  }
}

/** Which endpoints will die, and where they are. By chance, so that most have a healthy one beside them in their company; the same in every run. */
function chooseDying({ endpoints, dead }: Options, { hangingPort, refusingPort }: Receivers): Map<number, number> {
  const numbers = Array.from({ length: endpoints }, (_, number) => number);
  const dying = new Random(DEAD_SEED).shuffled(numbers).slice(0, Math.round((endpoints * dead) / 100));
  return new Map(dying.map((number, at) => [number, at % 2 === 0 ? hangingPort : refusingPort]));
}

async function main(options: Options): Promise<void> {
  say(`making a database with ${options.companies} companies`);
  const stage = await openStage(options.companies);
  const environment = { ...stage.environment, TREFOIL_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const { vaultKeys } = loadConfig(environment);
  const client = new Client({ connectionString: stage.ownerUrl });
  const receivers = await startReceivers();
  try {
    await client.connect();
    const hook = (port: number) => `http://127.0.0.1:${port}/hook`;
    const tenantIds = stage.spread.map(({ tenantId }) => tenantId);
    const dying = chooseDying(options, receivers);
    const urlOf = (number: number) => hook(dying.get(number) ?? receivers.healthyPort);
    const endpoints = await addEndpoints(client, vaultKeys, { tenantIds, count: options.endpoints, urlOf });
    const dead = new Set(endpoints.filter((_, number) => dying.has(number)));
    const worker = await startWorker(environment, { isControl: options.control });
    try {
      const figures = await measure({ client, receivers }, endpoints, dead, options);
      process.stdout.write(`${options.json ? JSON.stringify(figures) : table(figures)}\n`);
      if (figures.lost > 0 || !figures.isReached) process.exitCode = 1;
    } finally {
      await worker.stop();
    }
  } finally {
    receivers.stop();
    await client.end();
    await stage.close();
  }
}

const options = readOptions();
if (!options) process.exitCode = 2;
else if (options.help) process.stdout.write(`${USAGE}\n`);
else {
  // Ends with the 'exit' event, which ends the worker too.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));
  await main(options);
}
