import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault, type Place, type RingKey } from './vault.ts';

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
