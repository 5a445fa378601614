import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { KeyNotAtHand } from './key-not-at-hand.ts';
import { isRingKeyId } from './secret-keys.ts';
import { createVault, isWorkingKeyId, type Place, type RingKey, type WorkingKeys, workingKeyId } from './vault.ts';

const key = (id: string): RingKey => ({ id, key: randomBytes(32) });
const [first, second] = [key('k1'), key('k2')];
const place: Place = { tenantId: 'tenant-a', subjectId: 'report-a' };
const vault = createVault([first]);

test('what is sealed opens again, and no clear text is left in it', () => {
  const { dataKey, wrapped } = vault.createDataKey(place);
  const sealed = dataKey.seal('request', 'Łukasz O’Brien 🌿');
  expect(sealed.includes('Brien')).toBe(false);
  expect(vault.openDataKey(place, wrapped).open('request', sealed)).toBe('Łukasz O’Brien 🌿');
});

test('a value moved to another column, report or tenant does not open', () => {
  const { dataKey, wrapped } = vault.createDataKey(place);
  const sealed = dataKey.seal('request', 'text');
  expect(() => dataKey.open('report', sealed)).toThrow();
  for (const elsewhere of [
    { ...place, tenantId: 'tenant-b' },
    { ...place, subjectId: 'report-b' },
  ]) {
    expect(() => vault.openDataKey(elsewhere, wrapped)).toThrow();
    const other = vault.createDataKey(elsewhere).dataKey;
    expect(() => other.open('request', sealed)).toThrow();
  }
});

test('every flipped byte is noticed', () => {
  const { dataKey } = vault.createDataKey(place);
  const sealed = dataKey.seal('report', 'text');
  for (let index = 0; index < sealed.length; index++) {
    const tampered = Buffer.from(sealed);
    tampered.writeUInt8(tampered.readUInt8(index) ^ 1, index);
    expect(() => dataKey.open('report', tampered)).toThrow();
  }
  expect(() => dataKey.open('report', sealed.subarray(0, 20))).toThrow();
});

test('the same text sealed twice differs', () => {
  const { dataKey } = vault.createDataKey(place);
  expect(dataKey.seal('request', 'text').equals(dataKey.seal('request', 'text'))).toBe(false);
});

test('after a rotation new keys are wrapped by the new ring key and old ones still open', () => {
  const { dataKey, wrapped } = vault.createDataKey(place);
  const sealed = dataKey.seal('request', 'old');
  const rotated = createVault([second, first]);
  expect(rotated.openDataKey(place, wrapped).open('request', sealed)).toBe('old');
  expect(rotated.createDataKey(place).wrapped.ringKeyId).toBe('k2');
  expect(() => createVault([second]).openDataKey(place, wrapped)).toThrow('k1');
});

/** Working keys of which some are in memory. */
function workingKeys(...ids: string[]): WorkingKeys & { forget(id: string): void } {
  const held = new Map(ids.map((id) => [id, createSecretKey(randomBytes(32))]));
  const find = (id: string) => {
    const found = held.get(id);
    if (!found) throw new KeyNotAtHand(id, async () => undefined);
    return found;
  };
  return { find, current: () => ({ id: ids[0] ?? '', key: find(ids[0] ?? '') }), forget: (id) => held.delete(id) };
}

const NOVEMBER = workingKeyId('2026-11', 'file');

test('where there are working keys the current one wraps, and the ring still opens what it wrapped', () => {
  const old = vault.createDataKey(place);
  const sealed = old.dataKey.seal('request', 'old');
  const working = workingKeys(NOVEMBER);
  const monthly = createVault([first], { working });
  expect(monthly.openDataKey(place, old.wrapped).open('request', sealed)).toBe('old');
  const { dataKey, wrapped } = monthly.createDataKey(place);
  expect(wrapped.ringKeyId).toBe('month:2026-11:file');
  const again = monthly.openDataKey(place, wrapped);
  expect(again.open('request', dataKey.seal('request', 'new'))).toBe('new');
  expect(() => vault.openDataKey(place, wrapped)).toThrow('month:2026-11:file');
  expect(() => createVault([first], { working: workingKeys(NOVEMBER) }).openDataKey(place, wrapped)).toThrow();
});

test('a working key that is not in memory is asked for, at a read and at a new report', () => {
  const working = workingKeys(NOVEMBER);
  const monthly = createVault([first], { working });
  const { wrapped } = monthly.createDataKey(place);
  working.forget(NOVEMBER);
  expect(() => monthly.openDataKey(place, wrapped)).toThrow(KeyNotAtHand);
  expect(() => monthly.createDataKey(place)).toThrow(KeyNotAtHand);
});

test('a data key that is wrapped anew opens what it sealed before, and needs the old key no more', () => {
  const { dataKey, wrapped } = vault.createDataKey(place);
  const sealed = dataKey.seal('request', 'kept');
  const moved = createVault([second, first]).rewrapDataKey(place, wrapped);
  expect(moved.ringKeyId).toBe('k2');
  expect(createVault([second]).openDataKey(place, moved).open('request', sealed)).toBe('kept');
  const working = workingKeys(NOVEMBER);
  const onto = createVault([second], { working }).rewrapDataKey(place, moved);
  expect(onto.ringKeyId).toBe(NOVEMBER);
  const back = createVault([second], { working, isRingFirst: true }).rewrapDataKey(place, onto);
  expect(back.ringKeyId).toBe('k2');
  const elsewhere = { ...place, subjectId: 'report-b' };
  expect(() => createVault([second, first]).rewrapDataKey(elsewhere, wrapped)).toThrow();
});

test('no key of a ring can be taken for a working key', () => {
  expect(isWorkingKeyId('2026-11')).toBe(false);
  expect(isWorkingKeyId('month-2026-11')).toBe(false);
  expect(isRingKeyId(NOVEMBER)).toBe(false);
});
