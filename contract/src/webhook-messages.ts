// Events told apart by their type, for the document: which type has which data. A webhook posts the event as the feed shows it
// (events.ts), so one schema for each type, made of the same parts, serves both; besides there is the test message.
import { EVENT_TYPES, Event, EventData, type EventType } from './events.ts';
import type { ShownStatus } from './vocabulary.ts';

export const TEST_MESSAGE_TYPE = 'webhook.test';

type Json = Record<string, unknown>;
/** The feed alone has references, for every type that has a report. */
type Field = Exclude<keyof EventData, 'externalReference'>;
const FIELDS = (Object.keys(EventData.properties) as (keyof EventData)[]).filter(
  (field) => field !== 'externalReference',
);

export type WebhookMessage = {
  readonly type: EventType | typeof TEST_MESSAGE_TYPE;
  /** Of its schema in the document. */
  readonly name: string;
  /** When it is sent, as the end of a sentence. */
  readonly when: string;
  readonly schema: Json;
  readonly example: Json;
};

type Kind = {
  readonly when: string;
  /** In every event of the type. */
  readonly always: readonly Field[];
  /** Others that it may have: some only in live mode. */
  readonly also?: readonly Field[];
  readonly status?: ShownStatus;
};

const report = (when: string, status: ShownStatus, more: readonly Field[] = []): Kind => ({
  ...{ when, status },
  always: ['creditReportId', 'status', 'cost', ...more],
});
const message = (when: string): Kind => ({
  ...{ when, always: ['creditReportId', 'challengeId'] },
  also: ['messageId'],
});

const KINDS: Readonly<Record<EventType, Kind>> = {
  'credit-report.completed': report('the report is there', 'complete'),
  'credit-report.challenged': report('the consumer must enter a code', 'authentication-required', ['challengeId']),
  'credit-report.blocked': report('screening refused the request', 'blocked'),
  'credit-report.failed': report('there is no report, for another reason', 'failed', ['failureReason']),
  'credit-report.expired': report('no right code came within five minutes', 'failed', ['failureReason']),
  'challenge.sent': message('a message with a code was queued'),
  'challenge.delivered': message('the message was delivered: by its receipt, or because its code was right'),
  'challenge.undelivered': message('the message was not delivered, or the carrier did not say'),
  'challenge.verified': {
    when: 'the right code was entered',
    always: ['creditReportId', 'challengeId'],
  },
  'wallet.charged': {
    when: 'a report or a delivered message was charged',
    always: ['creditReportId', 'amount'],
    also: ['messageId'],
  },
  'wallet.refunded': {
    when: 'a charge was refunded, in full or in part',
    always: ['creditReportId', 'amount'],
  },
  'wallet.topped-up': { when: 'credits were added', always: ['amount'] },
  'wallet.adjusted': {
    when: 'the balance was corrected, up or down: by the operator, or by a reset of the test wallet',
    always: ['amount'],
  },
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

/** A test of this type has an id of its own kind. */
const messageId: Json = {
  ...Event.properties.id,
  pattern: String(({ ...Event.properties.id } as Json)['pattern']).replace('evt_', 'evt_(test_)?'),
  description:
    'Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for.',
};

/**
 * Below every event: a receiver that keeps the highest sequence then passes over no real event
 * (docs/decisions/0283-looking-into-deliveries.md).
 */
export const TEST_SEQUENCE = 0;
const sequence: Json = {
  ...Event.properties.sequence,
  minimum: TEST_SEQUENCE,
  description: `${({ ...Event.properties.sequence } as Json)['description']} ${TEST_SEQUENCE}: a test that you asked for.`,
};

/** All fields of an event are always there; `data` differs by type. */
const schemaOf = (type: string, when: string, data: Json, fields: Json): Json => ({
  ...{ type: 'object', description: `\`${type}\`: ${when}.` },
  required: Object.keys(fields),
  properties: { ...fields, type: { type: 'string', const: type, description: 'What happened.' }, data },
});

const exampleOf = (id: string, type: string, data: Json, place: Json = {}): Json => ({
  id,
  type,
  createdAt: '2026-03-02T10:15:00.123Z',
  ...place,
  tenantId: '01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
  test: false,
  data,
});

/** `wallet.topped-up` is WalletToppedUp. */
function nameOf(type: string, ending: string): string {
  return type.replaceAll(/(?:^|[.-])([a-z])/g, (_, letter: string) => letter.toUpperCase()) + ending;
}

function messageOf(type: EventType): WebhookMessage {
  const { when, always, also = [], status } = KINDS[type];
  // In the order of the feed's schema.
  const fields = FIELDS.filter((field) => always.includes(field) || also.includes(field));
  const shapes = fields.map((field) => {
    const { enum: _, ...shape }: Json = { ...EventData.properties[field] };
    return [field, field === 'status' ? { ...shape, const: status } : shape] as const;
  });
  const { externalReference } = EventData.properties;
  const reference = always.includes('creditReportId') ? { externalReference } : {};
  const description = 'Ids, status and credits. Read the report for everything else.';
  const fieldsOfData = { ...Object.fromEntries(shapes), ...reference };
  const data = { type: 'object', description, required: always, properties: fieldsOfData };
  const values = { ...VALUES, status, ...OTHER_VALUES[type] };
  const shown = Object.fromEntries(fields.map((field) => [field, values[field]]));
  return {
    ...{ type, when, name: nameOf(type, 'Event') },
    schema: schemaOf(type, when, data, { ...Event.properties, id: messageId, sequence }),
    example: exampleOf('evt_94d049bb133111eb', type, shown, { sequence: 4_712 }),
  };
}

const TEST_WHEN = 'you asked for a test of the endpoint. It is no event, so the feed does not have it';
/** A test is no event: it has no place among them. */
const { sequence: _, ...unplaced } = Event.properties;

const testMessage: WebhookMessage = {
  ...{ type: TEST_MESSAGE_TYPE, when: TEST_WHEN, name: nameOf(TEST_MESSAGE_TYPE, 'Message') },
  schema: schemaOf(
    TEST_MESSAGE_TYPE,
    TEST_WHEN,
    { type: 'object', description: 'Empty.', maxProperties: 0 },
    {
      ...unplaced,
      id: { type: 'string', pattern: '^evt_test_[0-9a-f]{16}$', description: 'Identifies the test.' },
    },
  ),
  example: exampleOf('evt_test_3c6ef372fe94f82a', TEST_MESSAGE_TYPE, {}),
};

const EVENT_MESSAGES = EVENT_TYPES.map(messageOf);

export const WEBHOOK_MESSAGES: readonly WebhookMessage[] = [...EVENT_MESSAGES, testMessage];

/** The mapping is for generators that do not look for constants. */
const unionOf = (description: string, messages: readonly WebhookMessage[]): Json => ({
  description,
  oneOf: messages.map(({ schema }) => schema),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(messages.map(({ type, name }) => [type, `#/components/schemas/${name}`])),
  },
});

const WHICH = '`type` says which fields `data` has. New types may be added: ignore those you do not know.';

/** The schema `Event` of the document. */
export const EVENT_UNION = unionOf(`What happened to a report, a challenge or the wallet. ${WHICH}`, EVENT_MESSAGES);
/** The schema `WebhookMessage` of the document. */
export const WEBHOOK_MESSAGE_UNION = unionOf(
  `What is posted to a webhook endpoint: an event, or the test message. ${WHICH}`,
  WEBHOOK_MESSAGES,
);
