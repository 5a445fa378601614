// A few may act at once, and the others wait their turn for as long as it takes; whoever waits has a time limit of its own.

export type Turns = {
  take(): Promise<void>;
  /** Once for each turn that was taken. */
  give(): void;
};

export function createTurns(count: number): Turns {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
