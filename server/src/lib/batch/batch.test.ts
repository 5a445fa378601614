// Group commit: which calls share a run, what each caller is answered, and how a bad item or an unreachable database affects
// the other calls.
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { type BatchOptions, createBatch, HELD } from './batch.ts';

/** The driver's error when the database is unreachable. */
const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

type Run = { readonly items: readonly number[]; readonly attempt: number };

/** A queue as a function; each call may wait for `patienceMs`. */
function open<Item, Result>(options: BatchOptions<Item, Result>, patienceMs = 60_000) {
  const batch = createBatch(options);
  return (item: Item) => batch.add(item, { deadlineMs: performance.now() + patienceMs });
}

/** Doubles its items. `fail` may throw for a run. */
function doubling(fail: (run: Run) => void = () => undefined, itemsMax?: number, patienceMs?: number) {
  const runs: Run[] = [];
  const options: BatchOptions<number, number> = {
    async run(items, { attempt }) {
      const run = { items: [...items], attempt };
      runs.push(run);
      await Promise.resolve();
      fail(run);
      return items.map((item) => item * 2);
    },
    ...(itemsMax !== undefined && { itemsMax }),
  };
  return { call: open(options, patienceMs), runs };
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

test('calls of one turn share one run, each gets its own result, in order', async () => {
  const { call, runs } = doubling();
  expect(await Promise.all(range(50).map(call))).toEqual(range(50).map((item) => item * 2));
  expect(runs).toEqual([{ items: range(50), attempt: 1 }]);
});

test('one call alone runs at once and alone', async () => {
  const { call, runs } = doubling();
  expect(await call(21)).toBe(42);
  expect(await call(4)).toBe(8);
  expect(runs).toEqual([
    { items: [21], attempt: 1 },
    { items: [4], attempt: 1 },
  ]);
});

test('while a run is under way the next calls of its group gather, and never two runs at once', async () => {
  let [running, most] = [0, 0];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const runs: number[] = [];
  const call = open<number, number>({
    async run(items) {
      running += 1;
      most = Math.max(most, running);
      runs.push(items.length);
      if (runs.length === 1) await gate;
      running -= 1;
      return items;
    },
  });
  const first = call(1);
  await eventually(() => expect(runs).toEqual([1]));
  const later = range(30).map(call);
  // An event-loop tick later no other run has started.
  await new Promise(setImmediate);
  expect(runs).toEqual([1]);
  release();
  expect(await first).toBe(1);
  expect(await Promise.all(later)).toEqual(range(30));
  expect([runs, most]).toEqual([[1, 30], 1]);
});

test('a run takes at most so many; the rest follow in the order they came', async () => {
  const { call, runs } = doubling(undefined, 10);
  await Promise.all(range(25).map(call));
  expect(runs.map(({ items }) => items)).toEqual([range(10), range(20).slice(10), range(25).slice(20)]);
});

test('by default 250 at a time', async () => {
  const { call, runs } = doubling();
  await Promise.all(range(600).map(call));
  expect(runs.map(({ items }) => items.length)).toEqual([250, 250, 100]);
});

test('results may be undefined, null or a promise that rejected before: each is its own', async () => {
  const call = open<unknown, unknown>({ run: async (items) => items });
  expect(await Promise.all([undefined, null, 0, ''].map(call))).toEqual([undefined, null, 0, '']);
});

describe('a poisoned item', () => {
  const poison = ({ items }: Run) => {
    if (items.includes(7)) throw new Error('seven');
  };

  test('fails alone; its neighbours are repeated one by one, in order, and told that it is not their first attempt', async () => {
    const { call, runs } = doubling(poison);
    const settled = await Promise.allSettled(range(10).map(call));
    settled.forEach((each, item) => {
      if (item === 7) expect(each).toMatchObject({ status: 'rejected', reason: { message: 'seven' } });
      else expect(each).toEqual({ status: 'fulfilled', value: item * 2 });
    });
    expect(runs[0]).toEqual({ items: range(10), attempt: 1 });
    expect(runs.slice(1)).toEqual(range(10).map((item) => ({ items: [item], attempt: 2 })));
  });

  test('two of them: both fail, each with its own error', async () => {
    const { call } = doubling(({ items }) => {
      const bad = items.find((item) => item === 3 || item === 5);
      if (bad !== undefined) throw new Error(`bad ${bad}`);
    });
    const settled = await Promise.allSettled(range(7).map(call));
    const reasons = settled.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).message] : []));
    expect(reasons).toEqual(['bad 3', 'bad 5']);
  });

  test('alone: tried once, never again', async () => {
    const { call, runs } = doubling(poison);
    await expect(call(7)).rejects.toThrow('seven');
    expect(runs).toHaveLength(1);
  });

  test('the queue goes on after it', async () => {
    const { call } = doubling(poison);
    await Promise.allSettled([call(7), call(1)]);
    expect(await call(2)).toBe(4);
  });
});

