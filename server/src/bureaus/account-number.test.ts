import { describe, expect, test } from 'vitest';
import { tailOfLastDigits, tailOfNumber } from './account-number.ts';
import { createNotes } from './reply-values.ts';

const numbers: readonly (readonly [sent: unknown, tail: string | null, kind?: string])[] = [
  ['XXXXXX4821', '4821'],
  ['*****821', '821'],
  ['****4821', '4821'],
  ['XXXXXXXX', null],
  ['', null],
  [undefined, null],
  [null, null],
  ['NOT KNOWN', null],
  // Never masked, or masked at the wrong end.
  ['4929123412344821', '4821', 'unmasked-number'],
  ['4929 1234 1234 4821', '4821', 'unmasked-number'],
  ['AGR-2019-0004821', '4821', 'unmasked-number'],
  ['X4929123412344821', '4821', 'unmasked-number'],
  ['49291234XXXX', null, 'unmasked-number'],
  ['4929XXXXXXXX4821', '4821'],
  // Four digits would be most of a short number.
  ['1234567', '67', 'unmasked-number'],
  ['1234', '34'],
  ['***4821', '21'],
  // Characters that look like digits do not count as digits.
  ['４８２１４８２１', null],
  ['٤٨٢١٤٨٢١', null],
  [48214821, null, 'unreadable-value'],
  [['4821'], null, 'unreadable-value'],
];

describe('the tail of an account number', () => {
  for (const [sent, tail, kind] of numbers) {
    test(`${JSON.stringify(sent)} leaves ${tail}`, () => {
      const notes = createNotes();
      expect(tailOfNumber(notes, 'account.number', sent)).toBe(tail);
      expect(notes.warnings).toEqual(kind ? [{ field: 'account.number', kind, count: 1 }] : []);
    });
  }

  test('a text of megabytes is looked at from its end only', () => {
    expect(tailOfNumber(createNotes(), 'account.number', '7'.repeat(5_000_000))).toBe('7777');
  });
});

test('last digits are taken as they are; more than four of them are a number', () => {
  const rows = [
    ['4821', '4821'],
    ['21', '21'],
    ['48211', '11'],
    ['12344821', '4821'],
    ['', null],
    [4821, null],
  ] as const;
  for (const [sent, tail] of rows) expect(tailOfLastDigits(createNotes(), 'account.number', sent)).toBe(tail);
});
