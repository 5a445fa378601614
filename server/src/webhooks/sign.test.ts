import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newSecret, signedHeaders } from './sign.ts';

test('signs as the library of the specification does, byte for byte', () => {
  const [secret, body] = [newSecret(), '{"name":"Zoë ☘"}'];
  const sentAt = new Date('2026-03-02T10:15:00.987Z');
  const headers = signedHeaders({ id: 'evt_1', body, sentAt }, [secret]);
  expect(headers['webhook-timestamp']).toBe('1772446500');
  expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('evt_1', sentAt, body));
});

test('the example of the specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const sentAt = new Date(1_614_265_330_000);
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', sentAt };
  expect(signedHeaders(message, [secret])['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('several secrets: several signatures, newest first; each secret verifies', () => {
  const secrets = [newSecret(), newSecret()];
  const body = '{}';
  const headers = signedHeaders({ id: 'evt_1', body, sentAt: new Date() }, secrets);
  const [first, second] = headers['webhook-signature'].split(' ');
  expect([first, second].every((each) => each?.startsWith('v1,'))).toBe(true);
  for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
});

test('secrets have 256 bits and are never the same', () => {
  const made = Array.from({ length: 100 }, newSecret);
  expect(new Set(made).size).toBe(100);
  for (const secret of made) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
});
