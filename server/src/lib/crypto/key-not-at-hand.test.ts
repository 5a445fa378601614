import { expect, test } from 'vitest';
import { KeyNotAtHand, nowOrWithKeys, withKeys } from './key-not-at-hand.ts';

/** Work that needs a key, and a load that brings it, or fails. */
function scene(load: () => Promise<void> = async () => undefined) {
  const seen = { runs: 0, loads: 0, hasKey: false };
  return {
    seen,
    work: () => {
      seen.runs += 1;
      if (seen.hasKey) return 'opened';
      throw new KeyNotAtHand('month:2026-11:file', async () => {
        seen.loads += 1;
        await load();
        seen.hasKey = true;
      });
    },
  };
}

test('work that has its keys runs once', async () => {
  const { seen, work } = scene();
  seen.hasKey = true;
  expect(await withKeys(work)).toBe('opened');
  expect(nowOrWithKeys(work)).toBe('opened');
  expect(seen).toMatchObject({ runs: 2, loads: 0 });
});

test('work that lacks a key runs again once the key is loaded', async () => {
  const { seen, work } = scene();
  expect(await withKeys(work)).toBe('opened');
  expect(seen).toMatchObject({ runs: 2, loads: 1 });
  const other = scene();
  const later = nowOrWithKeys(other.work);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe('opened');
});

test('a load that fails is the answer, and the work does not run again', async () => {
  const away = new Error('away');
  const { seen, work } = scene(() => Promise.reject(away));
  await expect(withKeys(work)).rejects.toBe(away);
  expect(seen.runs).toBe(1);
});

test('work that never has enough ends, and other errors pass', async () => {
  let loads = 0;
  const hopeless = () => {
    throw new KeyNotAtHand('month:2026-11:file', async () => {
      loads += 1;
    });
  };
  await expect(withKeys(hopeless)).rejects.toBeInstanceOf(KeyNotAtHand);
  expect(loads).toBe(12);
  const broken = () => {
    throw new RangeError('broken');
  };
  await expect(withKeys(broken)).rejects.toThrow(RangeError);
  expect(() => nowOrWithKeys(broken)).toThrow(RangeError);
});
