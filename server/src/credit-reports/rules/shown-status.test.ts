import { REPORT_STATUSES } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { LIFETIME_US } from './challenge.ts';
import { shownStatus, statusesBehind } from './shown-status.ts';

const rows = [
  ['pending', null, 'in-progress'],
  ['fetching', 1, 'in-progress'],
  ['fetching', LIFETIME_US + 1, 'in-progress'],
  ['challenged', 0, 'authentication-required'],
  ['challenged', LIFETIME_US, 'authentication-required'], // the last valid instant
  ['challenged', LIFETIME_US + 1, 'failed'],
  ['expired', LIFETIME_US + 1, 'failed'],
  ['expired', 0, 'failed'],
  ['failed', 0, 'failed'],
  ['failed', null, 'failed'],
  ['blocked', null, 'blocked'],
  ['complete', null, 'complete'],
  ['complete', LIFETIME_US + 1, 'complete'],
] as const;
for (const [status, sinceLastSendUs, shown] of rows) {
  test(`${status}, last message ${sinceLastSendUs ?? 'never'} µs ago: ${shown}`, () => {
    expect(shownStatus({ status, failure: null, sinceLastSendUs })).toBe(shown);
    expect(statusesBehind(shown)).toContain(status);
  });
}

test('challenged, attempts used up, not refunded yet: failed', () => {
  expect(shownStatus({ status: 'challenged', failure: 'attempts-used', sinceLastSendUs: 0 })).toBe('failed');
});

test('every word of the list has states behind it', () => {
  for (const shown of REPORT_STATUSES) expect(statusesBehind(shown).length).toBeGreaterThan(0);
});