test('a run that answers for fewer items than it got is a fault, not a success without a result', async () => {
  const call = open<number, number>({ run: async (items) => (items.length > 1 ? items.slice(1) : items) });
  // Together one answer is missing; one by one each gets its own.
  expect(await Promise.all(range(3).map(call))).toEqual(range(3));
  const deaf = open<number, number>({ run: async () => [] });
  await expect(deaf(1)).rejects.toThrow();
});

// At once, because each of them waits for real time.
describe.concurrent('a database that is away', () => {
  test('comes back: all together are tried again and answered, and told the attempt', async () => {
    const { call, runs } = doubling(({ attempt }) => {
      if (attempt < 4) throw away();
    });
    expect(await Promise.all(range(5).map(call))).toEqual(range(5).map((item) => item * 2));
    expect(runs).toEqual([1, 2, 3, 4].map((attempt) => ({ items: range(5), attempt })));
  });

  test('stays away: all are tried together until their time is over, then refused with what was wrong', async () => {
    const { call, runs } = doubling(
      () => {
        throw away();
      },
      undefined,
      1_000,
    );
    const startedMs = performance.now();
    const settled = await Promise.allSettled(range(5).map(call));
    for (const each of settled) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'ECONNREFUSED' } });
    // steady: at least so long; a slow machine only takes longer.
    expect(performance.now() - startedMs).toBeGreaterThan(900);
    expect(runs.length).toBeGreaterThan(1);
    expect(runs.every(({ items }) => items.length === 5)).toBe(true);
  });

  test('a call that still waits at its deadline is refused, although no run begins meanwhile', async () => {
    const batch = createBatch<number, number>({ rankOf: () => 1, run: () => new Promise(() => undefined) });
    void batch.add(1);
    await eventually(() => expect(batch.state().runMs).toBeGreaterThan(0));
    const late = batch.add(2, { deadlineMs: performance.now() + 50 });
    await expect(late).rejects.toMatchObject({ code: 'service-unavailable', headers: { 'retry-after': '1' } });
  });

  test('an unknown commit: the second attempt can find what the first one did, and does it once', async () => {
    const committed = new Set<number>();
    let effects = 0;
    const call = open<number, string>({
      async run(items, { attempt }) {
        const results = items.map((item) => {
          if (attempt > 1 && committed.has(item)) return 'found';
          committed.add(item);
          effects += 1;
          return 'done';
        });
        // Committed, and the answer is lost.
        if (attempt === 1) throw Object.assign(new Error('Connection terminated unexpectedly'), {});
        return results;
      },
    });
    expect(await Promise.all(range(4).map(call))).toEqual(['found', 'found', 'found', 'found']);
    expect(effects).toBe(4);
  });

  test('goes away while items are repeated one by one: attempts go on counting', async () => {
    const { call, runs } = doubling(({ items, attempt }) => {
      if (items.length > 1) throw new Error('poison among them');
      if (items[0] === 1 && attempt === 2) throw away();
    });
    expect(await Promise.all(range(3).map(call))).toEqual([0, 2, 4]);
    const told = runs.map(({ items, attempt }) => `${items.join()}:${attempt}`);
    // The rest waits for the database together, and is then repeated one by one again.
    expect(told.slice(0, 3)).toEqual(['0,1,2:1', '0:2', '1:2']);
    expect(runs.slice(3).every(({ attempt }) => attempt >= 2)).toBe(true);
    expect(runs.filter(({ items }) => items.join() === '1').at(-1)?.attempt).toBeGreaterThanOrEqual(3);
  });

  test.each(['40001', '40P01', '55P03', '57P01', '08006', '25006', '53300'])(
    'SQLSTATE %s is worth a retry',
    async (code) => {
      const { call, runs } = doubling(({ attempt }) => {
        if (attempt === 1) throw Object.assign(new Error('refused'), { code });
      });
      expect(await call(1)).toBe(2);
      expect(runs).toHaveLength(2);
    },
  );

  test.each(['23514', '23505', '42501', 'P0001'])('SQLSTATE %s is not', async (code) => {
    const { call, runs } = doubling(() => {
      throw Object.assign(new Error('refused'), { code });
    });
    await expect(call(1)).rejects.toMatchObject({ code });
    expect(runs).toHaveLength(1);
  });
});

