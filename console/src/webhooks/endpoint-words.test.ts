import type { WebhookDelivery, WebhookReplay } from '@trefoil/sdk';
import { expect, test } from 'vitest';
import { figuresOf, formatSpan, reachedShare, statesShown } from './endpoint-words.ts';

const delivery = (state: WebhookDelivery['state'], ...times: number[]): WebhookDelivery => ({
  ...{ id: '1', endpointId: '2', eventId: 'evt_1', eventType: 'wallet.low', state },
  ...{ createdAt: '2026-09-17T13:00:00.000Z', nextAttemptAt: null, waitsFor: null, settledAt: null },
  attempts: times.map((timeTakenMs) => ({
    ...{ startedAt: '2026-09-17T13:00:00.000Z', timeTakenMs, status: 200, answer: '', error: null },
  })),
});

test('figures count each state, and take the middle of the newest attempts', () => {
  const all = [
    delivery('delivered', 90, 9_000),
    delivery('failed', 300),
    delivery('delivered', 100),
    delivery('pending'),
    delivery('waiting'),
  ];
  expect(figuresOf(all)).toEqual({ pending: 1, waiting: 1, delivered: 2, failed: 1, typicalMs: 100 });
  expect(figuresOf([delivery('pending')]).typicalMs).toBeUndefined();
});

test.each([
  ['enabled', undefined, ['pending', 'delivered', 'failed']],
  ['disabled', undefined, ['waiting', 'delivered', 'failed']],
  ['confirming', undefined, ['waiting', 'delivered', 'failed']],
  // The message that decides whether it is enabled.
  ['confirming', 'pending', ['pending', 'waiting', 'delivered', 'failed']],
] as const)('an endpoint that is %s, with a delivery that is %s, has these states: %j', (status, told, states) => {
  expect(statesShown({ status }, (state) => state === told)).toEqual(states);
});

test('times are short', () => {
  expect([formatSpan(999), formatSpan(10_040)]).toEqual(['999 ms', '10.0 s']);
});

const [NOON, ONE, FOUR] = ['2026-09-17T12:00:00.000Z', '2026-09-17T13:00:00.000Z', '2026-09-17T16:00:00.000Z'];
test.each([
  ['nothing yet', { reachedAt: null, until: ONE }, 0],
  ['to an end', { reachedAt: ONE, until: FOUR }, 0.25],
  ['to now, which is two', { reachedAt: ONE, until: null }, 0.5],
  ['further than a clock that is slow', { reachedAt: FOUR, until: null }, 1],
  ['no time at all', { reachedAt: NOON, until: NOON }, 0],
] as const)('how far events are sent again, %s: %j is %d', (_, times, share) => {
  const replay: WebhookReplay = {
    ...{ status: 'running', since: NOON, onlyFailed: false, startedAt: ONE, queued: 0 },
    ...times,
  };
  expect(reachedShare(replay, Date.parse('2026-09-17T14:00:00.000Z'))).toBe(share);
});
