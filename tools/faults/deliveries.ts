// The webhooks of companies that misuse nothing: events at a steady pace through quiet and fault windows alike, each for one receiver that
// answers at once, in a process of its own. How late they arrive is what these companies notice.
import { setTimeout as sleep } from 'node:timers/promises';
import { addEndpoints, writeEvents } from '../../bench/webhooks/endpoints.ts';
import { type Receivers, startReceivers } from '../../bench/webhooks/processes.ts';
import type { Window } from './records.ts';
import type { Figures, Run } from './scenario.ts';
import { compare } from './windows.ts';

/** The first tenants of the stage. */
export const HEALTHY = 10;
const RATE = 50;
const TICK_MS = 20;
/** What a busy machine adds by itself, to an event that waits half a second for a job. */
const GRACE_MS = 200;
const WARM_UP = 200;
const PATIENCE_MS = 60_000;

/** Writes so many events, each for the next endpoint after this number. */
type Write = (count: number, after: number) => Promise<void>;

/** Returns how many are missing when nothing more comes. */
async function awaitArrivals(receivers: Receivers, expected: number): Promise<number> {
  const startedMs = performance.now();
  let arrived = await receivers.count();
  while (arrived < expected && performance.now() - startedMs < PATIENCE_MS) {
    await sleep(TICK_MS);
    arrived = await receivers.count();
  }
  return Math.max(0, expected - arrived);
}

/** An insert that is under way when a window ends belongs to that window: the next one begins after it. */
function startWriting(client: { readonly window: Window }, write: Write) {
  const windows: { readonly fromMs: number; readonly window: Window }[] = [];
  let [written, isStopped] = [0, false];
  const writing = (async () => {
    const startedMs = performance.now();
    while (!isStopped) {
      if (windows.at(-1)?.window !== client.window) windows.push({ fromMs: Date.now(), window: client.window });
      const due = Math.floor(((performance.now() - startedMs) / 1_000) * RATE) - written;
      if (due > 0) await write(due, written);
      written += due;
      await sleep(TICK_MS);
    }
  })();
  return {
    /** Returns how many were written. */
    async stop(): Promise<number> {
      isStopped = true;
      await writing;
      return written;
    },
    windowOf: (createdMs: number): Window => windows.findLast(({ fromMs }) => fromMs <= createdMs)?.window ?? 'rest',
  };
}

/** Every event arrives, and in fault windows about as soon as in quiet ones. */
export async function besideDeliveries(run: Run, work: () => Promise<void>): Promise<Figures> {
  const { stage, tally, isShort } = run;
  const session = await stage.openSession();
  const receivers = await startReceivers();
  try {
    const tenantIds = stage.tenants.slice(0, HEALTHY).map(({ tenantId }) => tenantId);
    const url = `http://127.0.0.1:${receivers.healthyPort}/hook`;
    const endpoints = await addEndpoints(session, stage.config.vaultKeys, {
      tenantIds,
      count: HEALTHY,
      urlOf: () => url,
    });
    const write: Write = async (count, after) => {
      const chosen = Array.from({ length: count }, (_, place) => endpoints[(after + place) % HEALTHY]);
      await writeEvents(
        session,
        chosen.filter((each) => each !== undefined),
      );
    };
    await write(WARM_UP, 0);
    if ((await awaitArrivals(receivers, WARM_UP)) > 0) throw new Error('the first webhooks did not arrive');
    await receivers.take();
    const writing = startWriting(stage.client, write);
    try {
      await work();
    } finally {
      await writing.stop();
    }
    const written = await writing.stop();
    const lost = await awaitArrivals(receivers, written);
    if (lost > 0) tally.find('no event is lost', `${lost} of ${written} did not arrive within a minute`);
    const { arrivals } = await receivers.take();
    const answers = arrivals.map(({ createdMs, ms }) => ({ window: writing.windowOf(createdMs), ms }));
    const what = "a healthy company's webhooks";
    const compared = compare(tally, { what, times: 3, graceMs: GRACE_MS, answers, isShort });
    const { quietP99Ms, faultP99Ms, samples } = compared;
    return { webhooks: `p99 ${quietP99Ms} ms quiet, ${faultP99Ms} ms beside it, of ${samples} each` };
  } finally {
    receivers.stop();
  }
}
