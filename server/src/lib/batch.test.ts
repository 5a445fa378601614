// Group commit: who shares a run, who hears what, and what a bad neighbour or a lost database does to the others.
import { describe, expect, test, vi } from 'vitest';
import { createBatch } from './batch.ts';

/** A database that is away, as the driver says it. */
const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

type Run = { readonly items: readonly number[]; readonly attempt: number };

/** Doubles its items. `fail` may throw for a run. */
function doubling(fail: (run: Run) => void = () => undefined, itemsMax?: number) {
  const runs: Run[] = [];
  const call = createBatch<number, number>({
    async run(items, attempt) {
      const run = { items: [...items], attempt };
      runs.push(run);
      await Promise.resolve();
      fail(run);
      return items.map((item) => item * 2);
    },
    ...(itemsMax !== undefined && { itemsMax }),
  });
  return { call, runs };
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
  const call = createBatch<number, number>({
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
  await vi.waitFor(() => expect(runs).toEqual([1]));
  const later = range(30).map(call);
  // A turn of the loop passes: nobody overtakes the run that waits.
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
  const call = createBatch<unknown, unknown>({ run: async (items) => items });
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
  const call = createBatch<number, number>({ run: async (items) => (items.length > 1 ? items.slice(1) : items) });
  // Together one answer is missing; one by one each gets its own.
  expect(await Promise.all(range(3).map(call))).toEqual(range(3));
  const deaf = createBatch<number, number>({ run: async () => [] });
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

  test('stays away: four tries together, then all are refused and nobody is tried alone', async () => {
    const { call, runs } = doubling(() => {
      throw away();
    });
    const settled = await Promise.allSettled(range(5).map(call));
    for (const each of settled) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'ECONNREFUSED' } });
    expect(runs).toEqual([1, 2, 3, 4].map((attempt) => ({ items: range(5), attempt })));
  });

  test('one item alone: four tries, then refused', async () => {
    const { call, runs } = doubling(() => {
      throw away();
    });
    await expect(call(1)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  });

  test('an unknown commit: the second attempt can find what the first one did, and does it once', async () => {
    const committed = new Set<number>();
    let effects = 0;
    const call = createBatch<number, string>({
      async run(items, attempt) {
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
    expect(runs.map(({ items, attempt }) => `${items.join()}:${attempt}`)).toEqual([
      '0,1,2:1',
      '0:2',
      '1:2',
      '1:3',
      '2:2',
    ]);
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

  test('its neighbours go on without it, at once and afterwards; it is refused alone', async () => {
    let isLocked = true;
    const call = createBatch<string, string>({
      groupOf: (item) => item.slice(0, 1),
      run: async (items) => {
        if (isLocked && items.some((item) => item.startsWith('b'))) throw heldUp();
        return items;
      },
    });
    const stuck = call('b1').catch((error: unknown) => error);
    expect(await Promise.all(['a1', 'c1'].map(call))).toEqual(['a1', 'c1']);
    const late = call('b2').catch((error: unknown) => error);
    const startedAt = performance.now();
    expect(await call('a2')).toBe('a2');
    expect(performance.now() - startedAt).toBeLessThan(100);
    expect(await stuck).toMatchObject({ code: '55P03' });
    isLocked = false;
    // Came while its group was beside the queue, and is done there once the lock is gone.
    expect(await late).toBe('b2');
    expect(await call('b3')).toBe('b3');
  });
});

describe('two runs at once', () => {
  /** A run ends when it is told to. */
  function held() {
    const runs: { items: readonly string[]; end(): void }[] = [];
    const call = createBatch<string, string>({
      groupOf: (item) => item.slice(0, 1),
      run: (items) => new Promise((resolve) => runs.push({ items, end: () => resolve(items) })),
    });
    const started = (count: number) => vi.waitFor(() => expect(runs).toHaveLength(count));
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
