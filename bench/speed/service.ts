// The measured service: as fast as responses come, or with requests due at a fixed rate. A node may refuse some with 503
// when it is offered more than it can handle: those are reported, and no rate counts them. Any other response than a
// complete report ends the run, because figures of refusals would be wrong.
import { BUSY, type LoadResult, listRefusals, requestBytes, runLoad } from './load.ts';
import { say } from './progress.ts';
import { PEOPLE, sampleRequest } from './sample.ts';
import type { StageTenant } from './stage.ts';
import { quantile } from './statistics.ts';

export const WARM_UP_SECONDS = 3;
const WARM_UP_CONNECTIONS = 64;
const PACED_CONNECTIONS = 256;

type Ports = readonly number[];

export type Service = {
  /** Reports a second over this many connections. */
  measure(connections: number, seconds: number): Promise<number>;
};

export type PacedService = {
  /** Sorted times of requests that are due at a fixed rate, each counted from when it was due. */
  measurePaced(rate: number, seconds: number): Promise<Float64Array>;
};

export function check(result: LoadResult): LoadResult {
  const { answered, refused, refusals } = result;
  if (refused === 0) return result;
  const all = answered + refused;
  const told = `${refused} of ${all} requests were not answered with a complete report: ${listRefusals(refusals)}`;
  const isBusyOnly = [...refusals.keys()].every((statusLine) => statusLine.startsWith(BUSY));
  if (!isBusyOnly) throw new Error(told);
  say(`    ${told}`);
  return result;
}

/** A request for each person, from the tenants in turn. */
const requestsOf = (tenants: readonly StageTenant[]): Buffer[] =>
  Array.from({ length: Math.max(PEOPLE, tenants.length) }, (_, number) =>
    requestBytes(tenants[number % tenants.length] as StageTenant, sampleRequest(number)),
  );

export async function openService(ports: Ports, tenants: readonly StageTenant[]): Promise<Service> {
  const requests = requestsOf(tenants);
  check(await runLoad({ ports, requests, connections: WARM_UP_CONNECTIONS, seconds: WARM_UP_SECONDS }));
  return {
    async measure(connections, seconds) {
      const result = check(await runLoad({ ports, requests, connections, seconds }));
      const perSecond = result.answered / result.seconds;
      const p99 = quantile(result.latenciesMs, 0.99).toFixed(0);
      say(`    ${connections} connections: ${perSecond.toFixed(0)}/s, p99 ${p99} ms`);
      return perSecond;
    },
  };
}

export function openPacedService(ports: Ports, tenants: readonly StageTenant[]): PacedService {
  const load = { ports, requests: requestsOf(tenants), connections: PACED_CONNECTIONS };
  return {
    async measurePaced(rate, seconds) {
      // Every time: the node has been idle while the engine was measured.
      check(await runLoad({ ...load, rate, seconds: WARM_UP_SECONDS }));
      return check(await runLoad({ ...load, rate, seconds })).latenciesMs;
    },
  };
}
