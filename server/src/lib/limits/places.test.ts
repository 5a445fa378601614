// Places: no group gets more than there are, waiting callers are served in turn, and one group leaves places for others.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createPlaces, type GroupLimit, type Release } from './places.ts';

const open = (counts: Record<string, number>, waitingMax = 100) => createPlaces({ counts, waitingMax });

test('all kinds or none: a caller that cannot have one place has taken no other', () => {
  const places = open({ screening: 5, equifax: 1 });
  expect(places.tryTake(['screening', 'equifax'], 'a')).toBeDefined();
  expect(places.tryTake(['screening', 'equifax'], 'b')).toBeUndefined();
  expect([places.taken('screening'), places.taken('equifax')]).toEqual([1, 1]);
});

test('given back one by one or all, and once', () => {
  const places = open({ screening: 1, equifax: 1 });
  const release = places.tryTake(['screening', 'equifax'], 'a');
  release?.('screening');
  release?.('screening');
  expect([places.taken('screening'), places.taken('equifax')]).toEqual([0, 1]);
  release?.();
  release?.();
  expect([places.taken('screening'), places.taken('equifax')]).toEqual([0, 0]);
});

test('a kind that nobody has named has no limit', () => {
  const places = open({});
  for (let count = 0; count < 1_000; count += 1) expect(places.tryTake(['beacon'], 'a')).toBeDefined();
});

test('one group alone leaves a ninth; two floods leave each other half and the third some', () => {
  const places = open({ equifax: 90 });
  const takeAll = (group: string) => {
    let count = 0;
    while (places.tryTake(['equifax'], group)) count += 1;
    return count;
  };
  expect(takeAll('a')).toBe(80);
  expect(takeAll('b')).toBeGreaterThanOrEqual(8);
  expect(takeAll('c')).toBeGreaterThanOrEqual(1);
});

test('some are kept free for more urgent callers', () => {
  const places = open({ equifax: 10 });
  let count = 0;
  while (places.tryTake(['equifax'], `group ${count}`, { keepFree: 0.3 })) count += 1;
  expect(count).toBe(7);
  expect(places.tryTake(['equifax'], 'urgent')).toBeDefined();
});

test('waiting callers are served when a place is given back: groups in turn, each in its order', async () => {
  const places = open({ line: 1 });
  const first = places.tryTake(['line'], 'x');
  const served: string[] = [];
  const wait = (group: string, name: string) =>
    places.take(['line'], group, 5_000).then((release) => {
      served.push(name);
      release?.();
    });
  const all = [wait('a', 'a1'), wait('a', 'a2'), wait('b', 'b1'), wait('a', 'a3'), wait('c', 'c1')];
  first?.();
  await Promise.all(all);
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('more places at once serve all that wait, not one of each group', async () => {
  const places = open({ line: 1 });
  places.tryTake(['line'], 'x');
  const waiting = [1, 2, 3].map(() => places.take(['line'], 'a', 5_000));
  places.resize('line', 10);
  expect((await Promise.all(waiting)).every((release) => release !== undefined)).toBe(true);
});

test('a wait ends: undefined after its time, and at once when too many wait', async () => {
  const places = open({ line: 1 }, 1);
  const first = places.tryTake(['line'], 'x');
  const startedMs = performance.now();
  const waiting = places.take(['line'], 'a', 50);
  expect(await places.take(['line'], 'b', 5_000)).toBeUndefined();
  expect(performance.now() - startedMs).toBeLessThan(40);
  expect(await waiting).toBeUndefined();
  first?.();
  // A caller that gave up is not served later.
  expect(places.taken('line')).toBe(0);
});

test('while the event loop is late nobody waits', async () => {
  let isLate = false;
  const places = createPlaces({ counts: { node: 1 }, waitingMax: 10, isLate: () => isLate });
  const give = places.tryTake(['node'], 'a');
  expect(places.letIn(['node'], 'b')).toBe(true);
  isLate = true;
  expect(places.letIn(['node'], 'b')).toBe(false);
  expect(await Promise.race([places.take(['node'], 'b', 60_000), Promise.resolve('waits')])).toBeUndefined();
  give?.();
  expect(places.letIn(['node'], 'b')).toBe(true);
});

test('while nobody may wait, one free place lets one caller in until it is taken or nobody comes for it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const places = createPlaces({ counts: { node: 1, other: 9 }, waitingMax: 10, isLate: () => true });
    const letIn = (group: string) => places.letIn(['node', 'other'], group);
    expect([letIn('a'), letIn('b'), letIn('a')]).toEqual([true, false, false]);
    vi.advanceTimersByTime(500);
    expect([letIn('b'), letIn('a')]).toEqual([true, false]);
    const release = await places.take(['node', 'other'], 'b', 0);
    release?.();
    expect(letIn('a')).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('behind a caller that has waited half of its time a new one is refused at once', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const places = open({ equifax: 1 });
    const release = places.tryTake(['equifax'], 'a');
    const first = places.take(['equifax'], 'b', 400);
    vi.advanceTimersByTime(199);
    const second = places.take(['equifax'], 'b', 400);
    expect(places.letIn(['equifax'], 'b')).toBe(true);
    vi.advanceTimersByTime(2);
    expect(places.letIn(['equifax'], 'b')).toBe(false);
    expect(await places.take(['equifax'], 'b', 400)).toBeUndefined();
    // Another group has its own line.
    expect(places.letIn(['equifax'], 'c')).toBe(true);
    release?.();
    (await first)?.();
    expect(await second).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});

test('whatever is taken and given back, never more than there are, and nothing is lost', () => {
  const step = fc.record({ group: fc.constantFrom('a', 'b', 'c'), isTake: fc.boolean(), place: fc.nat(20) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 80 }), (count, steps) => {
      const places = open({ line: count });
      const held: Release[] = [];
      for (const { group, isTake, place } of steps) {
        const release = isTake ? places.tryTake(['line'], group) : undefined;
        if (release) held.push(release);
        else if (!isTake) held.splice(place % Math.max(1, held.length), 1)[0]?.();
        expect(places.taken('line')).toBe(held.length);
        expect(held.length).toBeLessThanOrEqual(count);
      }
      for (const release of held) release();
      expect(places.taken('line')).toBe(0);
    }),
  );
});

