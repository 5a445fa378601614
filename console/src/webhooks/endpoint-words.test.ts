import type { WebhookDelivery } from '@trefoil/sdk';
import { expect, test } from 'vitest';
import { figuresOf, formatSpan, shortUrl } from './endpoint-words.ts';

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
  expect(figuresOf(all)).toEqual({ total: 5, delivered: 2, pending: 2, failed: 1, typicalMs: 100 });
  expect(figuresOf([delivery('pending')]).typicalMs).toBeUndefined();
});

test('times and addresses are short', () => {
  expect([formatSpan(999), formatSpan(10_040)]).toEqual(['999 ms', '10.0 s']);
  expect([shortUrl('https://a.example/b'), shortUrl('')]).toEqual(['a.example/b', 'Address lost']);
});
