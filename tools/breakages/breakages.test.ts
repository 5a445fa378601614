// Keeps the breakages applicable between the rare full runs: a change that moves the code they edit fails here.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BREAKAGES } from './breakages.ts';
import { applyEdit, editedFiles } from './copy.ts';
import type { RowResult } from './kit.ts';
import { isFine, judgeBreakage, judgeControl } from './verdict.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const REQUIRED = [
  'attempts off by one',
  'attempts reset by resend',
  'sends off by one',
  'resend does not move the expiry',
  'expiry not checked',
  'wrong code after the third judged',
  'challenge of another report accepted',
  "other tenant's report found",
  '`challengeType` on OTP submit',
  'wallet on resend',
  'cost not 0',
  'e-mail prefix case-sensitive',
  'domain not ignored',
  'premises rule dropped',
  '`challengeOptions` accepted outside test mode',
  'blocked as an HTTP error',
  'error body enveloped',
  'replay of an idempotency key with another body accepted',
  'coverage lost when a report is read',
];

for (const breakage of BREAKAGES) {
  test(`${breakage.id} still applies: each text to replace occurs exactly once`, async () => {
    const texts = await editedFiles(ROOT, breakage);
    expect(texts.size).toBeGreaterThan(0);
    for (const file of texts.keys()) expect(file).not.toMatch(/^(conformance|tools)\//);
  });
}

test('every promise of the required list is broken by at least one breakage, and nothing else is', () => {
  expect(new Set(BREAKAGES.map(({ breaks }) => breaks))).toEqual(new Set(REQUIRED));
});

test('ids are unique, fit a folder name and are not those of the unbroken copies', () => {
  const ids = BREAKAGES.map(({ id }) => id);
  expect(new Set([...ids, 'control', 'unbroken']).size).toBe(ids.length + 2);
  for (const id of ids) expect(id).toMatch(/^[a-z-]+$/);
});

test('an edit is taken literally and refused when its text is missing or stands twice', () => {
  const edit = { file: 'x.ts', find: '$a', replace: "$& $' $1" };
  expect(applyEdit('1 $a 2', edit)).toBe("1 $& $' $1 2");
  expect(() => applyEdit('1 2', edit)).toThrow('occurs 0 times in x.ts');
  expect(() => applyEdit('$a $a', edit)).toThrow('occurs 2 times in x.ts');
});

const row = (id: string, status: RowResult['status']): RowResult => ({ id, status, detail: 'why' });

test('a breakage is caught by a row about its promise, not by any red row', () => {
  const breakage = { rows: /^otp\// };
  const caught = judgeBreakage(breakage, [row('a/b', 'failed'), row('otp/x', 'failed'), row('otp/y', 'passed')]);
  expect(caught).toEqual({ kind: 'caught', rows: ['otp/x', 'a/b'], detail: 'why' });
  const elsewhere = judgeBreakage(breakage, [row('a/b', 'failed'), row('otp/x', 'passed')]);
  expect(elsewhere.kind).toBe('not-caught');
  expect(isFine(elsewhere)).toBe(false);
});

test('the unbroken copy is green only when every row ran and passed, apart from slow rows in a fast run', () => {
  const results = [row('otp/x', 'passed'), row('slow/y', 'skipped')];
  expect(judgeControl('fast', results).kind).toBe('green');
  expect(judgeControl('everything', results).kind).toBe('not-green');
  expect(judgeControl('fast', [...results, row('tenant/z', 'skipped')]).kind).toBe('not-green');
  expect(judgeControl('fast', [...results, row('otp/z', 'failed')]).kind).toBe('not-green');
  expect(judgeControl('fast', []).kind).toBe('not-green');
});
