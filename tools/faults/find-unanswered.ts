// A request without an answer: if the client has waited as long as it waits, the answer is late; otherwise its connection was cut.
import type { Tally } from '../chaos/tally.ts';
import { PATIENCE_MS } from './client.ts';
import { ANSWERED } from './light.ts';

/** Timers of a busy process are not exact. */
const MARGIN_MS = 1_000;

export function findUnanswered(tally: Tally, { ms }: { readonly ms: number }, what: string): void {
  const isLate = ms >= PATIENCE_MS - MARGIN_MS;
  tally.find(isLate ? ANSWERED : 'no connection is cut', `${what}, after ${Math.round(ms)} ms`);
}
