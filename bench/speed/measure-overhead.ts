// The service's p99 at half of its load against the engine's own p99 at the same rate, in turn. A time shows how fast
// the machine is at that moment; the ratio of two times of one run shows what the service adds.
import type { Engine } from './engine.ts';
import { say } from './progress.ts';
import { type PacedService, WARM_UP_SECONDS } from './service.ts';
import { median, quantile } from './statistics.ts';

const ROUNDS = 3;
const CLIENTS = [8, 32];

export type Overhead = {
  readonly overheadRatio: number;
  readonly overheadP99Ms: number;
  readonly engineP99Ms: number;
};

/** The p99 of the service, and the engine's p99s with few and with many clients. */
export type Round = { readonly serviceP99Ms: number; readonly engineP99sMs: readonly number[] };

/** Uses the engine's better number of clients. A ratio is within one round: only those two belong together. */
export function summariseRounds(rounds: readonly Round[]): Overhead {
  const pairs = rounds.map(({ serviceP99Ms, engineP99sMs }) => ({
    serviceP99Ms,
    engineP99Ms: Math.min(...engineP99sMs),
  }));
  return {
    overheadRatio: median(pairs.map(({ serviceP99Ms, engineP99Ms }) => serviceP99Ms / engineP99Ms)),
    overheadP99Ms: median(pairs.map(({ serviceP99Ms }) => serviceP99Ms)),
    engineP99Ms: median(pairs.map(({ engineP99Ms }) => engineP99Ms)),
  };
}

function describeTimes(name: string, sortedMs: ArrayLike<number>, seconds: number): string {
  const [p50, p99] = [quantile(sortedMs, 0.5), quantile(sortedMs, 0.99)];
  return `    ${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms at ${(sortedMs.length / seconds).toFixed(0)}/s`;
}

export async function measureOverhead(
  service: PacedService,
  engine: Engine,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Overhead> {
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const serviceMs = await service.measurePaced(rate, seconds);
    say(describeTimes('service', serviceMs, seconds));
    const engineP99sMs: number[] = [];
    for (const clients of CLIENTS) {
      const engineMs = await engine.measurePaced(clients, { rate, seconds, warmUpSeconds: WARM_UP_SECONDS });
      say(describeTimes(`${clients} clients of the engine`, engineMs, seconds));
      engineP99sMs.push(quantile(engineMs, 0.99));
    }
    rounds.push({ serviceP99Ms: quantile(serviceMs, 0.99), engineP99sMs });
  }
  return summariseRounds(rounds);
}