describe('a group that is held up', () => {
  const heldUp = () => Object.assign(new Error('lock timeout'), { code: '55P03' });

  test('its neighbours go on without it, at once and afterwards; it goes on when the lock is gone', async () => {
    let isLocked = true;
    const call = open<string, string>({
      groupOf: (item) => item.slice(0, 1),
      run: async (items) => {
        if (isLocked && items.some((item) => item.startsWith('b'))) throw heldUp();
        return items;
      },
    });
    const stuck = call('b1');
    expect(await Promise.all(['a1', 'c1'].map(call))).toEqual(['a1', 'c1']);
    const late = call('b2');
    let isStuckAnswered = false;
    void stuck.then(() => {
      isStuckAnswered = true;
    });
    // The lock is still held: this call did not wait for it.
    expect(await call('a2')).toBe('a2');
    expect(isStuckAnswered).toBe(false);
    isLocked = false;
    expect(await Promise.all([stuck, late])).toEqual(['b1', 'b2']);
    expect(await call('b3')).toBe('b3');
  });

  test('a run says which group is held: only that one leaves the run, and waits for its lock beside the queue', async () => {
    const runs: string[] = [];
    const call = open<string, string>({
      groupOf: (item) => item.slice(0, 1),
      run: async (items, { mayWait, attempt }) => {
        runs.push(`${items.join()} ${mayWait ? 'waits' : 'does not wait'} ${attempt}`);
        return items.map((item) => (item.startsWith('b') && !mayWait ? HELD : item));
      },
    });
    expect(await Promise.all(['a1', 'b1', 'c1'].map(call))).toEqual(['a1', 'b1', 'c1']);
    // Nothing of it was done, so the second run is its first attempt.
    expect(runs).toEqual(['a1,b1,c1 does not wait 1', 'b1 waits 1']);
  });

  test('a group that waits for its lock does not make the queue look stuck', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const { promise: parkedRun, resolve: begin } = Promise.withResolvers<void>();
      const batch = createBatch<string, string>({
        groupOf: (item) => item.slice(0, 1),
        run(items, { mayWait }) {
          if (!mayWait) return Promise.resolve(items.map(() => HELD));
          begin();
          return new Promise(() => undefined);
        },
      });
      void batch.add('a1');
      await parkedRun;
      // The shared run ends after it has parked the group.
      await new Promise(setImmediate);
      // The queue measures the age of its calls every 100 ms.
      vi.advanceTimersByTime(150);
      expect(batch.state()).toMatchObject({ oldestMs: 0, runMs: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  test('a run that may wait and still answers HELD is a fault of that call alone: its neighbours have their results', async () => {
    const runs: string[] = [];
    const call = open<string, string>({
      groupOf: () => 'a',
      run: async (items, { mayWait }) => {
        runs.push(items.join());
        return items.map((item) => (!mayWait || item === 'a2' ? HELD : item));
      },
    });
    const settled = await Promise.allSettled(['a1', 'a2', 'a3'].map(call));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toEqual(['a1,a2,a3', 'a1,a2,a3']);
  });

  test('groups that stay held take turns: another one gets through although there is one lane', async () => {
    const call = open<string, string>({
      parkedRunsMax: 1,
      groupOf: (item) => item.slice(0, 1),
      run: async (items, { mayWait }) => {
        if (!mayWait) return items.map(() => HELD);
        await new Promise(setImmediate);
        if (items[0] !== 'c1') throw heldUp();
        return items;
      },
    });
    for (const item of ['a1', 'b1']) call(item).catch(() => undefined);
    expect(await call('c1')).toBe('c1');
  });

  test('one run that is held up does not leave many groups in lanes of their own for good', async () => {
    let hasFailed = false;
    let alone = 0;
    const call = open<string, string>({
      groupOf: (item) => item,
      run: async (items, { mayWait }) => {
        await new Promise(setImmediate);
        if (!hasFailed) {
          hasFailed = true;
          throw heldUp();
        }
        if (mayWait) alone += 1;
        return items;
      },
    });
    const groups = range(50).map((group) => `group ${group}`);
    // A closed loop: each group has three callers, whose next call comes when the last is answered.
    const loops = groups.flatMap((group) =>
      range(3).map(async () => {
        for (let turn = 0; turn < 10; turn += 1) await call(group);
      }),
    );
    await Promise.all(loops);
    expect(alone).toBeLessThanOrEqual(2 * groups.length);
  });

  test('what is refused at its deadline beside the queue is told why', async () => {
    const call = open<string, string>({ run: () => Promise.reject(heldUp()) }, 200);
    await expect(call('a1')).rejects.toMatchObject({ code: '55P03' });
  });
});

describe('ranks, turns and bounds', () => {
  /** The first run waits; the others are noted. */
  function gated(options: Partial<BatchOptions<string, string>> = {}) {
    const runs: (readonly string[])[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const batch = createBatch<string, string>({
      groupOf: (item) => item.slice(1, 2),
      rankOf: (item) => Number(item.slice(0, 1)),
      async run(items) {
        runs.push(items);
        if (runs.length === 1) await gate;
        return items;
      },
      ...options,
    });
    // A long run, so that nothing is begun beside it.
    const first = Array.from({ length: 40 }, (_, place) => batch.add(`0x${place}`));
    return { batch, runs, first, open };
  }

  test('the lower rank first, however late it comes', async () => {
    const { batch, runs, first, open } = gated({ itemsMax: 40 });
    await eventually(() => expect(runs).toHaveLength(1));
    const later = ['1a1', '2b1', '1c1', '0d1'].map((item) => batch.add(item));
    open();
    await Promise.all([...first, ...later]);
    expect(runs[1]).toEqual(['0d1', '1a1', '1c1', '2b1']);
  });

  test('groups in turn: one with many does not keep the others waiting', async () => {
    const { batch, runs, first, open } = gated({ itemsMax: 40 });
    await eventually(() => expect(runs).toHaveLength(1));
    const many = range(100).map((place) => batch.add(`1a${place}`));
    const few = ['1b0', '1c0', '1b1'].map((item) => batch.add(item));
    open();
    await Promise.all([...first, ...many, ...few]);
    expect(runs[1]?.slice(0, 6)).toEqual(['1a0', '1b0', '1c0', '1a1', '1b1', '1a2']);
    expect(runs[1]).toHaveLength(40);
  });

  test('of a rank no more than its limit in one run', async () => {
    const { batch, runs, first, open } = gated({ limitOf: (rank) => (rank === 2 ? 3 : 250) });
    await eventually(() => expect(runs).toHaveLength(1));
    const later = range(5).flatMap((place) => [batch.add(`2a${place}`), batch.add(`1b${place}`)]);
    open();
    await Promise.all([...first, ...later]);
    expect(runs[1]?.filter((item) => item.startsWith('2'))).toHaveLength(3);
    expect(runs[1]?.filter((item) => item.startsWith('1'))).toHaveLength(5);
  });

  test('503 service-unavailable beyond the bounds of count and bytes; rank 0 has none', async () => {
    const { batch, first, open } = gated({ bounds: { items: 10, bytes: 100 } });
    const groups = range(10).map((place) => batch.add(`1${place}`));
    await expect(batch.add('1k')).rejects.toMatchObject({ code: 'service-unavailable' });
    const finishing = batch.add('0k');
    open();
    await Promise.all([...first, ...groups, finishing]);
    expect(batch.state()).toMatchObject({ items: 0, bytes: 0 });
    await expect(batch.add('1a', { bytes: 101 })).rejects.toMatchObject({ code: 'service-unavailable' });
    expect(await batch.add('1a', { bytes: 100 })).toBe('1a');
  });

  test('one group cannot take all of the room: the others are still let in', async () => {
    const { batch, first, open } = gated({ bounds: { items: 100, bytes: 1 } });
    const refused: unknown[] = [];
    const flood = range(200).map((place) => batch.add(`1a${place}`).catch((error) => refused.push(error)));
    // A refusal comes at once; the other calls wait for the gate.
    await new Promise(setImmediate);
    expect(refused.length).toBeGreaterThanOrEqual(120);
    const other = batch.add('1b1');
    open();
    expect(await other).toBe('1b1');
    await Promise.all([...first, ...flood]);
  });
});

describe('two runs at once', () => {
  /** A run ends when it is told to. */
  function held() {
    const runs: { items: readonly string[]; end(): void }[] = [];
    const call = open<string, string>({
      groupOf: (item) => item.slice(0, 1),
      run: (items) => new Promise((resolve) => runs.push({ items, end: () => resolve(items) })),
    });
    const started = (count: number) => eventually(() => expect(runs).toHaveLength(count));
    return { call, runs, started };
  }

  test('calls of another group do not wait for a short run; those of its group do, and a third run is not begun', async () => {
    const { call, runs, started } = held();
    const first = [call('a1')];
    await started(1);
    first.push(call('a2'), call('b1'));
    await started(2);
    first.push(call('c1'), call('a3'), call('b2'));
    await new Promise(setImmediate);
    expect(runs.map(({ items }) => items)).toEqual([['a1'], ['b1']]);
    runs[1]?.end();
    await started(3);
    expect(runs[2]?.items).toEqual(['c1', 'b2']);
    runs[0]?.end();
    await started(4);
    expect(runs[3]?.items).toEqual(['a2', 'a3']);
    for (const run of runs) run.end();
    expect(await Promise.all(first)).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  test('beside a long run nothing is begun', async () => {
    const { call, runs, started } = held();
    const calls = Array.from({ length: 33 }, (_, place) => call(`a${place}`));
    await started(1);
    calls.push(call('b1'));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await started(2);
    runs[1]?.end();
    expect(await Promise.all(calls)).toHaveLength(34);
  });
});
