import { expect, test } from 'vitest';
import { Inbox, type Message } from './inbox.ts';
import { segmentsOf } from './segments.ts';

const message = (sid: string): Message => ({
  ...{ sid, to: '+447700900001', from: '+447700900999', body: 'A text', sendId: sid, callback: null },
  ...{ overrides: { connectMs: 1, readMs: 1, totalMs: 1, retries: 0, policy: new Set() }, state: 'queued', asks: 0 },
  ...{ receivedAt: '2026-06-01T09:00:00.000Z', receipts: [], stop: new AbortController(), ...segmentsOf('A text') },
});

test('messages, counts and receipts are bounded, the oldest go first', () => {
  const inbox = new Inbox();
  for (let count = 1; count <= 60_000; count++) {
    inbox.countSubmit(`s-${count}`);
    inbox.add(message(`s-${count}`));
  }
  const messages = inbox.list();
  expect(messages).toHaveLength(10_000);
  expect(messages[0]?.sid).toBe('s-60000');
  expect(inbox.submits()).toHaveLength(50_000);
  expect(inbox.submitsOf('s-10000')).toBe(0);
  expect(inbox.submitsOf('s-10001')).toBe(1);
  const [first] = messages;
  if (!first) throw new Error('no message');
  for (let count = 0; count < 300; count++) inbox.addReceipt(first, { status: `${count}`, at: '', answer: 204 });
  expect(first.receipts).toHaveLength(200);
  expect(first.receipts.at(-1)?.status).toBe('299');
});

test('segments: 160 septets, then 153 each; any other character makes them 70 and 67', () => {
  const rows = [
    ['', 'GSM-7', 1],
    ['a'.repeat(160), 'GSM-7', 1],
    ['a'.repeat(161), 'GSM-7', 2],
    ['€'.repeat(80), 'GSM-7', 1],
    ['€'.repeat(81), 'GSM-7', 2],
    ['a'.repeat(307), 'GSM-7', 3],
    [`ŵ${'a'.repeat(69)}`, 'UCS-2', 1],
    [`ŵ${'a'.repeat(70)}`, 'UCS-2', 2],
    ['🚀'.repeat(36), 'UCS-2', 2],
  ] as const;
  for (const [text, encoding, segments] of rows) expect(segmentsOf(text)).toEqual({ encoding, segments });
});
