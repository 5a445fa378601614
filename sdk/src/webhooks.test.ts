// Deliveries as they arrive, and every mistake of a receiver: each has a name and a message with its remedy.
import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { TrefoilWebhookError, type WebhookMistake, webhooks } from './index.ts';

const bytes = Buffer.from('a signing secret of 32 bytes !!!');
const secret = `whsec_${bytes.toString('base64')}`;
const otherSecret = `whsec_${Buffer.from('another secret, also of 32 bytes').toString('base64')}`;
const event = { type: 'credit-report.completed', timestamp: '2026-03-01T09:00:00.000Z', data: { name: 'Zoë' } };
const body = JSON.stringify(event);
const now = () => Math.floor(Date.now() / 1_000);

/** The signature by another implementation, from the words of the specification. */
function signed(content = body, { id = 'evt_1', at = now() }: { id?: string; at?: number } = {}) {
  const signature = createHmac('sha256', bytes).update(`${id}.${at}.${content}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}
const without = (name: string) => Object.fromEntries(Object.entries(signed()).filter(([key]) => key !== name));

test('a delivery is unwrapped, whatever form body and headers have', async () => {
  const headers = signed();
  const bodies = [body, Buffer.from(body), new TextEncoder().encode(body), new TextEncoder().encode(body).buffer];
  for (const each of bodies) expect(await webhooks.unwrap(each, headers, secret)).toEqual(event);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  for (const each of [new Headers(headers), upper, lists]) {
    expect(await webhooks.unwrap(body, each, secret)).toEqual(event);
  }
});

test('the example of the specification is accepted', async () => {
  // Standard Webhooks 1.0.0, "Signature scheme"; its timestamp is years old.
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const example = '{"test": 2432232314}';
  const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(await webhooks.unwrap(example, headers, key, { toleranceSeconds: 1e12 })).toEqual({ test: 2432232314 });
});

test('while a secret is changed: several signatures, several secrets', async () => {
  const headers = signed();
  const both = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}= v1a,xyz ${headers['webhook-signature']}` };
  expect(await webhooks.unwrap(body, both, secret)).toEqual(event);
  expect(await webhooks.unwrap(body, headers, [otherSecret, secret])).toEqual(event);
});

test('sign makes what unwrap accepts, and what the specification says', async () => {
  const at = now();
  expect(await webhooks.sign(body, { id: 'evt_1', secret, timestamp: at })).toEqual(signed(body, { at }));
  expect(await webhooks.unwrap(body, await webhooks.sign(body, { id: 'x', secret }), secret)).toEqual(event);
});

const pretty = JSON.stringify(event, null, 2);
type Row = [name: string, mistake: WebhookMistake, says: RegExp, body: unknown, headers?: unknown, secret?: unknown];
const MISTAKES: Row[] = [
  ['a body that Express parsed', 'body-parsed', /type object.*express\.raw/, event],
  ['a parsed body as text', 'body-parsed', /turned into text.*express\.raw/, String(event)],
  ['a body that nobody awaited', 'body-parsed', /promise: await it/, Promise.resolve(body)],
  ['an empty body', 'body-empty', /read the request before/, ''],
  ['empty bytes', 'body-empty', /read the request before/, new Uint8Array()],
  ['no body at all', 'body-empty', /pass the whole raw body/, undefined],
  ['a body parsed and written again', 'body-changed', /parsed and written again/, pretty],
  ['a line break at the end', 'body-changed', /spaces were added/, `${body}\n`],
  ['half a body', 'body-changed', /not JSON: it was cut/, body.slice(0, 20)],
  [
    'letters decoded wrongly',
    'body-changed',
    /content-length says/,
    Buffer.from(body).toString('latin1'),
    { ...signed(), 'content-length': String(Buffer.byteLength(body)) },
  ],
  ['no headers', 'headers-missing', /Pass the headers of the request/, body, undefined],
  ['the request instead of its headers', 'headers-missing', /Pass request\.headers/, body, { headers: signed() }],
  ['a request of somebody else', 'headers-missing', /all missing.*proxy/, body, { 'content-type': 'application/json' }],
  [
    'a proxy ate the signature',
    'header-missing',
    /webhook-signature is missing.*proxy/,
    body,
    without('webhook-signature'),
  ],
  ['a proxy ate the timestamp', 'header-missing', /webhook-timestamp is missing/, body, without('webhook-timestamp')],
  ['milliseconds', 'header-malformed', /milliseconds/, body, { ...signed(), 'webhook-timestamp': String(Date.now()) }],
  ['a date', 'header-malformed', /seconds since 1970/, body, { ...signed(), 'webhook-timestamp': '2026-03-01' }],
  ['another kind of signature', 'header-malformed', /version 1/, body, { ...signed(), 'webhook-signature': 't=1,s=2' }],
  ['an old delivery', 'timestamp-old', /signed 40\d seconds ago.*NTP/, body, signed(body, { at: now() - 400 })],
  ['a clock that is behind', 'timestamp-ahead', /clock is behind/, body, signed(body, { at: now() + 400 })],
  ['no secret', 'secret-malformed', /setting may be missing/, body, signed(), undefined],
  ['no secrets', 'secret-malformed', /list of secrets is empty/, body, signed(), []],
  ['a client secret', 'secret-malformed', /not begin with whsec_.*not the client secret/, body, signed(), 'abc'],
  ['a line break after the secret', 'secret-malformed', /line break/, body, signed(), `${secret}\n`],
  ['half a secret', 'secret-malformed', /incomplete/, body, signed(), 'whsec_a'],
  ['the secret of another endpoint', 'secret-wrong', /another endpoint.*old one/, body, signed(), otherSecret],
  ['a changed event id', 'secret-wrong', /does not fit/, body, { ...signed(), 'webhook-id': 'evt_2' }],
];
for (const [name, mistake, says, ...given] of MISTAKES) {
  test(`${mistake}: ${name}`, async () => {
    const [rawBody, headers, key] = [
      given[0],
      given.length > 1 ? given[1] : signed(),
      given.length > 2 ? given[2] : secret,
    ];
    const error = await webhooks.unwrap(rawBody as string, headers as Headers, key as string).catch((caught) => caught);
    expect(error).toBeInstanceOf(TrefoilWebhookError);
    expect(error).toMatchObject({ mistake, message: expect.stringMatching(says) });
    expect(error.message).not.toContain(secret);
  });
}