describe('a limited group', () => {
  let isAlone = false;
  const openLimited = (limit: GroupLimit) => {
    isAlone = false;
    const places = createPlaces({ counts: { node: 90 }, waitingMax: 100, isAlone: () => isAlone });
    places.limitGroup('node', limit);
    return places;
  };

  test('has its limit while others come too; alone it takes what there is', () => {
    const places = openLimited({ count: 3, aloneMs: 1_000 });
    const takeAll = () => {
      let count = 0;
      while (places.tryTake(['node'], 'flood')) count += 1;
      return count;
    };
    expect(places.tryTake(['node'], 'other')).toBeDefined();
    expect([takeAll(), places.largest('node'), places.taken('node')]).toEqual([3, 3, 4]);
    expect(places.tryTake(['node'], 'other')).toBeDefined();
    isAlone = true;
    expect(takeAll()).toBeGreaterThan(70);
  });

  test('waits in a short line, the newest first; beyond it a caller hears it at once', async () => {
    const places = openLimited({ count: 1, aloneMs: 1_000, waitingMax: 16, waitMs: 5_000 });
    const release = places.tryTake(['node'], 'flood');
    const served: number[] = [];
    const wait = async (number: number) => {
      const own = await places.take(['node'], 'flood', 10_000);
      if (own) served.push(number);
      own?.();
    };
    const waiting = Array.from({ length: 16 }, (_, number) => wait(number));
    expect([places.letIn(['node'], 'flood'), places.letIn(['node'], 'other')]).toEqual([false, true]);
    expect(await places.take(['node'], 'flood', 10_000)).toBeUndefined();
    release?.();
    await Promise.all(waiting);
    expect(served).toEqual(Array.from({ length: 16 }, (_, number) => 15 - number));
  });

  test('takes so many a second all the same, one at a time', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const places = openLimited({ count: 2, perSecond: 4, aloneMs: 1_000 });
      const takeAll = () => {
        let count = 0;
        while (places.tryTake(['node'], 'flood')) count += 1;
        return count;
      };
      const taken = [takeAll()];
      for (const ms of [249, 1, 250, 2_000]) {
        vi.advanceTimersByTime(ms);
        taken.push(takeAll());
      }
      expect(taken).toEqual([2, 0, 1, 1, 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is not held up for what is urgent', () => {
    const places = openLimited({ count: 1, aloneMs: 1_000 });
    places.tryTake(['node'], 'flood');
    expect(places.tryTake(['node'], 'flood')).toBeUndefined();
    expect(places.tryTake(['node'], 'flood', { isUrgent: true })).toBeDefined();
  });

  test('waits no longer than its limit says', async () => {
    const places = openLimited({ count: 1, aloneMs: 1_000, waitMs: 20 });
    places.tryTake(['node'], 'flood');
    expect(await places.take(['node'], 'flood', 3_600_000)).toBeUndefined();
  });
});
