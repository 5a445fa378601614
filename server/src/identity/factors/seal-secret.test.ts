import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretSeal, readNote, writeNote } from './seal-secret.ts';

const old = { id: 'old', key: randomBytes(32) };
const fresh = { id: '2026-03', key: randomBytes(32) };
const secret = Buffer.from('a secret');
const NOW = new Date('2026-03-01T12:00:00Z');

test('a secret opens with its binding, also after a newer key came first, and with no other binding or ring', () => {
  const sealed = createSecretSeal([old]).seal('totp/a', secret);
  expect(sealed.includes(secret)).toBe(false);
  const ring = createSecretSeal([fresh, old]);
  expect(ring.open('totp/a', sealed)).toEqual(secret);
  expect(() => ring.open('totp/b', sealed)).toThrow();
  expect(() => createSecretSeal([fresh]).open('totp/a', sealed)).toThrow('lacks the key');
  expect(ring.seal('totp/a', secret).includes('2026-03')).toBe(true);
});

test('a note is read by whom it was written for, within a quarter of an hour', () => {
  const seal = createSecretSeal([fresh]);
  const note = writeNote(seal, 'totp/a', 'text', NOW);
  const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
  expect(readNote(seal, 'totp/a', note, later(14.9))).toBe('text');
  expect(readNote(seal, 'totp/a', note, later(15))).toBeUndefined();
  expect(readNote(seal, 'totp/b', note, NOW)).toBeUndefined();
  expect(readNote(seal, 'totp/a', `${note.slice(0, -2)}AA`, NOW)).toBeUndefined();
  expect(readNote(seal, 'totp/a', '', NOW)).toBeUndefined();
});
