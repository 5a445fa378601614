// Places that many callers want and few can hold at once, such as pool connections or calls to a bureau. A caller takes one
// place of each kind it needs, or none. Groups (tenants) share fairly: a group may hold at most SHARE times the number of
// free places, so some places always stay free for other groups. Waiting callers are served group by group in turn.
// For a kind that uses our own processor, a group can be limited further while other groups are active. Then its newest
// caller is served first: callers that have waited long will soon give up, and so will their clients.
import assert from 'node:assert/strict';

/** Gives back the named places, or all that are left. Giving the same place back twice does nothing. */
export type Release = (...kinds: readonly string[]) => void;

export type TakeOptions = {
  /** The share of each kind that this caller leaves for more urgent callers: 0.1 is a tenth. */
  readonly keepFree?: number;
  /** For work that is already paid for: group limits do not delay it. */
  readonly isUrgent?: boolean;
};

export type GroupLimit = {
  readonly count: number;
  /**
   * This many a second may take a place anyway, one at a time: places that wait for an outside call use none of our
   * processor, and all of a second's at once would keep the others waiting.
   */
  readonly perSecond?: number;
  /** The limit applies while another group was active within this time. */
  readonly aloneMs: number;
  /** How many callers beyond it may wait, and for how long: in a longer line a flood would only grow old. */
  readonly waitingMax?: number;
  readonly waitMs?: number;
};

export interface Places {
  /** Takes at once, or returns undefined. */
  tryTake(kinds: readonly string[], group: string, options?: TakeOptions): Release | undefined;
  /** Takes at once or within `waitMs`; undefined when that was too short, or when too many already wait. */
  take(kinds: readonly string[], group: string, waitMs: number, options?: TakeOptions): Promise<Release | undefined>;
  /**
   * False if a caller of this group would be refused at once. A caller that is let in while nobody may wait counts as one
   * that has its places until it asks for them: otherwise one free place would let in all that come meanwhile.
   */
  letIn(kinds: readonly string[], group: string, options?: TakeOptions): boolean;
  /** How many places of a kind are taken. */
  taken(kind: string): number;
  /** The largest number of places of a kind that one group holds. */
  largest(kind: string): number;
  /** Sets the number of places; places taken beyond the new number are not refilled. */
  resize(kind: string, count: number): void;
  /** Limits how many places one group may take while other groups are active. */
  limitGroup(kind: string, limit: GroupLimit): void;
}

/** With eight, a group alone can hold eight ninths of all places, and two groups eight seventeenths each. */
const SHARE = 8;
/** The same for the room to wait. */
const WAITING_SHARE = 4;
/** A caller that was let in and has not asked after this long is not coming. */
const EXPECTED_MS = 500;
/** A line whose first caller has waited this part of its time is stuck: a caller behind it would wait in vain. */
const STANDING = 0.5;

type Waiting = {
  readonly kinds: readonly string[];
  readonly options: TakeOptions;
  /** From this moment on it blocks the callers behind it. */
  readonly standsAtMs: number;
  readonly timer: NodeJS.Timeout;
  resolve(release: Release | undefined): void;
};

/** Was let in, and has not asked for its places yet. */
type Expected = { readonly kinds: readonly string[]; readonly group: string; readonly atMs: number };

export type PlacesOptions = {
  /** How many places of each kind there are; an unlisted kind has no limit. */
  readonly counts: Readonly<Record<string, number>>;
  readonly waitingMax: number;
  /** Whether only one group was active within this time: then its limit does not apply. */
  readonly isAlone?: (forMs: number) => boolean;
  /** While the event loop is late nobody waits: a refusal after a wait would have to pass the late loop once more. */
  readonly isLate?: () => boolean;
};