test('the age is judged only after the signature: an unsigned timestamp explains nothing', async () => {
  const headers = { ...signed(), 'webhook-timestamp': '1' };
  await expect(webhooks.unwrap(body, headers, secret)).rejects.toMatchObject({ mistake: 'secret-wrong' });
});

const wrong = (place: number) => `v1,${Buffer.alloc(32, place + 1).toString('base64')}`;
const withSignatures = (count: number) => {
  const headers = signed();
  const others = Array.from({ length: count - 1 }, (_, place) => wrong(place));
  return { ...headers, 'webhook-signature': [...others, headers['webhook-signature']].join(' ') };
};

test('ten signatures are tried, and no eleventh: the header is the sender’s, who need not be the service', async () => {
  expect(await webhooks.unwrap(body, withSignatures(10), secret)).toEqual(event);
  await expect(webhooks.unwrap(body, withSignatures(11), secret)).rejects.toMatchObject({ mistake: 'secret-wrong' });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, '300', null])(
  'toleranceSeconds of %s is refused: it would accept any age, or none',
  async (toleranceSeconds) => {
    const options = { toleranceSeconds: toleranceSeconds as number };
    for (const at of [now(), 1_000]) {
      const opened = webhooks.unwrap(body, signed(body, { at }), secret, options);
      await expect(opened).rejects.toThrow(/^toleranceSeconds is .* from 0 up/);
      await expect(opened).rejects.toBeInstanceOf(TypeError);
    }
  },
);

test('a body of 64 KiB is opened; a byte more, or a header of more than 4,096 characters, costs no hash', async () => {
  const padded = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
  const [largest, large] = [padded(65_536), padded(65_537)];
  expect(await webhooks.unwrap(largest, signed(largest), secret)).toHaveProperty('a');
  const verify = vi.spyOn(crypto.subtle, 'verify');
  try {
    const headers = signed(large);
    for (const each of [large, Buffer.from(large), new TextEncoder().encode(large).buffer]) {
      await expect(webhooks.unwrap(each, headers, secret)).rejects.toMatchObject({ mistake: 'body-too-large' });
    }
    const long = { ...signed(), 'webhook-signature': `${`${wrong(1)} `.repeat(90)}${signed()['webhook-signature']}` };
    for (const each of [long, signed(body, { id: 'e'.repeat(4_097) })]) {
      await expect(webhooks.unwrap(body, each, secret)).rejects.toMatchObject({ mistake: 'header-malformed' });
    }
    expect(verify).not.toHaveBeenCalled();
  } finally {
    verify.mockRestore();
  }
});

test('signatures of another version do not count among the ten', async () => {
  const headers = withSignatures(10);
  const signature = `${'v1a,AAAA '.repeat(50)}${headers['webhook-signature']}`;
  expect(await webhooks.unwrap(body, { ...headers, 'webhook-signature': signature }, secret)).toEqual(event);
});

test('a signature that is not 32 bytes long was cut: it is not worth a hash over the body', async () => {
  const right = Buffer.from(signed()['webhook-signature'].slice('v1,'.length), 'base64');
  const verify = vi.spyOn(crypto.subtle, 'verify');
  try {
    for (const bytesOf of [
      right.subarray(0, 31),
      Buffer.concat([right, Buffer.alloc(1)]),
      Buffer.alloc(0),
      Buffer.alloc(1_000_000),
    ]) {
      const headers = { ...signed(), 'webhook-signature': `v1,${bytesOf.toString('base64')}` };
      await expect(webhooks.unwrap(body, headers, secret)).rejects.toMatchObject({ mistake: 'header-malformed' });
    }
    const malformed = { ...signed(), 'webhook-signature': 'v1,***' };
    await expect(webhooks.unwrap(body, malformed, secret)).rejects.toMatchObject({ mistake: 'header-malformed' });
    expect(verify).not.toHaveBeenCalled();
    await webhooks.unwrap(body, signed(), secret);
    expect(verify).toHaveBeenCalledTimes(1);
  } finally {
    verify.mockRestore();
  }
});
