import type { TimelineResponse } from '@trefoil/sdk';
import { expect, test } from 'vitest';
import { barsOf, costOf, durationOf, formatSpan, stepsOf } from './timeline-steps.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 2, 2, 10, 15) + ms).toISOString();
const DATA: TimelineResponse['data'] = {
  creditReportId: '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90',
  status: 'complete',
  test: false,
  source: 'console',
  isPurged: false,
  mobileEnding: '123',
  bureaus: [
    { bureau: 'equifax', outcome: 'ok', answeredAt: at(42_000) },
    { bureau: 'experian', outcome: 'unavailable', answeredAt: null },
    { bureau: 'transunion', outcome: 'no-trace', answeredAt: at(41_400) },
  ],
  items: [
    { kind: 'requested', at: at(0) },
    { kind: 'report-charged', at: at(100), credits: 2_000 },
    { kind: 'message-sent', at: at(200), message: 1 },
    { kind: 'message-undelivered', at: at(900), message: 1 },
    { kind: 'message-sent', at: at(9_000), message: 2 },
    { kind: 'message-delivered', at: at(11_200), message: 2 },
    { kind: 'message-charged', at: at(11_201), message: 2, credits: 40 },
    { kind: 'code-verified', at: at(41_000) },
    { kind: 'report-refunded', at: at(43_000), credits: 600 },
    { kind: 'completed', at: at(43_100) },
    { kind: 'something-new' as 'erased', at: at(50_000) },
  ],
};

test('each step with its words; charges are told with what they are for; a kind that is not known is left out', () => {
  expect(stepsOf(DATA).map(({ title, details }) => [title, ...details])).toEqual([
    ['Requested', 'Through the console', '£2.00 charged'],
    ['Text sent', 'To the number ending 123'],
    ['Text not delivered'],
    ['Text sent (2)', 'To the number ending 123'],
    ['Text delivered (2)', '2.2 s after it was sent', '£0.04 charged'],
    ['Right code'],
    ['Refunded', '£0.60'],
    ['Complete'],
  ]);
  expect(durationOf(DATA)).toBe('43.1 s');
});

test('a report costs its charge without the refund; texts are not included', () => {
  expect(costOf(DATA)).toBe(1_400);
  expect(costOf({ ...DATA, items: [{ kind: 'requested', at: at(0) }] })).toBe(0);
});

test('the charge of a text is told with its text, also where it comes before the delivery; one that fits none is a step', () => {
  const items = [
    { kind: 'message-sent' as const, at: at(0), message: 1 },
    { kind: 'message-charged' as const, at: at(1_000), message: 2, credits: 40 },
    { kind: 'message-delivered' as const, at: at(1_001), message: 2 },
    { kind: 'message-charged' as const, at: at(1_002), message: 1, credits: 50 },
    { kind: 'message-charged' as const, at: at(1_003), message: 3, credits: 60 },
    { kind: 'message-delivered' as const, at: at(1_004), message: 1 },
    { kind: 'report-charged' as const, at: at(1_005), credits: 2_000 },
  ];
  expect(stepsOf({ ...DATA, mobileEnding: null, items }).map(({ title, details }) => [title, ...details])).toEqual([
    ['Text sent'],
    ['Text delivered (2)', '£0.04 charged'],
    ['Text charged (3)', '£0.06'],
    ['Text delivered', '1.0 s after it was sent', '£0.05 charged'],
    ['Report charged', '£2.00'],
  ]);
});

test('test mode sends no text, and says so; what took no time has none', () => {
  const items = (['requested', 'message-sent', 'message-delivered', 'code-verified', 'completed'] as const).map(
    (kind) => ({ kind, at: at(0), ...(kind.startsWith('message') && { message: 1 }) }),
  );
  const bureaus = [{ bureau: 'equifax', outcome: 'ok', answeredAt: at(0) }] as const;
  const data = { ...DATA, test: true, mobileEnding: null, bureaus: [...bureaus], items };
  expect(stepsOf(data).map(({ title, details }) => [title, ...details])).toEqual([
    ['Requested', 'Through the console'],
    ['Text, as if sent'],
    ['Text, as if delivered'],
    ['Right code'],
    ['Complete'],
  ]);
  expect(durationOf(data)).toBeUndefined();
  expect(barsOf(data)).toEqual([{ bureau: 'equifax', outcome: 'ok', span: undefined, share: 0 }]);
});

test('a step of another day has its date', () => {
  const items = [
    { kind: 'requested' as const, at: at(0) },
    { kind: 'erased' as const, at: at(30 * 86_400_000) },
  ];
  expect(stepsOf({ ...DATA, items }).map(({ details }) => details)).toEqual([['Through the console'], ['1 Apr 2026']]);
});

test('the bars begin with the right code, since no bureau is asked before; without a time there is none', () => {
  expect(barsOf(DATA)).toEqual([
    { bureau: 'equifax', outcome: 'ok', span: '1.0 s', share: 1 },
    { bureau: 'experian', outcome: 'unavailable', span: undefined, share: 0 },
    { bureau: 'transunion', outcome: 'no-trace', span: '400 ms', share: 0.4 },
  ]);
  const { bureaus: _, ...forFinance } = DATA;
  expect(barsOf(forFinance)).toEqual([]);
});

test.each([
  [612, '612 ms'],
  [2_940, '2.9 s'],
  [243_000, '4 min 3 s'],
])('%i ms is %o', (ms, words) => {
  expect(formatSpan(ms)).toBe(words);
});