export function createPlaces({
  counts: given,
  waitingMax,
  isAlone = () => false,
  isLate = () => false,
}: PlacesOptions): Places {
  const counts = new Map(Object.entries(given));
  const free = new Map(counts);
  /** By kind and group. */
  const held = new Map<string, number>();
  /** By group; the order of the groups is the order of their turns. */
  const lines = new Map<string, Waiting[]>();
  let waitingCount = 0;
  let expected: Expected[] = [];
  const groupLimits = new Map<string, GroupLimit>();
  /** By kind and group, while it holds a place: when it took its last one. */
  const takenAtMs = new Map<string, number>();
  const keyOf = (kind: string, group: string) => `${kind}/${group}`;

  function mayTake(
    kinds: readonly string[],
    group: string,
    { keepFree = 0, isUrgent = false }: TakeOptions,
    ahead: readonly Expected[] = [],
  ): boolean {
    if (!isUrgent && limitOf(kinds, group)) return false;
    return kinds.every((kind) => {
      const others = ahead.filter((each) => each.kinds.includes(kind));
      const kept = Math.floor((counts.get(kind) ?? 0) * keepFree);
      const left = (free.get(kind) ?? Number.POSITIVE_INFINITY) - kept - others.length;
      const own = (held.get(keyOf(kind, group)) ?? 0) + others.filter((each) => each.group === group).length;
      return left > 0 && own < SHARE * left;
    });
  }

  function letIn(kinds: readonly string[], group: string, options: TakeOptions = {}): boolean {
    if (mayWait(kinds, group)) return true;
    const nowMs = performance.now();
    expected = expected.filter(({ atMs }) => nowMs - atMs < EXPECTED_MS);
    if (lines.has(group) || !mayTake(kinds, group, options, expected)) return false;
    expected.push({ kinds, group, atMs: nowMs });
    return true;
  }

  function arrive(group: string): void {
    const place = expected.findIndex((each) => each.group === group);
    if (place !== -1) expected.splice(place, 1);
  }

  /** The limit that this group has reached, if any. */
  function limitOf(kinds: readonly string[], group: string): GroupLimit | undefined {
    if (groupLimits.size === 0) return undefined;
    const limits = kinds.flatMap((kind) => {
      const limit = groupLimits.get(kind);
      if (!limit || (held.get(keyOf(kind, group)) ?? 0) < limit.count || isAlone(limit.aloneMs)) return [];
      const sinceMs = performance.now() - (takenAtMs.get(keyOf(kind, group)) ?? 0);
      return sinceMs * (limit.perSecond ?? 0) >= 1_000 ? [] : [limit];
    });
    return limits[0];
  }

  function move(kind: string, group: string, by: 1 | -1): void {
    const limit = free.get(kind);
    if (limit === undefined) return;
    free.set(kind, limit - by);
    const key = keyOf(kind, group);
    const left = (held.get(key) ?? 0) + by;
    assert(left >= 0, 'a place was released that was not taken');
    if (by === 1) takenAtMs.set(key, performance.now());
    if (left > 0) held.set(key, left);
    else for (const kept of [held, takenAtMs]) kept.delete(key);
  }

  function grant(kinds: readonly string[], group: string): Release {
    const own = new Set(kinds);
    for (const kind of own) move(kind, group, 1);
    return (...named) => {
      for (const kind of named.length > 0 ? named : [...own]) if (own.delete(kind)) move(kind, group, -1);
      serve();
    };
  }

  /** Where a limit leaves its group only a short wait. */
  function isNewestFirst(group: string): boolean {
    const [first] = lines.get(group) ?? [];
    const limits = first?.kinds.flatMap((kind) => groupLimits.get(kind) ?? []) ?? [];
    return limits.some(({ waitMs, aloneMs }) => waitMs !== undefined && !isAlone(aloneMs));
  }

  /** One caller of each group in turn, until no waiting caller can be served. */
  function serve(): void {
    const before = waitingCount;
    if (before === 0) return;
    for (const [group, line] of [...lines]) {
      const next = isNewestFirst(group) ? -1 : 0;
      const first = line.at(next);
      if (!first || !mayTake(first.kinds, group, first.options)) continue;
      line.splice(next, 1);
      waitingCount -= 1;
      // The group's next caller comes after the callers of all other groups.
      lines.delete(group);
      if (line.length > 0) lines.set(group, line);
      clearTimeout(first.timer);
      first.resolve(grant(first.kinds, group));
    }
    if (waitingCount < before) serve();
  }

  function giveUp(group: string, waiting: Waiting): void {
    const line = lines.get(group) ?? [];
    const place = line.indexOf(waiting);
    if (place === -1) return;
    line.splice(place, 1);
    waitingCount -= 1;
    if (line.length === 0) lines.delete(group);
    waiting.resolve(undefined);
  }

  function isStanding(group: string): boolean {
    const [first] = lines.get(group) ?? [];
    return first !== undefined && performance.now() > first.standsAtMs && !isNewestFirst(group);
  }

  function mayWait(kinds: readonly string[], group: string): boolean {
    if (isLate() || isStanding(group)) return false;
    const waiting = lines.get(group)?.length ?? 0;
    const most = limitOf(kinds, group)?.waitingMax ?? Number.POSITIVE_INFINITY;
    return waiting < Math.min(most, WAITING_SHARE * (waitingMax - waitingCount));
  }

  const tryTake: Places['tryTake'] = (kinds, group, options = {}) =>
    mayTake(kinds, group, options) ? grant(kinds, group) : undefined;

  return {
    tryTake,
    async take(kinds, group, waitMs, options = {}) {
      arrive(group);
      // A new caller goes behind the waiting callers of its own group.
      const release = lines.has(group) ? undefined : tryTake(kinds, group, options);
      if (release || waitMs <= 0 || !mayWait(kinds, group)) return release;
      return new Promise((resolve) => {
        const ownMs = Math.min(waitMs, limitOf(kinds, group)?.waitMs ?? waitMs);
        const timer = setTimeout(() => giveUp(group, waiting), ownMs);
        const waiting: Waiting = { kinds, options, standsAtMs: performance.now() + ownMs * STANDING, timer, resolve };
        waitingCount += 1;
        lines.set(group, [...(lines.get(group) ?? []), waiting]);
      });
    },
    letIn,
    largest(kind) {
      const prefix = keyOf(kind, '');
      return Math.max(0, ...[...held].flatMap(([key, own]) => (key.startsWith(prefix) ? [own] : [])));
    },
    limitGroup(kind, limit) {
      groupLimits.set(kind, limit);
      serve();
    },
    taken: (kind) => (counts.get(kind) ?? 0) - (free.get(kind) ?? 0),
    resize(kind, count) {
      free.set(kind, (free.get(kind) ?? 0) + count - (counts.get(kind) ?? 0));
      counts.set(kind, count);
      serve();
    },
  };
}
