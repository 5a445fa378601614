// What is posted to webhook endpoints: one message for each type of event, and the test message. A message is the event as
// the feed shows it (events.ts), so its schema is made of the same parts; here is only which type has which data.
import { EVENT_TYPES, Event, EventData, type EventType } from './events.ts';
import type { ShownStatus } from './vocabulary.ts';

export const TEST_MESSAGE_TYPE = 'webhook.test';

type Json = Record<string, unknown>;
/** The feed alone has references. */
type Field = Exclude<keyof EventData, 'externalReference'>;
const FIELDS = (Object.keys(EventData.properties) as (keyof EventData)[]).filter(
  (field) => field !== 'externalReference',
);

export type WebhookMessage = {
  readonly type: EventType | typeof TEST_MESSAGE_TYPE;
  /** When it is sent, as the end of a sentence. */
  readonly when: string;
  readonly schema: Json;
  readonly example: Json;
};

type Kind = {
  readonly when: string;
  /** In every event of the type. */
  readonly always: readonly Field[];
  /** Others that it may have: some only in live mode, and none of them in events of a release that did not write them. */
  readonly also?: readonly Field[];
  readonly status?: ShownStatus;
};

const report = (when: string, status: ShownStatus, also: readonly Field[] = []): Kind => ({
  ...{ when, status, also: ['cost', ...also] },
  always: ['creditReportId', 'status', ...(status === 'failed' ? (['failureReason'] as const) : [])],
});
const message = (when: string): Kind => ({
  ...{ when, always: ['creditReportId'] },
  also: ['challengeId', 'messageId'],
});

const KINDS: Readonly<Record<EventType, Kind>> = {
  'credit-report.completed': report('the report is there', 'complete'),
  'credit-report.challenged': report('the consumer must enter a code', 'authentication-required', ['challengeId']),
  'credit-report.blocked': report('screening refused the request', 'blocked'),
  'credit-report.failed': report('there is no report, for another reason', 'failed'),
  'credit-report.expired': report('no right code came within five minutes', 'failed'),
  'challenge.sent': message('a message with a code was queued'),
  'challenge.delivered': message('the message was delivered: by its receipt, or because its code was right'),
  'challenge.undelivered': message('the message was not delivered, or the carrier did not say'),
  'challenge.verified': {
    when: 'the right code was entered',
    always: ['creditReportId'],
    also: ['challengeId'],
  },
  'wallet.charged': {
    when: 'a report or a delivered message was charged',
    always: ['creditReportId'],
    also: ['messageId', 'amount'],
  },
  'wallet.refunded': {
    when: 'a charge was refunded, in full or in part',
    always: ['creditReportId'],
    also: ['amount'],
  },
  'wallet.topped-up': { when: 'credits were added', always: [], also: ['amount'] },
  'wallet.adjusted': { when: 'the operator corrected the balance, up or down', always: [], also: ['amount'] },
  'wallet.low': { when: 'the balance fell below the threshold of the tenant', always: ['balance', 'threshold'] },
};

const VALUES: Readonly<Record<Exclude<Field, 'status'>, unknown>> = {
  creditReportId: '01998a3e-7c10-7b11-8c22-3d4e5f607182',
  challengeId: '01998a3e-8d21-7c22-9d33-4e5f60718293',
  messageId: '01998a3e-9e32-7d33-8e44-5f6071829304',
  failureReason: 'no-bureau-answered',
  cost: 2_000,
  amount: 2_000,
  balance: 48_600,
  threshold: 50_000,
};
/** What differs from the values above. */
const OTHER_VALUES: Partial<Record<EventType, Json>> = {
  'credit-report.blocked': { cost: 0 },
  'credit-report.failed': { cost: 0 },
  'credit-report.expired': { cost: 0, failureReason: 'expired' },
  'wallet.charged': { amount: -40 },
  'wallet.topped-up': { amount: 50_000 },
  'wallet.adjusted': { amount: -1_500 },
};

const { properties } = Event;

/** All fields of an event are always there; `data` differs by type. */
const schemaOf = (type: string, id: unknown, data: Json): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, id, type: { type: 'string', const: type, description: 'What happened.' }, data },
});

const exampleOf = (id: string, type: string, data: Json): Json => ({
  id,
  type,
  createdAt: '2026-03-02T10:15:00.123Z',
  tenantId: '01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
  test: false,
  data,
});

function messageOf(type: EventType): WebhookMessage {
  const { when, always, also = [], status } = KINDS[type];
  // In the order of the feed's schema.
  const fields = FIELDS.filter((field) => always.includes(field) || also.includes(field));
  const shapes = fields.map((field) => {
    const { enum: _, ...shape }: Json = { ...EventData.properties[field] };
    return [field, field === 'status' ? { ...shape, const: status } : shape] as const;
  });
  const description = 'Ids, status and credits. Read the report for everything else.';
  const data = { type: 'object', description, required: always, properties: Object.fromEntries(shapes) };
  const values = { ...VALUES, status, ...OTHER_VALUES[type] };
  const shown = Object.fromEntries(fields.map((field) => [field, values[field]]));
  return {
    ...{ type, when },
    schema: schemaOf(type, properties.id, data),
    example: exampleOf('evt_94d049bb133111eb', type, shown),
  };
}

const testMessage: WebhookMessage = {
  type: TEST_MESSAGE_TYPE,
  when: 'you asked for a test of the endpoint. It is no event, so the feed does not have it',
  schema: schemaOf(
    TEST_MESSAGE_TYPE,
    { type: 'string', pattern: '^evt_test_[0-9a-f]{16}$', description: 'Identifies the test.' },
    { type: 'object', description: 'Empty.', maxProperties: 0 },
  ),
  example: exampleOf('evt_test_3c6ef372fe94f82a', TEST_MESSAGE_TYPE, {}),
};

export const WEBHOOK_MESSAGES: readonly WebhookMessage[] = [...EVENT_TYPES.map(messageOf), testMessage];
