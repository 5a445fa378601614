// How many reports a node works on at once, found while it runs. Places at other companies say nothing about our own
// processor: when the event loop falls behind, every open report waits for it, including answers already paid for. Then the
// node admits fewer reports; when the loop keeps up and all places are used, it admits more. A tenant that sends a large
// part of all requests is limited earlier, as soon as the loop is busy most of its time: all other tenants wait behind that
// tenant's open reports.

export type WorkLimitOptions = {
  /** How many reports are open now. */
  taken(): number;
  /** How many of them belong to the largest tenant. */
  largest(): number;
  /** The part of all requests that one tenant sends, if it is a large part. */
  largestShare(): number;
  /** Whether only one tenant is active: then there is no other tenant to protect. */
  isAlone(): boolean;
  resize(count: number): void;
  limitGroup(count: number): void;
};

export interface WorkLimit {
  /** Takes how late the event loop was on average since the last call, in milliseconds. */
  adjust(lateMs: number): void;
  /** Takes the share of its time in which the event loop was busy. */
  adjustGroup(busy: number): void;
  /** Whether the event loop was late within the last second. */
  isLate(): boolean;
  close(): void;
}

/** Enough to make group commit worthwhile on the slowest processor. */
export const WORK_MIN = 128;
/** The first value: a node that is flooded from its first second would come down from a higher value too late. */
export const WORK_START = 192;
export const WORK_MAX = 1_000;
/** A loop that is this late on average is overloaded. */
const LATE_MS = 60;
/** A loop with too much to do is late again and again, not at every look. */
const STILL_LATE_MS = 1_000;
const SAMPLE_MS = 20;
const ADJUST_MS = 200;
const LESS = 0.8;
const HALF = 0.5;
const MORE = 1.1;
/** Beyond this share of busy time, every tenant waits several times as long as its own work takes. */
const BUSY = 0.65;
const BUSY_ALWAYS = 0.95;
/** Short: at four hundred requests a second, a flood adds sixteen in this time. */
const GROUP_ADJUST_MS = 40;
/** Other tenants do not notice this many of one tenant. */
const GROUP_MIN = 2;
/** If no tenant sends more than this part of all requests, none is limited. */
const LARGE_SHARE = 0.25;
/** After this long without a busy moment, the old value says nothing. */
const FORGET_MS = 60_000;

export function openWorkLimit({
  taken,
  largest,
  largestShare,
  isAlone,
  resize,
  limitGroup,
}: WorkLimitOptions): WorkLimit {
  let [count, groupCount] = [WORK_START, WORK_MAX];
  let [late, samples] = [0, 0];
  let lateAtMs = Number.NEGATIVE_INFINITY;
  const startedMs = performance.now();
  let [dueMs, adjustedMs, groupAdjustedMs, busyAtMs] = [startedMs + SAMPLE_MS, startedMs, startedMs, startedMs];
  let seen = performance.eventLoopUtilization();

  function adjust(lateMs: number): void {
    const before = count;
    if (lateMs > LATE_MS) lateAtMs = performance.now();
    const less = lateMs > 2 * LATE_MS ? HALF : LESS;
    if (lateMs > LATE_MS) count = Math.max(WORK_MIN, Math.floor(Math.min(count, taken()) * less));
    else if (taken() >= count * LESS) count = Math.min(WORK_MAX, Math.round(count * MORE));
    if (count !== before) resize(count);
  }

  function adjustGroup(busy: number): void {
    const before = groupCount;
    const most = largest();
    if (busy > BUSY) busyAtMs = performance.now();
    if (isAlone() || performance.now() - busyAtMs > FORGET_MS) groupCount = WORK_MAX;
    else if (busy > BUSY && largestShare() > LARGE_SHARE) {
      const less = busy > BUSY_ALWAYS ? HALF : LESS;
      groupCount = Math.max(GROUP_MIN, Math.min(groupCount, most) * less);
    } else if (most + 1 > groupCount) groupCount = Math.min(WORK_MAX, groupCount + 1);
    if (groupCount !== before) limitGroup(groupCount);
  }

  const timer = setInterval(() => {
    const nowMs = performance.now();
    late += Math.max(0, nowMs - dueMs);
    samples += 1;
    dueMs = nowMs + SAMPLE_MS;
    if (nowMs - groupAdjustedMs >= GROUP_ADJUST_MS) {
      const now = performance.eventLoopUtilization();
      adjustGroup(performance.eventLoopUtilization(now, seen).utilization);
      [seen, groupAdjustedMs] = [now, nowMs];
    }
    if (nowMs - adjustedMs < ADJUST_MS) return;
    adjust(late / samples);
    [late, samples, adjustedMs] = [0, 0, nowMs];
  }, SAMPLE_MS);
  timer.unref();
  resize(count);
  return {
    adjust,
    adjustGroup,
    isLate: () => performance.now() - lateAtMs < STILL_LATE_MS,
    close: () => clearInterval(timer),
  };
}
