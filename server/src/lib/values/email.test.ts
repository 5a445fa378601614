import { expect, test } from 'vitest';
import { costGrowth, GROWTH_MAX } from '../../../../tools/testing/cost-growth.ts';
import { accountEmail, isEmail, normaliseEmail } from './email.ts';

const label63 = 'd'.repeat(63);
const longestDomain = `${label63}.${label63}.${'d'.repeat(57)}.com`; // 189 characters: 64 + 1 + 189 = 254

const rows = [
  // text, is an e-mail address
  ['ada@example.com', true],
  ['test001@example.org', true],
  ['Ada.Example@Example.COM', true],
  ['ada+tag@example.com', true],
  ['a@b.co', true],
  ["o'neil@example.com", true],
  ["!#$%&'*+-/=?^_`{|}~@example.com", true],
  ['ada@mail.eu.example.com', true],
  ['ada@exa-mple.com', true],
  ['ada@123.example.com', true],
  ['ada@xn--mller-kva.example', true],
  ['zoë@example.com', true],
  ['zoe\u0308@example.com', true], // the same name with a combining mark
  ['用户@example.com', true],
  ['ada@müller.example', true],
  [`${'a'.repeat(64)}@example.com`, true],
  [`${'a'.repeat(65)}@example.com`, false],
  [`ada@${label63}.com`, true],
  [`ada@d${label63}.com`, false],
  [`${'a'.repeat(64)}@${longestDomain}`, true], // 254 characters
  [`${'a'.repeat(64)}@${longestDomain}m`, false], // 255
  ['ada', false],
  ['@', false],
  ['@example.com', false],
  ['ada@', false],
  ['ada@@example.com', false],
  ['ada@example@example.com', false],
  ['ada@localhost', false],
  ['ada@.example.com', false],
  ['ada@example.com.', false],
  ['ada@example..com', false],
  ['ada@-example.com', false],
  ['ada@example-.com', false],
  ['ada@exa_mple.com', false],
  ['ada@192.0.2.10', false],
  ['ada@[192.0.2.10]', false],
  ['.ada@example.com', false],
  ['ada.@example.com', false],
  ['a..da@example.com', false],
  ['"ada"@example.com', false],
  ['"a da"@example.com', false],
  ['a da@example.com', false],
  ['ada@exam ple.com', false],
  [' ada@example.com', false],
  ['ada@example.com ', false],
  ['ada@example.com\n', false],
  ['ada\r\nbcc:x@example.com', false],
  ['ada\u0000@example.com', false],
  ['ada\u200b@example.com', false], // a zero-width space
  ['Ada <ada@example.com>', false],
  ['mailto:ada@example.com', false],
  ['ada@example.com,bob@example.com', false],
  ['', false],
] as const;
for (const [text, expected] of rows) {
  const shown = text.length > 60 ? `${text.slice(0, 20)}… (${text.length})` : text;
  test(`${JSON.stringify(shown)} is ${expected ? '' : 'not '}an e-mail address`, () => {
    expect(isEmail(text)).toBe(expected);
  });
}

const hostile = [
  'a'.repeat(1e5),
  '@'.repeat(1e5),
  '.'.repeat(1e5),
  'a.'.repeat(5e4),
  `${'a.'.repeat(5e4)}@example.com`,
  `ada@${'a.'.repeat(5e4)}`,
  `ada@${'-'.repeat(1e5)}`,
  `ada@${'1.'.repeat(5e4)}`,
  'é'.repeat(1e5),
];
for (const text of hostile) {
  test(`100 kB of ${JSON.stringify(text.slice(0, 8))} is refused, at a cost that grows with its length`, async () => {
    expect(isEmail(text)).toBe(false);
    expect(await costGrowth(text, isEmail)).toBeLessThanOrEqual(GROWTH_MAX);
  });
}

test.each([
  // given, stored, as an account address
  [' Ada.Example@Example.COM ', 'Ada.Example@example.com', 'ada.example@example.com'],
  ['zoe\u0308@example.com', 'zo\u00eb@example.com', 'zo\u00eb@example.com'],
  ['ada@MU\u0308LLER.example', 'ada@m\u00fcller.example', 'ada@m\u00fcller.example'],
  ['ZOE\u0308@example.com', 'ZO\u00cb@example.com', 'zo\u00eb@example.com'],
  ['no address', 'no address', 'no address'],
])('%j is kept as %j, and of an account as %j; twice is the same', (given, kept, account) => {
  expect(normaliseEmail(given)).toBe(kept);
  expect(accountEmail(given)).toBe(account);
  expect([normaliseEmail(kept), accountEmail(account)]).toEqual([kept, account]);
});
