import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { otpMessage } from './message-text.ts';

const CODE = '391842';
const WORDS = ['It is valid for 5 minutes.', 'Do not share it with anyone.'];

/** The alphabet again, from the standard's table, so that the test does not rely on the code. */
const ROWS = [
  '@£$¥èéùìòÇ\nØø\rÅå',
  'Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ',
  ' !"#¤%&\'()*+,-./',
  '0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNO',
  'PQRSTUVWXYZÄÖÑÜ§',
  '¿abcdefghijklmno',
  'pqrstuvwxyzäöñüà',
].join('');

function segmentLength(text: string): number {
  return [...text].reduce((sum, character) => {
    if (ROWS.includes(character)) return sum + 1;
    return sum + ('^{}\\[~]|€'.includes(character) ? 2 : Number.NaN);
  }, 0);
}

const names = [
  // the tenant's name, as it is shown
  ['Larkfield Loans', 'Larkfield Loans'],
  ['Banc Tŷ Gwyn Cyf.', 'Banc Ty Gwyn Cyf'],
  ['Łódź & Söhne “Kredit”', 'Lodz & Söhne "Kredit"'],
  ['  Two\r\n\tlines\u2028here ', 'Two lines here'],
  ['Rocket 🚀 Credit™', 'Rocket CreditTM'],
  ['Cafe\u0301 Ørsted', 'Café Ørsted'],
  ['O’Hare – Sons…', "O'Hare - Sons"],
  ['{Curly} [Square] €', '{Curly} [Square] €'],
] as const;
for (const [name, shown] of names) {
  test(`${JSON.stringify(name)} is shown as ${shown}`, () => {
    expect(otpMessage({ tenantName: name, code: CODE })).toBe(
      `${CODE} is your code for ${shown}. It is valid for 5 minutes. Do not share it with anyone.`,
    );
  });
}

test('a name that cannot be spelt at all is left out', () => {
  expect(otpMessage({ tenantName: '信用 🚀', code: CODE })).toBe(`${CODE} is your code. ${WORDS.join(' ')}`);
});

test('with a host, the last line is bound to it', () => {
  expect(otpMessage({ tenantName: 'Larkfield Loans', code: CODE, host: 'apply.example.com' })).toBe(
    `${CODE} is your code for Larkfield Loans. ${WORDS.join(' ')}\n@apply.example.com #${CODE}`,
  );
});

test('a name that looks like the bound line is not one', () => {
  const text = otpMessage({ tenantName: '\n@other.example #111111', code: CODE });
  expect(text).not.toContain('\n');
  expect(text.startsWith(CODE)).toBe(true);
});

test('a host that is none, or leaves no room for the name, makes no line', () => {
  for (const host of ['', 'two words', 'UPPER.example', 'a.example\n@b.example', 'ü.example', '-a.example'])
    expect(otpMessage({ tenantName: 'Larkfield', code: CODE, host })).not.toContain('@');
  const long = `${'a'.repeat(60)}.example.com`;
  expect(otpMessage({ tenantName: 'Larkfield Loans and Motor Finance', code: CODE, host: long })).not.toContain('@');
});

describe('whatever the tenant is called', () => {
  const anyName = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400, size: 'max' }),
    fc.string({ unit: 'grapheme', maxLength: 400, size: 'max' }),
    fc.string({ unit: fc.constantFrom('€', '{', 'a', ' ', '.'), maxLength: 300, size: 'max' }),
  );
  const anyCode = fc.integer({ min: 0, max: 999_999 }).map((number) => String(number).padStart(6, '0'));
  const anyHost = fc.option(fc.oneof(fc.domain({ size: 'large' }), fc.string({ maxLength: 300 })), { nil: undefined });

  test('one GSM-7 segment that begins with the code, with the whole warning, and at most the bound line after it', () => {
    fc.assert(
      fc.property(anyName, anyCode, anyHost, (tenantName, code, host) => {
        const text = otpMessage({ tenantName, code, host });
        expect(segmentLength(text)).toBeLessThanOrEqual(160);
        expect(text.startsWith(`${code} is your code`)).toBe(true);
        const [sentence = '', ...lines] = text.split('\n');
        expect(sentence.endsWith(`. ${WORDS.join(' ')}`)).toBe(true);
        expect(lines).toEqual(lines.length === 0 ? [] : [`@${host} #${code}`]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('stops at the end of a long name do not count as room', () => {
    expect(segmentLength(otpMessage({ tenantName: `${'a'.repeat(200)}.....`, code: CODE }))).toBe(160);
  });

  test('as much of the name as fits: one more character would not', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{1,200}$/, { size: 'max' }), (tenantName) => {
        const text = otpMessage({ tenantName, code: CODE });
        const unnamed = otpMessage({ tenantName: '', code: CODE }).length;
        expect(segmentLength(text)).toBe(Math.min(160, unnamed + ' for '.length + tenantName.length));
        expect(tenantName.startsWith(/ for (\w+)\./.exec(text)?.[1] ?? '?')).toBe(true);
      }),
    );
  });
});
