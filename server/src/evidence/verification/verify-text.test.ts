// VERIFY.txt: the verifier recognises every text that a release wrote, and no other.
import { expect, test } from 'vitest';
import { sha256Of } from './verify-evidence.ts';
import { isVerifyText, verifyText } from './verify-text.ts';

const statement = { issuer: 'https://trefoil.example.com', kid: '1O4_v43qy_rU0d0FnoK1uqP3_OW65vIjCmCLBoy8sb4' };
const text = verifyText(statement);
const judge = (changed: string) => isVerifyText(sha256Of, new TextEncoder().encode(changed), statement);

test('the text of this release is on the list: a changed text needs a digest of its own, and the old ones stay', async () => {
  expect(await judge(text)).toBe(true);
});

for (const [name, changed] of [
  ['another address', text.replaceAll('https://trefoil.example.com', 'https://trefoil.example.net')],
  ['another address in one place', text.replace('https://trefoil.example.com', 'https://trefoil.example.net')],
  ['a longer address', text.replaceAll('trefoil.example.com', 'trefoil.example.com.evil.example')],
  ['another key', text.replaceAll(statement.kid, 'x'.repeat(43))],
  ['the marks of the template', text.replaceAll(statement.issuer, '{issuer}')],
  ['one letter more', `${text} `],
  ['a byte order mark', `\uFEFF${text}`],
  ['nothing', ''],
] as const) {
  test(`not ours: ${name}`, async () => expect(await judge(changed)).toBe(false));
}
