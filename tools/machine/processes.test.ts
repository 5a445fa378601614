import { expect, test } from 'vitest';
import { countForeign, descendantsOf, listProcesses, type Process, readProcess } from './processes.ts';

const process = (id: number, parentId: number, changes: Partial<Process> = {}): Process => ({
  ...{ id, parentId, groupId: id, sessionId: id, name: 'node', startedTicks: id, usedTicks: 0, endedTicks: 0 },
  ...changes,
});

const ROOT = 100;
const init = process(1, 0, { name: 'init' });
const shell = process(50, 1, { name: 'bash' });
const root = process(ROOT, 50, { groupId: 50, sessionId: 50 });

/** What was used by others between two looks, and at further ones. */
function foreignTicks(...looks: readonly Process[][]): number {
  const count = countForeign(ROOT);
  for (const look of looks) count.look([init, shell, root, ...look]);
  return count.ticks();
}

const used = (each: Process, usedTicks: number, endedTicks = 0): Process => ({ ...each, usedTicks, endedTicks });

test('a program outside the run is foreign, one below it is not', () => {
  const [below, deeper, other] = [process(101, ROOT), process(102, 101), process(60, 50)];
  expect(
    foreignTicks(
      [used(below, 1), used(deeper, 2), used(other, 30)],
      [used(below, 500), used(deeper, 600), used(other, 37)],
    ),
  ).toBe(7);
});

test('a loop that the same shell started is foreign, although it is in the group of the run', () => {
  const loop = process(60, 50, { groupId: 50, sessionId: 50, name: 'bash' });
  expect(foreignTicks([loop], [used(loop, 90)])).toBe(90);
});

test('what lost its parents still belongs to the run: seen before, or in a group or session of it', () => {
  const leader = process(101, ROOT);
  const seen = process(102, 101, { groupId: 101, sessionId: 50 });
  const unseen = process(103, 1, { groupId: 101, sessionId: 50 });
  const away = process(104, 1, { groupId: 104, sessionId: 101 });
  const adopted = { ...seen, groupId: 102, parentId: 1 };
  expect(foreignTicks([leader, seen], [used(adopted, 50), used(unseen, 60), used(away, 70)])).toBe(0);
});

test('an id that is used again is another process', () => {
  const below = process(101, ROOT);
  const other = process(101, 50, { startedTicks: 9_999, groupId: 60, sessionId: 60 });
  expect(foreignTicks([used(below, 40)], [used(other, 5)])).toBe(5);
});

test('PostgreSQL, Redis and the kernel work for the run', () => {
  const names = ['postgres', 'redis-server'].map((name, at) => process(60 + at, 1, { name }));
  const archiving = process(65, 60, { name: 'pgbackrest' });
  const kernel = process(2, 0, { name: 'kthreadd' });
  const all = [...names, archiving, kernel, process(70, 2, { name: 'kworker/0:1' })];
  expect(
    foreignTicks(
      all,
      all.map((each) => used(each, 80)),
    ),
  ).toBe(0);
});

test('a program that lived and ended between two looks is counted once, by the parent that waited for it', () => {
  const make = process(60, 50, { name: 'make' });
  const compiler = process(61, 60, { name: 'cc' });
  // Unseen: all of its 30 ticks come from the parent. Seen with 30: only the 10 after that do.
  expect(foreignTicks([make], [used(make, 0, 30)])).toBe(30);
  expect(foreignTicks([make], [make, used(compiler, 30)], [used(make, 0, 40)])).toBe(40);
});

test('what init waited for is not counted: it adopts the processes of the run as well', () => {
  const count = countForeign(ROOT);
  count.look([init, shell, root]);
  count.look([used(init, 0, 900), shell, root]);
  expect(count.ticks()).toBe(0);
});

test('a name may have spaces and parentheses; a text that is no process is none', () => {
  const text = '7 (a) (b c) S 5 6 4 0 -1 1 0 0 0 0 11 22 33 44 20 0 1 0 777 0';
  expect(readProcess(text)).toEqual({
    ...{ id: 7, name: 'a) (b c', parentId: 5, groupId: 6, sessionId: 4 },
    ...{ usedTicks: 33, endedTicks: 77, startedTicks: 777 },
  });
  expect(readProcess('')).toBeUndefined();
});

test('this process is among those of the machine, below itself', () => {
  const own = descendantsOf(globalThis.process.pid, listProcesses()).map(({ id }) => id);
  expect(own).toContain(globalThis.process.pid);
});
