import { expect, test } from 'vitest';
import { newTotpSecret, showTotp, stepOf } from './totp.ts';

// RFC 6238, appendix B: SHA-1 and this secret. We use the last six of its eight digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1_000);

const rows = [
  // seconds, code, step
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
] as const;
for (const [seconds, code, step] of rows) {
  test(`at ${seconds} s the code ${code} is right, also a step early and late, and not two`, () => {
    expect(stepOf(SECRET, code, at(seconds))).toBe(step);
    expect(stepOf(SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, at(seconds))).toBe(step);
    expect(stepOf(SECRET, code, at(seconds - 30))).toBe(step);
    expect(stepOf(SECRET, code, at(seconds + 30))).toBe(step);
    if (step > 1) expect(stepOf(SECRET, code, at(seconds - 60))).toBeUndefined();
    expect(stepOf(SECRET, code, at(seconds + 60))).toBeUndefined();
  });
}

test('what is no code is wrong', () => {
  for (const code of ['', '28708', '2870822', 'abcdef', '287083', '٢٨٧٠٨٢']) {
    expect(stepOf(SECRET, code, at(59))).toBeUndefined();
  }
});

test('a new secret has 160 bits, and the page shows it as a picture and in groups', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(secret);
  const { qrCode, letters } = showTotp(secret, 'a@example.com');
  expect(letters).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  expect(qrCode).toMatch(/^<svg /);
  // The pages' content policy would drop a style, and nothing in the QR code may run.
  expect(qrCode).not.toMatch(/style=|<script|on\w+=/);
});
