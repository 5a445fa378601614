// Receipts as Twilio signs them. The signatures come from the simulator's own code, and one from openssl: the tested code
// signs nothing here.
import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { sign } from '../../../simulators/src/carrier/callback.ts';
import type { ReceiptRequest } from './port.ts';
import { startReceiver } from './testing/receiver.ts';
import { createTwilio } from './twilio.ts';

const ACCOUNT = 'AC000000000000000000000000000000a1';
const TENANT = '0190a0c2-0000-7000-8000-000000000001';
const SEND = '0190a0c2-0000-7000-8000-000000000002';
const OTHER = '0190a0c2-0000-7000-8000-000000000003';
const SID = 'SM0123456789abcdef0123456789abcdef';
const BASE = 'https://api.example.com';
const PATH = `/v1/carriers/twilio/receipts?tenant=${TENANT}&send=${SEND}`;
const FORM = 'application/x-www-form-urlencoded';

const settings = {
  apiBaseUrl: 'http://127.0.0.1:9',
  accountSid: ACCOUNT,
  authToken: 'first-token',
  from: '+447700900999',
  callbackBaseUrl: BASE,
};
const carrier = createTwilio(settings);
const rotating = createTwilio({ ...settings, authToken: 'second-token', previousAuthToken: 'first-token' });
afterAll(async () => {
  await Promise.all([carrier.close(), rotating.close()]);
});

const FIELDS = {
  ...{ AccountSid: ACCOUNT, ApiVersion: '2010-04-01', From: '+447700900999', MessageSid: SID },
  ...{ MessageStatus: 'delivered', SmsSid: SID, SmsStatus: 'delivered', To: '+447700900123' },
};

type Wish = { fields?: Record<string, string>; path?: string; base?: string; token?: string };

function receipt({ fields = {}, path = PATH, base = BASE, token = 'first-token' }: Wish = {}): ReceiptRequest {
  const all = { ...FIELDS, ...fields };
  return {
    url: path,
    contentType: FORM,
    body: new URLSearchParams(all).toString(),
    headers: { 'x-twilio-signature': sign(token, base + path, all) },
  };
}

const READ = { kind: 'receipt', receipt: { tenantId: TENANT, sendId: SEND, carrierRef: SID, status: 'delivered' } };
const REFUSED = { kind: 'refused' };
const UNREADABLE = { kind: 'unreadable' };

