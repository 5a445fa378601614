// Answers of the API for webhook endpoints and their deliveries, by path without the company.
import type { components, WebhookDelivery, WebhookEndpoint } from '@trefoil/sdk';
import { type Answer, REPORT, TENANT } from './answers.ts';

type Schemas = components['schemas'];

const meta = { request: { timeTakenMs: 1 } };
export const ENDPOINT = '01998a00-4c20-7a11-9b3e-0000000000e1';
export const TEST_ENDPOINT = '01998a00-4c20-7a11-9b3e-0000000000e3';
const at = (minutes: number) => new Date(Date.UTC(2026, 8, 17, 13, 31) - minutes * 60_000).toISOString();

export const endpoint = (changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: ENDPOINT,
  url: 'https://hooks.northgate.example/credit',
  description: 'Reporting warehouse',
  eventTypes: ['credit-report.completed', 'credit-report.failed', 'credit-report.blocked', 'wallet.low'],
  test: false,
  ordered: true,
  status: 'enabled',
  disabledReason: null,
  retrying: 0,
  createdBy: null,
  createdAt: '2026-07-15T09:00:00.000Z',
  replay: null,
  ...changes,
});
export const endpoints: readonly WebhookEndpoint[] = [
  endpoint(),
  endpoint({
    id: '01998a00-4c20-7a11-9b3e-0000000000e2',
    url: `https://receiver.example.com/a-path-that-is-rather-long/${'0123456789abcdef'.repeat(4)}`,
    description: '',
    eventTypes: null,
    ordered: false,
    status: 'disabled',
    disabledReason: 'failing',
  }),
  endpoint({ id: TEST_ENDPOINT, url: 'https://staging.northgate.example/credit', test: true }),
];

type Attempt = WebhookDelivery['attempts'][number];
const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  startedAt: at(1),
  timeTakenMs: 96,
  status: 200,
  answer: '',
  error: null,
  ...changes,
});
const FAILED = { status: 503, answer: '{"error":"upstream unavailable"}', error: 'The receiver answered 503.' };
const LATE = { status: null, answer: null, error: 'No answer within 15 seconds.', timeTakenMs: 15_002 };

let next = 0;
function delivery(changes: Partial<WebhookDelivery> = {}): WebhookDelivery {
  next += 1;
  return {
    id: `01998a00-4c20-7a11-9b3e-0000000de${String(next).padStart(3, '0')}`,
    endpointId: ENDPOINT,
    eventId: `evt_9e3779b97f4a7${String(next).padStart(3, '0')}`,
    eventType: 'credit-report.completed',
    state: 'delivered',
    createdAt: at(next * 4),
    nextAttemptAt: null,
    waitsFor: null,
    settledAt: at(next * 4),
    attempts: [attempt({ startedAt: at(next * 4), timeTakenMs: 80 + next * 3 })],
    ...changes,
  };
}
/** Far enough ahead that the page does not ask again at once. */
const LATER = new Date(Date.now() + 11.5 * 60_000).toISOString();
const PENDING = { state: 'pending', nextAttemptAt: LATER, settledAt: null } as const;
const WAITING = { state: 'waiting', nextAttemptAt: null } as const;

const deliveries = [
  delivery({ eventType: 'webhook.test' }),
  delivery({
    ...PENDING,
    attempts: [attempt({ ...FAILED, startedAt: at(2) }), attempt({ ...LATE, startedAt: at(7) })],
  }),
  delivery({ ...PENDING, attempts: [] }),
  delivery({ state: 'failed', attempts: [attempt({ ...LATE, startedAt: at(40) })] }),
  ...Array.from({ length: 4 }, () => delivery()),
  delivery({ eventType: 'wallet.low' }),
  delivery({ eventType: 'something.new' }),
];

/** One that was attempted twice, and its request. */
const tried = deliveries[1] ?? delivery();
export const TRIED = { eventId: tried.eventId, path: `webhook-endpoints/deliveries/${tried.id}` };
export const request: Schemas['WebhookRequest'] = {
  headers: {
    'content-type': 'application/json',
    'user-agent': 'Trefoil-Webhooks/0.1.0',
    'webhook-id': tried.eventId,
    'webhook-timestamp': '1789651740',
  },
  body:
    `{"id":"${tried.eventId}","type":"credit-report.completed","createdAt":"2026-09-17T13:23:00.123Z","sequence":4712,` +
    `"tenantId":"${TENANT}","test":false,"data":{"creditReportId":"${REPORT}","status":"complete","cost":2000}}`,
};
const listed = (...items: WebhookDelivery[]): Answer => ({
  json: { meta, data: { items, nextCursor: null } } satisfies Schemas['WebhookDeliveriesResponse'],
});
/** That one alone. */
export const ALONE = listed(tried);
/** The ordinary ones, of an endpoint that was disabled since: nothing is pending, and what was waits. */
export const HALTED = listed(...deliveries.map((each) => (each.state === 'pending' ? { ...each, ...WAITING } : each)));
/** What a disabled endpoint has: one that waits, and a test that arrived before. */
export const WAITS = listed(
  delivery({ ...WAITING, settledAt: null, attempts: [] }),
  delivery({ eventType: 'wallet.low', eventId: 'evt_test_3c6ef372fe94f82a' }),
);

type Replay = NonNullable<WebhookEndpoint['replay']>;
export const replay = (changes: Partial<Replay> = {}): Replay => ({
  ...{ status: 'running', since: at(180), until: at(60), onlyFailed: true },
  ...{ startedAt: at(1), reachedAt: at(150), queued: 12 },
  ...changes,
});

/** An endpoint with its secret, as create and rotate answer. */
export const withSecret = (secret: string): Answer => ({ json: { meta, data: { ...endpoint(), secret } } });
export const one = (data: object): Answer => ({ json: { meta, data } });

export const WEBHOOKS: Readonly<Record<string, Answer>> = {
  'webhook-endpoints': {
    json: { meta, data: { items: [...endpoints], nextCursor: null } } satisfies Schemas['WebhookEndpointsResponse'],
  },
  [`webhook-endpoints/${ENDPOINT}`]: { json: { meta, data: endpoint() } satisfies Schemas['WebhookEndpointResponse'] },
  [`webhook-endpoints/${TEST_ENDPOINT}`]: one(endpoints[2] ?? {}),
  [`webhook-endpoints/${ENDPOINT}/deliveries`]: {
    json: { meta, data: { items: deliveries, nextCursor: 'more' } } satisfies Schemas['WebhookDeliveriesResponse'],
  },
  [TRIED.path]: {
    json: { meta, data: { ...tried, request } } satisfies Schemas['SentWebhookDeliveryResponse'],
  },
  [`webhook-endpoints/${TEST_ENDPOINT}/deliveries`]: {
    json: { meta, data: { items: [], nextCursor: null } } satisfies Schemas['WebhookDeliveriesResponse'],
  },
};
/** Where the endpoint's page is. */
export const ENDPOINT_PATH = `/webhooks/${ENDPOINT}`;
export const isOf = (path: string) => (url: URL) => url.pathname === `/${TENANT}/v1/${path}`;
