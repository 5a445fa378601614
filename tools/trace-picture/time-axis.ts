// A time axis without its idle stretches: while nothing happens (a person types a code) it takes a fixed width and says how
// long it was. Pure.

export type Interval = { readonly startMs: number; readonly endMs: number };
export type Gap = { readonly x: number; readonly width: number; readonly ms: number };
export type Axis = { x(ms: number): number; readonly gaps: readonly Gap[]; readonly width: number };

/** A shorter pause is drawn as it is. */
const GAP_MS = 40;
const GAP_WIDTH = 56;
/** Idle time that stays before and after each stretch, so that bars do not touch the gap. */
const MARGIN_MS = 4;

function merge(intervals: readonly Interval[]): Interval[] {
  const merged: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of intervals.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last && startMs - last.endMs < GAP_MS) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged.map(({ startMs, endMs }) => ({ startMs: startMs - MARGIN_MS, endMs: endMs + MARGIN_MS }));
}

export function createAxis(intervals: readonly Interval[], width: number): Axis {
  const stretches = merge(intervals);
  const busyMs = stretches.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const perMs = (width - GAP_WIDTH * (stretches.length - 1)) / busyMs;
  const starts: number[] = [];
  const gaps: Gap[] = [];
  let at = 0;
  for (const [place, { startMs, endMs }] of stretches.entries()) {
    starts.push(at);
    at += (endMs - startMs) * perMs;
    const next = stretches[place + 1];
    if (!next) break;
    gaps.push({ x: at, width: GAP_WIDTH, ms: next.startMs - endMs });
    at += GAP_WIDTH;
  }
  return {
    gaps,
    width,
    x(ms) {
      const place = Math.max(
        0,
        stretches.findLastIndex(({ startMs }) => startMs <= ms),
      );
      const stretch = stretches[place] ?? { startMs: 0, endMs: 0 };
      return (starts[place] ?? 0) + (Math.min(ms, stretch.endMs) - stretch.startMs) * perMs;
    },
  };
}
