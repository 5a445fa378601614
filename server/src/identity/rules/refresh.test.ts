import { expect, test } from 'vitest';
import { judgeRefresh, REFRESH_ABSOLUTE_MS, REFRESH_GRACE_MS, REFRESH_IDLE_MS } from './refresh.ts';

const now = new Date('2026-03-01T12:00:00Z');
const before = (ms: number) => new Date(now.getTime() - ms);

const rows = [
  // live count, presented, idle ms, age ms, ended, expected
  [0, 0, 0, 0, false, 'advance'],
  [7, 7, REFRESH_IDLE_MS, REFRESH_IDLE_MS, false, 'advance'], // the last valid instant
  [7, 7, REFRESH_IDLE_MS + 1, REFRESH_IDLE_MS + 1, false, 'over'],
  [7, 7, 0, REFRESH_ABSOLUTE_MS, false, 'advance'],
  [7, 7, 0, REFRESH_ABSOLUTE_MS + 1, false, 'over'],
  [7, 6, 0, 60_000, false, 'repeat'],
  [7, 6, REFRESH_GRACE_MS, 60_000, false, 'repeat'],
  [7, 6, REFRESH_GRACE_MS + 1, 60_000, false, 'reuse'],
  [7, 5, 0, 60_000, false, 'reuse'],
  [7, 0, 0, 60_000, false, 'reuse'],
  [7, 8, 0, 60_000, false, 'reuse'], // only a restored row can lead to this
  [7, 7, 0, 60_000, true, 'over'],
  [7, 6, 0, 60_000, true, 'over'],
  [7, 0, 0, REFRESH_ABSOLUTE_MS + 1, false, 'over'], // nothing left to end
] as const;
for (const [count, presented, idleMs, ageMs, isEnded, kind] of rows) {
  test(`live ${count}, presented ${presented}, idle ${idleMs} ms, age ${ageMs} ms${isEnded ? ', ended' : ''}: ${kind}`, () => {
    const family = {
      count,
      refreshedAt: before(idleMs),
      createdAt: before(ageMs),
      endedAt: isEnded ? before(0) : null,
    };
    expect(judgeRefresh(family, presented, now).kind).toBe(kind);
  });
}

test('advancing gives the next count, repeating the same successor again', () => {
  const family = { count: 4, refreshedAt: now, createdAt: now, endedAt: null };
  expect(judgeRefresh(family, 4, now)).toEqual({ kind: 'advance', count: 5 });
  expect(judgeRefresh(family, 3, now)).toEqual({ kind: 'repeat', count: 4 });
});
