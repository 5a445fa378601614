// How the cost of an input grows with its length, by the processor time of this process: what else the machine does is not in it.

const RUNS = 7;
/** What costs less counts as this much: so little says nothing. */
const LEAST_MICROSECONDS = 250;

/** Ten times the length may cost twenty times as much, and not a hundred times as where the cost grows with the square. */
export const GROWTH_MAX = 20;

async function leastCost(run: () => unknown): Promise<number> {
  const costs: number[] = [];
  for (let count = 0; count < RUNS; count += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  // The best of several runs: compiling and collecting garbage are not the input's cost.
  return Math.max(Math.min(...costs), LEAST_MICROSECONDS);
}

/** How many times as much a text costs as its first tenth. */
export async function costGrowth(text: string, run: (text: string) => unknown): Promise<number> {
  const tenth = text.slice(0, text.length / 10);
  return (await leastCost(() => run(text))) / (await leastCost(() => run(tenth)));
}
