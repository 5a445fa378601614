// Codes from message ids: six digits, the same from the same key, evenly spread, compared whole.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../ids.ts';
import { createKeyedHash } from './keyed-hash.ts';
import { createCodeOf, isSameCode } from './one-time-code.ts';

const codeOf = createCodeOf(createKeyedHash(Buffer.alloc(32, 1), 'one-time-code'));

test('six digits, always', () => {
  for (let count = 0; count < 10_000; count += 1) expect(codeOf(newId())).toMatch(/^[0-9]{6}$/);
});

test('the same id and key give the same code; another id, key or purpose another', () => {
  const ids = Array.from({ length: 50 }, newId);
  const codes = ids.map(codeOf);
  expect(ids.map(codeOf)).toEqual(codes);
  const others = [
    createCodeOf(createKeyedHash(Buffer.alloc(32, 2), 'one-time-code')),
    createCodeOf(createKeyedHash(Buffer.alloc(32, 1), 'mobile')),
  ];
  for (const other of others) expect(ids.filter((id, place) => other(id) === codes[place]).length).toBeLessThan(3);
  expect(new Set(codes).size).toBeGreaterThan(45);
});

test('small values keep their leading zeros', () => {
  const hashOf = (value: number) => () => {
    const bytes = Buffer.alloc(32);
    bytes.writeUIntBE(value, 0, 6);
    return bytes;
  };
  expect(createCodeOf(hashOf(0))('')).toBe('000000');
  expect(createCodeOf(hashOf(42))('')).toBe('000042');
  expect(createCodeOf(hashOf(1_000_042))('')).toBe('000042');
  expect(createCodeOf(hashOf(2 ** 48 - 1))('')).toBe(String((2 ** 48 - 1) % 1_000_000).padStart(6, '0'));
});

test('every digit at every place about a tenth of the time', () => {
  const seen = Array.from({ length: 6 }, () => new Map<string, number>());
  const total = 60_000;
  for (let count = 0; count < total; count += 1) {
    const key = createHmac('sha256', 'seed').update(String(count)).digest('hex');
    [...codeOf(key)].forEach((digit, place) => {
      seen[place]?.set(digit, (seen[place].get(digit) ?? 0) + 1);
    });
  }
  for (const digits of seen) {
    expect(digits.size).toBe(10);
    // Five standard deviations of a fair count.
    for (const count of digits.values()) expect(Math.abs(count - total / 10)).toBeLessThan(5 * Math.sqrt(total * 0.09));
  }
});

const guesses = [
  ['123456', '123456', true],
  ['123457', '123456', false],
  ['023456', '123456', false],
  ['12345', '123456', false],
  ['1234567', '123456', false],
  ['', '123456', false],
  ['１２３４５６', '123456', false], // full-width digits
  ['12345\u0000', '123456', false],
  ['123456 ', '123456', false],
] as const;
for (const [guess, code, expected] of guesses) {
  test(`${JSON.stringify(guess)} ${expected ? 'is' : 'is not'} ${code}`, () => {
    expect(isSameCode(guess, code)).toBe(expected);
  });
}