describe('the signature', () => {
  test('a receipt signed by openssl is read', () => {
    const headers = { 'x-twilio-signature': 'eghJ4pvvteO3Nfjpn/vEP7FCVvY=' };
    expect(carrier.readReceipt({ ...receipt(), headers })).toEqual(READ);
  });

  test('the order in which the parameters come does not matter', () => {
    const right = receipt();
    expect(carrier.readReceipt({ ...right, body: right.body.split('&').reverse().join('&') })).toEqual(READ);
  });

  test('any one character changed in the body, the address or the signature is refused', () => {
    const right = receipt();
    const signature = right.headers['x-twilio-signature'] ?? '';
    const change = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === 'z' ? 'y' : 'z'}${text.slice(at + 1)}`;
    for (let at = 0; at < right.body.length; at++)
      expect(carrier.readReceipt({ ...right, body: change(right.body, at) })).toEqual(REFUSED);
    for (let at = 0; at < right.url.length; at++)
      expect(carrier.readReceipt({ ...right, url: change(right.url, at) })).toEqual(REFUSED);
    for (let at = 0; at < signature.length; at++)
      expect(carrier.readReceipt({ ...right, headers: { 'x-twilio-signature': change(signature, at) } })).toEqual(
        REFUSED,
      );
  });

  const refusals: readonly (readonly [string, ReceiptRequest])[] = [
    ['no signature', { ...receipt(), headers: {} }],
    ['an empty signature', { ...receipt(), headers: { 'x-twilio-signature': '' } }],
    ['a signature of other length', { ...receipt(), headers: { 'x-twilio-signature': 'AAAA' } }],
    ['two signatures', { ...receipt(), headers: { 'x-twilio-signature': 'a, b' } }],
    ['another token', receipt({ token: 'second-token' })],
    ['another account, rightly signed', receipt({ fields: { AccountSid: ACCOUNT.replace('a1', 'a2') } })],
    ['another host', receipt({ base: 'https://other.example.com' })],
    ['http where our address is https', receipt({ base: 'http://api.example.com' })],
    ['replayed about another send', { ...receipt(), url: PATH.replace(SEND, OTHER) }],
    ['replayed about another tenant', { ...receipt(), url: PATH.replace(TENANT, OTHER) }],
    ['replayed with tenant and send swapped', { ...receipt(), url: swapped(PATH) }],
    ['replayed with a second send', { ...receipt(), url: `${PATH}&send=${OTHER}` }],
    ['a parameter more', { ...receipt(), body: `${receipt().body}&Extra=1` }],
    ['a parameter less', { ...receipt(), body: receipt().body.replace('&SmsStatus=delivered', '') }],
  ];
  for (const [name, request] of refusals) {
    test(`refused: ${name}`, () => expect(carrier.readReceipt(request)).toEqual(REFUSED));
  }

  test('while a token is being replaced, receipts under both are read, and under no third', () => {
    expect(rotating.readReceipt(receipt({ token: 'first-token' }))).toEqual(READ);
    expect(rotating.readReceipt(receipt({ token: 'second-token' }))).toEqual(READ);
    expect(rotating.readReceipt(receipt({ token: 'third-token' }))).toEqual(REFUSED);
  });

  test('our address may be signed with or without its port', () => {
    expect(carrier.readReceipt(receipt({ base: 'https://api.example.com:443' }))).toEqual(READ);
    expect(carrier.readReceipt(receipt({ base: 'https://api.example.com:8443' }))).toEqual(REFUSED);
    const ported = createTwilio({ ...settings, callbackBaseUrl: 'https://api.example.com:8443/trefoil/' });
    expect(ported.readReceipt(receipt({ base: 'https://api.example.com:8443/trefoil' }))).toEqual(READ);
    expect(ported.readReceipt(receipt({ base: 'https://api.example.com/trefoil' }))).toEqual(READ);
    expect(ported.readReceipt(receipt({ base: 'https://api.example.com' }))).toEqual(REFUSED);
  });

  test('behind a proxy: signed for https and our public host, received over http under another host', async () => {
    const receiver = await startReceiver();
    const { url, body, headers } = receipt();
    await new Promise<void>((resolve, reject) => {
      const sending = httpRequest(receiver.url + url, {
        method: 'POST',
        headers: { ...headers, host: 'node-7.internal:8080', 'content-type': FORM },
      });
      sending.on('response', (response) => response.resume().on('end', resolve));
      sending.on('error', reject).end(body);
    });
    const [received] = receiver.all();
    await receiver.close();
    if (!received) throw new Error('nothing came');
    expect(received.headers['host']).toBe('node-7.internal:8080');
    expect(carrier.readReceipt(received)).toEqual(READ);
  });

  test('a value that comes twice is signed once; one we need must not come twice', () => {
    const signature = sign('first-token', BASE + PATH, FIELDS);
    const twice = (body: string) => ({ ...receipt(), body, headers: { 'x-twilio-signature': signature } });
    const { body } = receipt();
    expect(carrier.readReceipt(twice(`${body}&SmsStatus=delivered`))).toEqual(READ);
    expect(carrier.readReceipt(twice(`${body}&MessageStatus=delivered`))).toEqual(UNREADABLE);
    const both = sign('first-token', BASE + PATH, { ...FIELDS, MessageStatus: 'deliveredMessageStatussent' });
    const two = { ...twice(`${body}&MessageStatus=sent`), headers: { 'x-twilio-signature': both } };
    expect(carrier.readReceipt(two)).toEqual(UNREADABLE);
  });

  test('moving the borders between address, names and values never makes another receipt', () => {
    const text = Object.entries(FIELDS)
      .map(([name, value]) => name + value)
      .join('');
    const headers = { 'x-twilio-signature': sign('first-token', BASE + PATH, FIELDS) };
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 16 }), (cuts) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
        const parts = places.slice(1).map((place, index) => text.slice(places[index], place));
        const form = new URLSearchParams();
        for (let index = 0; index < parts.length; index += 2) form.append(parts[index] ?? '', parts[index + 1] ?? '');
        const reading = carrier.readReceipt({ url: PATH, contentType: FORM, body: form.toString(), headers });
        if (reading.kind === 'receipt') expect(reading).toEqual(READ);
      }),
      { numRuns: 5_000 },
    );
    // These two keep the signed text unchanged, so only the form of the parts can reveal them.
    const shifted = receipt().body.replace('MessageStatus=', 'MessageStatu=s');
    expect(carrier.readReceipt({ ...receipt(), body: shifted })).toEqual(UNREADABLE);
    const moved = `${PATH}AccountSid${ACCOUNT}`;
    const { AccountSid: _, ...rest } = FIELDS;
    const body = new URLSearchParams(rest).toString();
    expect(carrier.readReceipt({ url: moved, contentType: FORM, body, headers })).toEqual(REFUSED);
  });
});

describe('the content', () => {
  const statuses = [
    ['delivered', 'delivered'],
    ['read', 'delivered'],
    ['undelivered', 'undelivered'],
    ['failed', 'undelivered'],
    ['canceled', 'undelivered'],
    ['sent', 'sent'],
  ] as const;
  for (const [told, status] of statuses) {
    test(`${told} is ${status}`, () => {
      expect(carrier.readReceipt(receipt({ fields: { MessageStatus: told } }))).toEqual({
        ...READ,
        receipt: { ...READ.receipt, status },
      });
    });
  }

  for (const told of ['accepted', 'scheduled', 'queued', 'sending', 'receiving', 'received']) {
    test(`${told} is progress`, () => {
      expect(carrier.readReceipt(receipt({ fields: { MessageStatus: told } }))).toEqual({ kind: 'progress' });
    });
  }

  const unreadable: readonly (readonly [string, ReceiptRequest])[] = [
    ['a state nobody knows', receipt({ fields: { MessageStatus: 'partially_delivered' } })],
    ['a state in capitals', receipt({ fields: { MessageStatus: 'DELIVERED' } })],
    ['a state of objects', receipt({ fields: { MessageStatus: 'constructor' } })],
    ['a reference that is none', receipt({ fields: { MessageSid: 'CA0123456789abcdef0123456789abcdef' } })],
    ['a reference that is too long', receipt({ fields: { MessageSid: `${SID}0` } })],
    ['no query', receipt({ path: '/v1/carriers/twilio/receipts' })],
    ['no tenant', receipt({ path: `/v1/carriers/twilio/receipts?send=${SEND}` })],
    ['a tenant that is no id', receipt({ path: PATH.replace(TENANT, 'larkfield') })],
    ['a send that is no id', receipt({ path: PATH.replace(SEND, "1' or '1'='1") })],
    ['two sends', receipt({ path: `${PATH}&send=${OTHER}` })],
    ['JSON', { ...receipt(), contentType: 'application/json' }],
    ['no content type', { ...receipt(), contentType: undefined }],
    ['over 64 kB', receipt({ fields: { Extra: 'X'.repeat(64 * 1024) } })],
  ];
  for (const [name, request] of unreadable) {
    test(`unreadable: ${name}`, () => expect(carrier.readReceipt(request)).toEqual(UNREADABLE));
  }

  test('a character set with the content type, an MMS reference and parameters nobody knows are all right', () => {
    const request = receipt({ fields: { MessageSid: SID.replace('SM', 'MM'), ChannelPrefix: 'ü €' } });
    expect(carrier.readReceipt({ ...request, contentType: `${FORM}; charset=UTF-8` })).toMatchObject({
      kind: 'receipt',
      receipt: { carrierRef: SID.replace('SM', 'MM') },
    });
  });

  test('whatever comes, reading does not throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.string(), (url, body, signature) => {
        const headers = { 'x-twilio-signature': signature };
        expect(carrier.readReceipt({ url, body, contentType: FORM, headers })).toEqual(REFUSED);
      }),
    );
  });
});

function swapped(path: string): string {
  return path.replace(TENANT, 'x').replace(SEND, TENANT).replace('x', SEND);
}
