import { expect, test } from 'vitest';
import { isGrave } from './print.ts';
import { ROWS } from './rows/all.ts';
import type { Result } from './runner.ts';

const failed = (id: string, detail = 'expected a; saw b'): Result => ({
  ...{ id, title: id, pins: '', status: 'failed', detail },
});

test('failed rows about guesses, keys and other tenants are grave', () => {
  const grave = ROWS.filter(({ id }) => isGrave(failed(id))).map(({ id }) => id);
  expect(grave).toEqual([
    'otp/parallel-wrong',
    'otp/parallel-right',
    'not-found/otp/other-tenants-report',
    'not-found/otp/other-tenants-challenge',
    'not-found/resend/other-tenants-report',
    'not-found/resend/other-tenants-challenge',
    'tenant/foreign',
    'tenant/own-only',
    'account/select-foreign',
    'reading/report-of-another-tenant',
    'reading/foreign-tenant',
    'idempotency/other-tenant',
    'idempotency/parallel',
    'idempotency/wrong-code-once',
  ]);
});

test('a row that passed, could not be checked, or met a busy service is not', () => {
  const row = failed('otp/parallel-wrong');
  expect(isGrave({ ...row, status: 'passed' })).toBe(false);
  expect(isGrave({ ...row, detail: 'could not be checked: fetch failed' })).toBe(false);
  expect(isGrave({ ...row, detail: 'expected 200; saw 503\nlast: POST /x → 503 {}' })).toBe(false);
});
