import { expect, test } from 'vitest';
import { changeText } from './changes.ts';
import { compareDocuments } from './compare.ts';
import type { Schema } from './variants.ts';

const text = { type: 'string' };
const fields = (properties: Schema, ...required: string[]): Schema => ({ type: 'object', properties, required });
const header = (name: string, required = true): Schema => ({ name, in: 'header', required, schema: text });
const sending = (parts: Schema): Schema => ({ paths: {}, webhooks: { 'thing.made': { post: parts } } });
const posting = (schema: Schema, type = 'application/json'): Schema =>
  sending({ requestBody: { content: { [type]: { schema } } } });
const answered = (...statuses: string[]): Schema =>
  sending({ responses: Object.fromEntries(statuses.map((status) => [status, {}])) });

const W = 'webhook thing.made';
type Row = readonly [base: Schema, now: Schema, ...expected: string[]];
const rows: Record<string, Row> = {
  'a message that is gone': [sending({}), { paths: {} }, `breaking: ${W}: the message is gone`],
  'a message that is new': [{ paths: {} }, sending({}), `additive: ${W}: the message is new`],
  'a field that is gone': [
    posting(fields({ id: text, at: text })),
    posting(fields({ id: text })),
    `breaking: ${W}.at: the field is gone`,
  ],
  'a field that is new': [posting(fields({})), posting(fields({ id: text })), `additive: ${W}.id: the field is new`],
  'a header that is gone, and one that is new': [
    sending({ parameters: [header('webhook-id')] }),
    sending({ parameters: [header('webhook-key')] }),
    `breaking: ${W}, header webhook-id: the header is gone`,
    `additive: ${W}, header webhook-key: the header is new`,
  ],
  'a header in other letters': [
    sending({ parameters: [header('webhook-id')] }),
    sending({ parameters: [header('Webhook-Id')] }),
  ],
  'a header that is not always there': [
    sending({ parameters: [header('webhook-id')] }),
    sending({ parameters: [header('webhook-id', false)] }),
    `breaking: ${W}, header webhook-id: is no longer always there`,
  ],
  'another type of content': [
    posting(text),
    posting(text, 'text/csv'),
    `breaking: ${W}: no longer application/json`,
    `breaking: ${W}: also text/csv`,
  ],
  'a status with another meaning': [
    answered('2XX', '410'),
    answered('2XX', '404'),
    `breaking: ${W}, answer 410: means nothing of its own now`,
    `breaking: ${W}, answer 404: has a meaning of its own now`,
  ],
};
for (const [name, [base, now, ...expected]] of Object.entries(rows)) {
  test(name, () => {
    const changes = compareDocuments(base, now);
    expect(changes.map((each) => `${each.isBreaking ? 'breaking' : 'additive'}: ${changeText(each)}`)).toEqual(
      expected,
    );
    expect(compareDocuments(now, now)).toEqual([]);
  });
}
