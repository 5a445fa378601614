import { EVENT_TYPES, Event, TEST_MESSAGE_TYPE, WEBHOOK_MESSAGES } from '@trefoil/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { describeEvent } from '../describe-events.ts';
import { type NumberedEvent, storedTypesOf, toPublicEvent } from './public-event.ts';

const tenantId = '01997c2e-5a10-7bd3-9c4e-2f60d81b7a35';
const creditReportId = '01998a3e-7c10-7b11-8c22-3d4e5f607182';
const challengeId = '01998a3e-7c10-7b11-8c22-3d4e5f607183';
const messageId = '01998a3e-7c10-7b11-8c22-3d4e5f607184';

const ID = 'evt_94d049bb133111eb';
const idOf = () => ID;
const row = (type: string, changes: Partial<NumberedEvent> = {}): NumberedEvent => ({
  ...{ id: 7, tenantId, type, subjectId: creditReportId, creditReportId, challengeId: null, isTest: false },
  ...{ amount: null, balance: null, createdAt: new Date('2026-03-02T10:15:00.123Z'), sequence: 4_712 },
  ...changes,
});

const message = { subjectId: messageId, challengeId };
const wallet = { subjectId: tenantId, creditReportId: null };
const rows = [
  // stored, changes; public, data
  [
    'report.completed',
    { amount: 1_400 },
    'credit-report.completed',
    { creditReportId, status: 'complete', cost: 1_400 },
  ],
  [
    'report.challenged',
    { challengeId, amount: 2_000 },
    'credit-report.challenged',
    { creditReportId, challengeId, status: 'authentication-required', cost: 2_000 },
  ],
  ['report.blocked', { amount: 0 }, 'credit-report.blocked', { creditReportId, status: 'blocked', cost: 0 }],
  ['report.failed', { amount: 0 }, 'credit-report.failed', { creditReportId, status: 'failed', cost: 0 }],
  ['report.expired', { amount: 0 }, 'credit-report.expired', { creditReportId, status: 'failed', cost: 0 }],
  ['challenge.sent', message, 'challenge.sent', { creditReportId, challengeId, messageId }],
  ['challenge.delivered', message, 'challenge.delivered', { creditReportId, challengeId, messageId }],
  ['challenge.undelivered', message, 'challenge.undelivered', { creditReportId, challengeId, messageId }],
  ['challenge.verified', { challengeId }, 'challenge.verified', { creditReportId, challengeId }],
  ['wallet.charged', { amount: 1_400 }, 'wallet.charged', { creditReportId, amount: -1_400 }],
  ['wallet.charged', { ...message, amount: 40 }, 'wallet.charged', { creditReportId, messageId, amount: -40 }],
  ['wallet.charged', { amount: 0 }, 'wallet.charged', { creditReportId, amount: 0 }],
  ['wallet.refunded', { amount: 600 }, 'wallet.refunded', { creditReportId, amount: 600 }],
  ['wallet.topped-up', { ...wallet, amount: 5_000 }, 'wallet.topped-up', { amount: 5_000 }],
  ['wallet.adjusted', { ...wallet, amount: -300 }, 'wallet.adjusted', { amount: -300 }],
  ['wallet.low', { ...wallet, amount: 500, balance: 400 }, 'wallet.low', { balance: 400, threshold: 500 }],
  // Test mode has no message to name.
  ['challenge.sent', { challengeId, isTest: true }, 'challenge.sent', { creditReportId, challengeId }],
] as const;

for (const [stored, changes, type, data] of rows) {
  test(`${stored} ${JSON.stringify(changes).replaceAll(/"|01[-\w]+/g, '')}: ${type}`, () => {
    const event = toPublicEvent(row(stored, changes), idOf);
    const test = 'isTest' in changes;
    const head = { id: ID, type, createdAt: '2026-03-02T10:15:00.123Z', sequence: 4_712 };
    const expected = { ...head, tenantId, test, data };
    expect(event).toEqual(expected);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(ajv.validate(JSON.parse(JSON.stringify(Event)), event), JSON.stringify(ajv.errors)).toBe(true);
    const { schema } = WEBHOOK_MESSAGES.find((message) => message.type === type) ?? {};
    const told = event && describeEvent(event, undefined);
    expect(ajv.validate(JSON.parse(JSON.stringify(schema)), told), JSON.stringify(ajv.errors)).toBe(true);
  });
}

test('every public type is behind a stored one, and the table above has them all', () => {
  for (const type of EVENT_TYPES) expect(storedTypesOf(type), type).toHaveLength(1);
  expect(new Set(rows.map(([, , type]) => type))).toEqual(new Set(EVENT_TYPES));
});

test('every event has its credits or its challenge: a row of 0.1.0, which has none, is left out', () => {
  for (const type of ['report.completed', 'report.expired', 'wallet.charged', 'wallet.topped-up'] as const) {
    expect(toPublicEvent(row(type, { challengeId }), idOf), type).toBeUndefined();
  }
  for (const type of ['challenge.sent', 'challenge.verified'] as const) {
    expect(toPublicEvent(row(type, { amount: 5 }), idOf), type).toBeUndefined();
  }
  for (const { type, schema } of WEBHOOK_MESSAGES.filter((message) => message.type !== TEST_MESSAGE_TYPE)) {
    const { data } = (schema as { properties: { data?: { required?: string[] } } }).properties;
    const [kind] = type.split('.');
    const field = { 'credit-report': 'cost', challenge: 'challengeId', wallet: 'amount' }[kind ?? ''];
    expect(data?.required, type).toContain(type === 'wallet.low' ? 'balance' : field);
    expect(data?.required?.includes('challengeId'), type).toBe(/^challenge|challenged$/.test(type));
  }
});

test('a stored type that is not public is left out', () => {
  for (const type of ['report.read', 'constructor', '']) expect(toPublicEvent(row(type), idOf)).toBeUndefined();
});
