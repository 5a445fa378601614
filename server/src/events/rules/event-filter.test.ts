import { EVENT_TYPES } from '@trefoil/contract';
import { describe, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { DISORDER_MS, earliestOf, parseTypes, timeOfId } from './event-filter.ts';

describe('types', () => {
  const rows = [
    ['wallet.low', ['wallet.low']],
    ['credit-report.completed, wallet.low', ['report.completed', 'wallet.low']],
    ['challenge', ['challenge.sent', 'challenge.delivered', 'challenge.undelivered', 'challenge.verified']],
    ['wallet,wallet.low', ['wallet.charged', 'wallet.refunded', 'wallet.topped-up', 'wallet.adjusted', 'wallet.low']],
    // The stored names are ours alone.
    ['report.completed', undefined],
    ['wallet.low,', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['WALLET', undefined],
  ] as const;
  for (const [list, expected] of rows) test(`"${list}"`, () => expect(parseTypes(list)).toEqual(expected));

  test('every public type can be asked for', () => {
    for (const type of EVENT_TYPES) expect(parseTypes(type), type).toHaveLength(1);
  });
});

test('the time of a report is in its id', () => {
  const at = new Date('2026-03-02T10:15:00.123Z');
  expect(timeOfId(newId(at.getTime()))).toEqual(at);
  expect(timeOfId('6f1c1c36-1b3e-4f2a-9d3c-0a4c2e5b7a10')).toBeUndefined();
  // PostgreSQL reads no year after 9999 in this form.
  expect(timeOfId('ffffffff-ffff-7fff-bfff-ffffffffffff')).toBeUndefined();
});

test('a search begins at the later of the two times, with a margin', () => {
  const [early, late] = [new Date('2026-03-02T10:00:00Z'), new Date('2026-03-02T11:00:00Z')];
  const start = new Date(late.getTime() - DISORDER_MS);
  expect(earliestOf(late, newId(early.getTime()))).toEqual(start);
  expect(earliestOf(early, newId(late.getTime()))).toEqual(start);
  expect(earliestOf(undefined, undefined)).toBeUndefined();
  expect(earliestOf(new Date(0), undefined)).toEqual(new Date(0));
});
