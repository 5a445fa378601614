import { expect, test } from 'vitest';
import { ServiceError } from '../lib/errors.ts';
import { createEventNames } from './name-events.ts';

const key = Buffer.alloc(32, 7);
const keyedFrom = new Date('2026-03-02T10:00:00Z');
const before = new Date(keyedFrom.getTime() - 1);
const names = createEventNames({ key, keyedFrom, isKeyed: true });
/** As long as servers of the release before may run. */
const early = createEventNames({ key, keyedFrom, isKeyed: false });

test('ids have one form and differ, those from before and after the key taken together, and after it no step shows', () => {
  const numbers = Array.from({ length: 20_000 }, (_, place) => place + 1);
  const idsAt = (createdAt: Date) => {
    const events = numbers.map((id) => ({ id, createdAt }));
    return events.map(names.idsOf(events));
  };
  const [plain, keyed] = [idsAt(before), idsAt(keyedFrom)];
  for (const id of [...plain, ...keyed]) expect(id).toMatch(/^evt_[0-9a-f]{16}$/);
  expect(new Set([...plain, ...keyed]).size).toBe(40_000);
  const steps = (ids: readonly string[]) =>
    new Set(ids.slice(1).map((id, place) => BigInt.asUintN(64, numberOf(id) - numberOf(ids[place] ?? ''))));
  // The control: before the key one step was like the other, so a company could count the events of all.
  expect(steps(plain).size).toBe(1);
  expect(steps(keyed).size).toBe(19_999);
});

const numberOf = (id: string) => BigInt(`0x${id.slice(4)}`);

test('an id is the same on every node and in every release', () => {
  const idOf = (event: { id: number; createdAt: Date }, by = names) => by.idsOf([event])(event);
  expect(idOf({ id: 1, createdAt: before })).toBe('evt_9e3779b97f4a7c15');
  expect(idOf({ id: 1, createdAt: keyedFrom })).toBe('evt_1da8fbb2c040dfa5');
  for (const createdAt of [before, keyedFrom]) {
    expect(idOf({ id: 7, createdAt }, early)).toBe(idOf({ id: 7, createdAt }));
  }
});

test('an id leads back to its event, and a text that is none to no event', () => {
  const idOf = (id: number, createdAt: Date) => names.idsOf([{ id, createdAt }])({ id, createdAt });
  for (const id of [1, 7, 4_711, 2 ** 31, 2 ** 48 - 1]) {
    for (const createdAt of [before, keyedFrom]) expect(names.numberOf(idOf(id, createdAt))).toBe(id);
  }
  const [one, none] = [idOf(7, keyedFrom), ['', '7', 'evt_', 'evt_0000000000000000', 'evt_test_3c6ef372fe94f82a']];
  for (const text of [...none, `${one}0`, ` ${one}`, one.toUpperCase()]) {
    expect(names.numberOf(text), text).toBeUndefined();
  }
});

const PLACES = [
  { xactId: '0', id: 0 },
  { xactId: '741234', id: 9_012 },
  { xactId: '741234', id: 9_013 },
  { xactId: String(2 ** 48 - 1), id: 2 ** 48 - 1 },
];

test('a cursor reads as the place that was written, also one from before the key', () => {
  for (const place of PLACES) {
    expect(names.readPlace(names.writePlace(place))).toEqual({ place, plainUntil: undefined });
    const plain = Buffer.from(`${place.xactId}.${place.id}`).toString('base64url');
    expect(early.writePlace(place)).toBe(plain);
    expect(early.readPlace(plain)).toEqual({ place, plainUntil: undefined });
    expect(names.readPlace(plain)).toEqual({ place, plainUntil: keyedFrom });
    // Nodes are not of one mind about the hour.
    expect(early.readPlace(names.writePlace(place))).toEqual({ place, plainUntil: undefined });
  }
});

test('a cursor says nothing of its place: those of neighbours have nothing in common', () => {
  const [one = '', next = ''] = PLACES.slice(1, 3).map(names.writePlace);
  expect(one).toMatch(/^[\w-]{22}$/);
  const bytes = Buffer.from(next, 'base64url');
  const alike = [...Buffer.from(one, 'base64url')].filter((byte, place) => byte === bytes[place]);
  expect(alike.length).toBeLessThan(3);
});

test('a cursor that was changed, cut or made up is refused', () => {
  const cursor = names.writePlace({ xactId: '741234', id: 9_012 });
  const changed = Array.from(cursor, (letter, place) =>
    ['A', 'B', 'x', '_'].map(
      (other) => cursor.slice(0, place) + (other === letter ? 'C' : other) + cursor.slice(place + 1),
    ),
  ).flat();
  const plain = ['1.2.3', '1', '1.', `${2 ** 48}.1`, `1.${2 ** 48}`, `${'9'.repeat(19)}.1`].map((text) =>
    Buffer.from(text).toString('base64url'),
  );
  const others = [
    cursor.slice(1),
    `${cursor}A`,
    `${cursor}=`,
    'x',
    '',
    createEventNames({ key: Buffer.alloc(32), keyedFrom, isKeyed: true }).writePlace({ xactId: '1', id: 1 }),
  ];
  for (const bad of [...changed, ...plain, ...others]) {
    expect(() => names.readPlace(bad), bad).toThrow(ServiceError);
  }
});
