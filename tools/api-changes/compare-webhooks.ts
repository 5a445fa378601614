// Compares the messages that the service posts to receivers. The sides are swapped: the service sends, so a message may only
// promise more, as an answer may; and the receiver answers, so each of its statuses must keep its meaning.
import { type Comparison, compareSchemas } from './compare-schemas.ts';
import { type Document, isSchema, listOf, type Schema } from './variants.ts';

const part = (value: unknown): Schema => (isSchema(value) ? value : {});

const messagesOf = (document: Document): Map<string, Schema> =>
  new Map(Object.entries(part(document['webhooks'])).map(([name, item]) => [name, part(part(item)['post'])]));

const headersOf = (message: Schema): Map<string, Schema> =>
  new Map(
    listOf(message['parameters'])
      .filter(isSchema)
      .map((each) => [`header ${String(each['name']).toLowerCase()}`, each]),
  );

function compareHeaders(comparison: Comparison, where: string, base: Schema, now: Schema): void {
  const { changes } = comparison;
  const [before, after] = [headersOf(base), headersOf(now)];
  for (const [name, header] of before) {
    const at = `${where}, ${name}`;
    const today = after.get(name);
    if (!today) {
      changes.breaking(at, 'the header is gone');
      continue;
    }
    if (header['required'] === true && today['required'] !== true) changes.breaking(at, 'is no longer always there');
    compareSchemas(comparison, 'answer', at, { base: part(header['schema']), now: part(today['schema']) });
  }
  for (const name of after.keys()) if (!before.has(name)) changes.additive(`${where}, ${name}`, 'the header is new');
}

function compareContent(comparison: Comparison, where: string, base: Schema, now: Schema): void {
  const contentOf = (message: Schema) => part(part(message['requestBody'])['content']);
  const [before, after] = [contentOf(base), contentOf(now)];
  for (const [type, media] of Object.entries(before)) {
    const today = after[type];
    const pair = { base: part(part(media)['schema']), now: part(part(today)['schema']) };
    if (!isSchema(today)) comparison.changes.breaking(where, `no longer ${type}`);
    else compareSchemas(comparison, 'answer', where, pair);
  }
  // The receiver does not choose: it would have to understand a second type as well.
  for (const type of Object.keys(after)) if (!(type in before)) comparison.changes.breaking(where, `also ${type}`);
}

function compareMeanings({ changes }: Comparison, where: string, base: Schema, now: Schema): void {
  const statusesOf = (message: Schema) => Object.keys(part(message['responses']));
  const [before, after] = [statusesOf(base), statusesOf(now)];
  const at = (status: string) => `${where}, answer ${status}`;
  for (const status of before)
    if (!after.includes(status)) changes.breaking(at(status), 'means nothing of its own now');
  // Receivers may send the status already.
  for (const status of after)
    if (!before.includes(status)) changes.breaking(at(status), 'has a meaning of its own now');
}

export function compareWebhooks(comparison: Comparison): void {
  const { changes } = comparison;
  const [before, after] = [messagesOf(comparison.base), messagesOf(comparison.now)];
  for (const [name, message] of before) {
    const where = `webhook ${name}`;
    const today = after.get(name);
    if (!today) {
      changes.breaking(where, 'the message is gone');
      continue;
    }
    compareHeaders(comparison, where, message, today);
    compareContent(comparison, where, message, today);
    compareMeanings(comparison, where, message, today);
  }
  for (const name of after.keys()) if (!before.has(name)) changes.additive(`webhook ${name}`, 'the message is new');
}
