// Examples for the operations on webhooks.
import type { Examples } from './examples.ts';

const unmetered = (data: object) => ({ meta: { request: { timeTakenMs: 6 } }, data });

const endpoint = {
  id: '01998a50-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  url: 'https://hooks.example.com/trefoil',
  description: 'Claims portal',
  eventTypes: ['credit-report.completed', 'credit-report.failed'],
  test: false,
  ordered: true,
  status: 'enabled',
  disabledReason: null,
  retrying: 0,
  createdBy: '01998a00-0000-7000-8000-0000000000ab',
  createdAt: '2026-03-02T10:15:00.123Z',
  replay: null,
};
const failing = {
  ...endpoint,
  id: '01998a51-2b3c-7d4e-9f50-6b7c8d9e0f1a',
  url: 'https://old.example.com/events',
  description: '',
  eventTypes: null,
  ordered: false,
  status: 'disabled',
  disabledReason: 'failing',
  retrying: 12,
};
const secret = 'whsec_RXhhbXBsZU9ubHlFeGFtcGxlT25seUV4YW1wbGVPbmw=';

const delivery = {
  id: '01998a60-3c4d-7e5f-8061-7c8d9e0f1a2b',
  endpointId: endpoint.id,
  eventId: 'evt_9e3779b97f4a7c15',
  eventType: 'credit-report.completed',
  state: 'delivered',
  createdAt: '2026-03-02T10:20:00.456Z',
  nextAttemptAt: null,
  waitsFor: null,
  settledAt: '2026-03-02T10:20:06.012Z',
  attempts: [
    { startedAt: '2026-03-02T10:20:05.900Z', timeTakenMs: 112, status: 204, answer: '', error: null },
    {
      startedAt: '2026-03-02T10:20:00.700Z',
      timeTakenMs: 95,
      status: 500,
      answer: 'Internal Server Error',
      error: 'The receiver answered 500.',
    },
  ],
};
const queued = {
  ...delivery,
  id: '01998a61-4d5e-7f60-9172-8d9e0f1a2b3c',
  eventId: 'evt_test_3c6ef372fe94f82a',
  eventType: 'webhook.test',
  state: 'pending',
  nextAttemptAt: '2026-03-02T10:21:00.000Z',
  waitsFor: null,
  settledAt: null,
  attempts: [],
};

export const endpointExamples: Examples = {
  endpoint: { summary: 'An endpoint', value: unmetered(endpoint) },
  replayed: {
    summary: 'With its last replay',
    value: unmetered({
      ...endpoint,
      replay: {
        ...{ status: 'ended', since: '2026-03-02T06:00:00.000Z', until: null, onlyFailed: true },
        ...{ startedAt: '2026-03-02T10:30:00.000Z', reachedAt: '2026-03-02T10:29:58.100Z', queued: 12 },
      },
    }),
  },
};
export const endpointsExamples: Examples = {
  page: { summary: 'The last page', value: unmetered({ items: [failing, endpoint], nextCursor: null }) },
};
export const endpointSecretExamples: Examples = {
  secret: { summary: 'With the secret', value: unmetered({ ...endpoint, secret }) },
};
export const createdEndpointExamples: Examples = {
  ...endpointSecretExamples,
  repeat: {
    summary: 'A repeat with the same key',
    value: unmetered({
      ...endpoint,
      notice: 'The secret was in the first answer and is not shown again. If you do not have it, rotate the secret.',
    }),
  },
};
export const createEndpointExamples: Examples = {
  all: { summary: 'All events of live mode', value: { url: 'https://hooks.example.com/trefoil' } },
  some: {
    summary: 'Finished reports, in order',
    value: {
      url: 'https://hooks.example.com/trefoil',
      description: 'Claims portal',
      eventTypes: ['credit-report.completed', 'credit-report.failed'],
      ordered: true,
    },
  },
  test: { summary: 'Test mode', value: { url: 'https://staging.example.com/trefoil', test: true } },
};
export const changeEndpointExamples: Examples = {
  enable: { summary: 'Enable it again: what waits is sent', value: { status: 'enabled' } },
  types: { summary: 'All types', value: { eventTypes: null } },
};
export const deletedEndpointExamples: Examples = {
  deleted: { summary: 'It is gone', value: unmetered({ id: endpoint.id }) },
};
const replay = {
  status: 'running',
  since: '2026-03-02T06:00:00.000Z',
  until: null,
  onlyFailed: false,
  startedAt: '2026-03-02T10:30:00.000Z',
  reachedAt: null,
  queued: 0,
};
export const replayExamples: Examples = {
  since: { summary: 'Since this morning', value: { since: '2026-03-02T06:00:00Z' } },
  failed: {
    summary: 'What was given up in one hour',
    value: { since: '2026-03-02T06:00:00Z', until: '2026-03-02T07:00:00Z', onlyFailed: true },
  },
};
export const replayedExamples: Examples = {
  queued: { summary: 'It runs in the background', value: unmetered({ id: endpoint.id, ...replay }) },
};
export const testExamples: Examples = {
  plain: { summary: 'A test message', value: {} },
  typed: { summary: 'As if a report had failed', value: { type: 'credit-report.failed' } },
};
export const deliveryExamples: Examples = {
  delivery: {
    summary: 'It is sent again',
    value: unmetered({
      ...delivery,
      state: 'pending',
      nextAttemptAt: '2026-03-02T11:00:00.000Z',
      waitsFor: null,
      settledAt: null,
    }),
  },
};
export const sentDeliveryExamples: Examples = {
  delivery: {
    summary: 'Delivered at the second attempt',
    value: unmetered({
      ...delivery,
      request: {
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Trefoil-Webhooks/0.1.0',
          'webhook-id': delivery.eventId,
          'webhook-timestamp': '1772446805',
        },
        body:
          `{"id":"${delivery.eventId}","type":"credit-report.completed","createdAt":"2026-03-02T10:20:00.123Z",` +
          '"tenantId":"01997c2e-5a10-7bd3-9c4e-2f60d81b7a35","test":false,' +
          '"data":{"creditReportId":"01998a3e-7c10-7b11-8c22-3d4e5f607182","status":"complete","cost":2000}}',
      },
    }),
  },
};
export const testDeliveryExamples: Examples = { queued: { summary: 'It is queued', value: unmetered(queued) } };
const waiting = {
  ...queued,
  id: '01998a62-5e6f-7071-8283-9e0f1a2b3c4d',
  eventId: 'evt_3c6ef372fe94f82a',
  eventType: 'credit-report.failed',
  state: 'waiting',
  nextAttemptAt: null,
};
export const deliveriesExamples: Examples = {
  page: { summary: 'The last page', value: unmetered({ items: [queued, delivery], nextCursor: null }) },
  disabled: {
    summary: 'Of a disabled endpoint',
    value: unmetered({ items: [waiting, delivery], nextCursor: null }),
  },
};
