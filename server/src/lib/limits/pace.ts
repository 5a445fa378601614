// Lets a burst through a few at a time: a fixed number in each event-loop tick, in order of arrival. Other work that
// arrives during the burst then runs in between, instead of after the end of the burst.

export type Pace = () => Promise<void>;

export function createPace(perTurn: number): Pace {
  const waiting: (() => void)[] = [];
  let isTurning = false;

  function turn(): void {
    for (const go of waiting.splice(0, perTurn)) go();
    isTurning = waiting.length > 0;
    if (isTurning) setImmediate(turn);
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isTurning) return;
      isTurning = true;
      setImmediate(turn);
    });
}
