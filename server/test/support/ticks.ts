// How long one event-loop tick keeps this thread busy, in its own processor time: a machine that is busy with
// something else makes no tick longer. Here for work that the test itself runs, in its own process. A whole node is measured
// in a process of its own, which uses the same meter: measured-node.ts starts it, ticks-process.ts is what it runs.

export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export type TickMeter = {
  /** Notes what the thread used since the last look. Between two looks lies at least the whole of a long tick. */
  look(): void;
  /** The most between two looks since this was last asked, in milliseconds. */
  takeWorstMs(): number;
};

export function createTickMeter(): TickMeter {
  let seenMs = cpuMs();
  let worstMs = 0;
  const look = () => {
    const nowMs = cpuMs();
    worstMs = Math.max(worstMs, nowMs - seenMs);
    seenMs = nowMs;
  };
  return {
    look,
    takeWorstMs() {
      look();
      const worst = worstMs;
      worstMs = 0;
      return worst;
    },
  };
}

/** The most that a turn took while the work went on, in milliseconds. */
export async function worstTickMs(work: () => Promise<unknown>): Promise<number> {
  const meter = createTickMeter();
  let isOver = false;
  const turn = () => {
    meter.look();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
    // The turn in which it ended counts too.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    isOver = true;
  }
  return meter.takeWorstMs();
}

/** The best of three: the first pays for what is compiled, and a collection of garbage may fall into any. */
export async function bestWorstTickMs(work: () => Promise<unknown>): Promise<number> {
  const worst: number[] = [];
  for (let round = 0; round < 3; round += 1) worst.push(await worstTickMs(work));
  return Math.min(...worst);
}
