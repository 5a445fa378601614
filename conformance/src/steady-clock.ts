// Rows that wait out minutes are judged only while this machine's clock is steady. If the clock was set, or the machine was
// paused, in the middle of a row, the server counts other minutes than the kit does, and a failure says nothing about it.
import type { Row } from './row.ts';

/** A shift of this size changes no verdict: rows keep further away from the five minutes. */
const JUMP_MS = 1_000;
const REPEATS_MAX = 2;

/** The distance between the wall clock and the time that has passed. Only a jump or a pause moves it. */
const readOffsetMs = () => Date.now() - performance.now();

/** Repeats a row that failed while the clock jumped. A row that failed with a steady clock has failed. */
export function withSteadyClock(run: Row['run'], offsetMs: () => number = readOffsetMs): Row['run'] {
  return async (context) => {
    for (let repeats = 0; ; repeats += 1) {
      const beforeMs = offsetMs();
      try {
        return await run(context);
      } catch (error) {
        const isSteady = Math.abs(offsetMs() - beforeMs) <= JUMP_MS;
        if (isSteady || repeats === REPEATS_MAX) throw error;
      }
    }
  };
}
