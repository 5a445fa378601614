// The carrier over real HTTP: its two calls, its receipts, its inbox, and the rules that choose between them.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { CREDENTIALS } from '../credentials.ts';
import { type RunningCarrier, startCarrier } from './server.ts';

type Received = { url: string; signature: string; token: string; form: URLSearchParams };

const { accountSid, authToken } = CREDENTIALS.carrier;
const CALL = `/2010-04-01/Accounts/${accountSid}/Messages.json`;
const MESSAGES = CALL.replace('.json', '');
const received: Received[] = [];
/** The responses to the next receipts, in order; then 204. Null means no response; `cut`, that the connection is closed. */
const answers: (number | null | 'cut')[] = [];
/** For whatever must happen: a stopped or busy machine does not fail a test. */
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const signature = `${request.headers['x-twilio-signature']}`;
    const token = `${request.headers['i-twilio-idempotency-token']}`;
    received.push({ url: request.url ?? '', signature, token, form: new URLSearchParams(body) });
    const [answer = 204] = answers.splice(0, 1);
    if (answer === 'cut') request.socket.destroy();
    else if (answer !== null) response.writeHead(answer).end();
  });
});

let carrier: RunningCarrier;
let callback: string;

beforeAll(async () => {
  carrier = await startCarrier({ port: 0, latencyMs: 0 });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/receipts?tenant=t-1&send=`;
});
beforeEach(() => {
  received.length = 0;
  answers.length = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  await fetch(`${carrier.url}/control`, { method: 'DELETE' });
  await fetch(`${carrier.url}/inbox.json`, { method: 'DELETE' });
});
afterAll(async () => {
  await carrier.close();
  receiver.close();
});

const basic = (user = accountSid, password: string = authToken) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

type Submit = {
  to?: string;
  body?: string;
  sendId?: string;
  form?: Record<string, string>;
  authorization?: string;
  signal?: AbortSignal;
};
const patience = () => AbortSignal.timeout(20_000);

function submit({ to = '+447700900000', body = 'A text', sendId = 's-1', form = {}, ...rest }: Submit = {}) {
  const fields = { To: to, From: '+447700900999', Body: body, StatusCallback: callback + sendId, ...form };
  return fetch(carrier.url + CALL, {
    method: 'POST',
    headers: { authorization: rest.authorization ?? basic() },
    body: new URLSearchParams(fields),
    signal: rest.signal ?? patience(),
  });
}

const rule = (wish: unknown) => fetch(`${carrier.url}/control`, { method: 'POST', body: JSON.stringify(wish) });
const json = async (path: string) => (await fetch(carrier.url + path)).json() as Promise<never>;
const statuses = () => received.map(({ form }) => form.get('MessageStatus'));
const settled = (count: number) => eventually(() => expect(received.length).toBeGreaterThanOrEqual(count));

async function submitted(wish: Submit = {}): Promise<string> {
  return ((await (await submit(wish)).json()) as { sid: string }).sid;
}
const ask = (sid: string, authorization = basic(), method = 'GET', signal = patience()) =>
  fetch(`${carrier.url}${MESSAGES}/${sid}.json`, { method, headers: { authorization }, signal });
/** A call that the carrier has counted and does not answer, until the caller gives up. */
async function expectToHang(call: (signal: AbortSignal) => Promise<Response>, isCounted: () => Promise<void>) {
  const givingUp = new AbortController();
  const outcome = call(givingUp.signal).then(
    ({ status }) => status,
    (error: Error) => error.name,
  );
  await eventually(isCounted);
  // Answered at once, and so after everything that was written before it was asked.
  await json('/control');
  givingUp.abort();
  expect(await outcome).toBe('AbortError');
}
/** The carrier’s clock then moves only as told; Vitest's own waiting would move it too. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
async function untilReceived(count: number): Promise<void> {
  for (let look = 0; look < 10_000 && received.length < count; look++) await json('/control');
  expect(received).toHaveLength(count);
}
const stateOf = async (sid: string) => ((await (await ask(sid)).json()) as { status: string }).status;

describe('the call', () => {
  test('201 in the carrier’s form, then signed receipts about the message', async () => {
    const response = await submit({ body: 'Grüße für Ada' });
    expect(response.status).toBe(201);
    const reply = (await response.json()) as Record<string, unknown>;
    expect(reply).toMatchObject({
      ...{ sid: expect.stringMatching(/^SM[0-9a-f]{32}$/), status: 'queued', to: '+447700900000' },
      ...{ account_sid: accountSid, num_segments: '1', error_code: null },
    });
    await settled(2);
    expect(statuses()).toEqual(['sent', 'delivered']);
    for (const { url, signature, form } of received) {
      expect(form.get('MessageSid')).toBe(reply['sid']);
      expect(form.get('AccountSid')).toBe(accountSid);
      const text = [...form].toSorted(([left], [right]) => (left < right ? -1 : 1)).map((pair) => pair.join(''));
      const address = new URL(url, callback).href;
      expect(signature).toBe(
        createHmac('sha1', authToken)
          .update(address + text.join(''))
          .digest('base64'),
      );
    }
  });

  const refusals: readonly (readonly [string, number, number, Submit])[] = [
    ['a wrong token', 401, 20_003, { authorization: basic(accountSid, 'other') }],
    ['another account', 401, 20_003, { authorization: basic('AC1') }],
    ['no number', 400, 21_604, { to: '' }],
    ['a number that is none', 400, 21_211, { to: '07700900000' }],
    ['no text', 400, 21_602, { body: '' }],
    ['a long text', 400, 21_617, { body: 'X'.repeat(1_601) }],
    ['no sender', 400, 21_603, { form: { From: '' } }],
    ['no address for receipts', 400, 21_609, { form: { StatusCallback: 'nowhere' } }],
    ['overrides that are none', 400, 21_609, { form: { StatusCallback: 'http://127.0.0.1/#rp=sometimes' } }],
  ];
  for (const [name, status, code, wish] of refusals) {
    test(`${status}: ${name}`, async () => {
      const response = await submit(wish);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ code, status });
      expect(await json('/inbox.json')).toEqual([]);
    });
  }

  test('404 and 405: any other path or method, in the carrier’s form', async () => {
    expect((await fetch(`${carrier.url}/other`)).status).toBe(404);
    expect((await fetch(carrier.url + CALL)).status).toBe(405);
  });
});

describe('asking', () => {
  test('200: the message as it is now, which changes with its receipts', async () => {
    await rule({ match: { any: true }, behaviour: 'late=600000' });
    const sid = await submitted();
    const response = await ask(sid);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      ...{ sid, account_sid: accountSid, status: 'queued', to: '+447700900000' },
    });
    await fetch(`${carrier.url}/control/receipts`, {
      method: 'POST',
      body: JSON.stringify({ sid, status: 'delivered' }),
    });
    expect(await stateOf(sid)).toBe('delivered');
    expect(await json('/inbox.json')).toMatchObject([{ sid, asks: 2 }]);
  });

  const states = [
    ['+447700900200', 2, 'undelivered'],
    ['+447700900300', 0, 'sent'],
    ['+447700900900', 0, 'delivered'],
  ] as const;
  for (const [to, receipts, state] of states) {
    test(`${to}: ${state} after ${receipts} receipts`, async () => {
      const sid = await submitted({ to });
      await settled(receipts);
      expect(await stateOf(sid)).toBe(state);
      // If another were on its way, it would have arrived before this one.
      expect(received).toHaveLength(receipts);
    });
  }

  test('a state by rule goes before what the receipts tell; a receipt on demand changes it, a forged one does not', async () => {
    await rule({ match: { any: true }, behaviour: 'receipts=sent, state=undelivered' });
    const sid = await submitted();
    await settled(1);
    expect(await stateOf(sid)).toBe('undelivered');
    const tell = (wish: object) =>
      fetch(`${carrier.url}/control/receipts`, { method: 'POST', body: JSON.stringify({ sid, ...wish }) });
    await tell({ status: 'failed', isForged: true });
    expect(await stateOf(sid)).toBe('undelivered');
    await tell({ status: 'delivered' });
    expect(await stateOf(sid)).toBe('delivered');
  });

  test('401, 404, 405: another token, a message nobody knows, another method', async () => {
    const sid = await submitted();
    expect((await ask(sid, basic(accountSid, 'other'))).status).toBe(401);
    expect((await ask(sid.replace(/..$/, 'zz'))).status).toBe(404);
    expect((await ask(sid, basic(), 'DELETE')).status).toBe(405);
  });

  test('by rule, as often as said: asks fail in the ways submits do, and submits are left alone', async () => {
    const sid = await submitted();
    const once = (behaviour: string) => rule({ call: 'ask', match: { any: true }, behaviour, times: 1 });
    await once('lost');
    expect((await submit({ sendId: 's-2' })).status).toBe(201);
    expect((await ask(sid)).status).toBe(500);
    await once('throttle');
    expect((await ask(sid)).status).toBe(429);
    await once('refuse=20404');
    expect(await (await ask(sid)).json()).toMatchObject({ code: 20_404, status: 404 });
    await once('hang');
    await expectToHang(
      (signal) => ask(sid, basic(), 'GET', signal),
      async () => expect(await json('/control')).toEqual({ rules: [] }),
    );
    await once('reset');
    await expect(ask(sid)).rejects.toThrow('fetch failed');
    await once('garbage');
    await expect(stateOf(sid)).rejects.toThrow();
    await once('huge');
    expect(Number((await ask(sid)).headers.get('content-length'))).toBeGreaterThan(20_000_000);
    await once('other');
    expect(await (await ask(sid)).json()).toMatchObject({ sid: `SM${'0'.repeat(32)}` });
    await once('state=teleported');
    expect(await stateOf(sid)).toBe('teleported');
    expect((await ask(sid)).status).toBe(200);
  });
});

describe('connection overrides', () => {
  const overridden = (fragment: string, sendId = 's-1') => ({
    sendId,
    form: { StatusCallback: `${callback}${sendId}#${fragment}` },
  });
  const told = async () => {
    const [message] = (await json('/inbox.json')) as { receipts: { status: string; answer: number | null }[] }[];
    return message?.receipts.map(({ status, answer }) => `${status} ${answer}`);
  };
  const last = 'delivered 204';
  const SILENCE = [null, null, null, null] as const;

  const rows = [
    // overrides, responses to the first receipts, receipts sent
    ['rc=5&rp=5xx', [503, 500], ['sent 503', 'sent 500', 'sent 204', last]],
    ['rc=2&rp=all', [503, 503, 503], ['sent 503', 'sent 503', 'sent 503', last]],
    ['rc=0&rp=all', [503], ['sent 503', last]],
    ['rc=5&rp=ct,rt', [503], ['sent 503', last]],
    ['rc=5&rp=5xx', [403], ['sent 403', last]],
    ['rc=5&rp=4xx', [403], ['sent 403', 'sent 204', last]],
    ['rc=5&rp=rt', ['cut'], ['sent null', 'sent 204', last]],
    ['rc=5&rp=5xx', ['cut'], ['sent null', last]],
    ['', [503], ['sent 503', last]],
    // Where the limit is short, no receipt is answered: a busy machine cannot make an answer come too late.
    ['rc=1&rp=rt&rt=100', SILENCE, ['sent null', 'sent null', 'delivered null', 'delivered null']],
    ['rc=1&rp=5xx&rt=100', SILENCE, ['sent null', 'delivered null']],
  ] as const;
  for (const [fragment, answered, expected] of rows) {
    test(`#${fragment}, answered ${answered.map(String).join(', ')}: ${expected.join(', ')}`, async () => {
      answers.push(...answered);
      await submit(overridden(fragment));
      await eventually(async () => expect(await told()).toEqual(expected));
    });
  }

  test('tt ends the attempts of a receipt before rc does', async () => {
    stopClock();
    answers.push(...Array(12).fill(null));
    await submit(overridden('rc=5&rp=rt&rt=300&tt=500'));
    await untilReceived(1);
    vi.advanceTimersByTime(300);
    await untilReceived(2);
    vi.advanceTimersByTime(200);
    await untilReceived(3);
    expect(statuses()).toEqual(['sent', 'sent', 'delivered']);
  });

  test('a connection that is not there is told again once, unless the overrides say otherwise', async () => {
    const closed = (fragment: string) => ({ form: { StatusCallback: `http://127.0.0.1:9/x?send=s-1${fragment}` } });
    const both = (times: number) => ['sent null', 'delivered null'].flatMap((each) => Array(times).fill(each));
    for (const [fragment, times] of [
      ['', 2],
      ['#rc=3', 4],
      ['#rc=3&rp=5xx,rt', 1],
    ] as const) {
      await submit(closed(fragment));
      await eventually(async () => expect(await told()).toEqual(both(times)));
    }
  });

  test('the fragment is neither sent nor signed, and the attempts of one receipt have one token', async () => {
    answers.push(503);
    await submit(overridden('rc=1&rp=5xx'));
    await settled(3);
    const [first, again, next] = received;
    expect(first?.url).toBe('/receipts?tenant=t-1&send=s-1');
    expect(again).toEqual(first);
    expect(next?.token).not.toBe(first?.token);
    const text = [...(first?.form ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join(''));
    const signed = createHmac('sha1', authToken).update(`${callback}s-1${text.join('')}`);
    expect(first?.signature).toBe(signed.digest('base64'));
  });

  test('400: a number outside its bounds, or a word nobody knows', async () => {
    for (const wrong of ['rc=6', 'ct=99', 'rt=15001', 'tt=x', 'rp=3xx', 'rp=', 'retries=3'])
      expect((await submit(overridden(wrong))).status, wrong).toBe(400);
    expect((await submit(overridden('rc=5&rp=all&ct=100&rt=15000&tt=15000&e=dublin&sni=y'))).status).toBe(201);
  });
});

describe('by number', () => {
  const rows = [
    // number, status of the submit, receipts, in the inbox
    ['+447700900000', 201, ['sent', 'delivered'], 1],
    ['+447700900200', 201, ['sent', 'undelivered'], 1],
    ['+447700900499', 201, ['sent', 'sent', 'delivered', 'delivered'], 1],
    ['+447700900500', 201, ['delivered', 'sent', 'undelivered'], 1],
    ['+447700900699', 400, [], 0],
    ['+447700900700', 500, ['sent', 'delivered'], 1],
    ['+441632960001', 201, ['sent', 'delivered'], 1],
  ] as const;
  for (const [to, status, receipts, kept] of rows) {
    test(`${to}: ${status}, ${receipts.join(', ') || 'no receipt'}`, async () => {
      expect((await submit({ to })).status).toBe(status);
      await settled(receipts.length);
      expect(statuses()).toEqual(receipts);
      expect(await json('/inbox.json')).toHaveLength(kept);
    });
  }

  test('9001xx: delivered after two seconds', async () => {
    stopClock();
    const sid = await submitted({ to: '+447700900100' });
    // Its receipts wait from here on: the carrier has seen the end of its response.
    expect(await stateOf(sid)).toBe('queued');
    vi.advanceTimersByTime(1_999);
    expect(await stateOf(sid)).toBe('queued');
    vi.advanceTimersByTime(1);
    await untilReceived(2);
    expect(statuses()).toEqual(['sent', 'delivered']);
  });

  test('9003xx: no receipt, until one is asked for', async () => {
    await submit({ to: '+447700900300', sendId: 'forgotten' });
    const answer = await fetch(`${carrier.url}/control/receipts`, {
      method: 'POST',
      body: JSON.stringify({ sendId: 'forgotten', status: 'delivered' }),
    });
    expect(await answer.json()).toEqual({ answers: [204] });
    // If another were on its way, it would have arrived before this one.
    expect(statuses()).toEqual(['delivered']);
  });

  test('9008xx: the submit hangs, and nothing is delivered', async () => {
    await expectToHang(
      (signal) => submit({ to: '+447700900899', sendId: 'hung', signal }),
      async () => expect(await json('/control/submits')).toEqual({ submits: [{ sendId: 'hung', submits: 1 }] }),
    );
    expect(await json('/inbox.json')).toEqual([]);
    expect(await json('/control/submits')).toEqual({ submits: [{ sendId: 'hung', submits: 1 }] });
  });
});

describe('by rule', () => {
  test('the newest rule that fits goes before the number, as often as said', async () => {
    await rule({ match: { any: true }, behaviour: 'forget' });
    const added = await rule({ match: { sendId: 's-2' }, behaviour: 'refuse=30006', times: 1 });
    expect(added.status).toBe(201);
    expect(await added.json()).toMatchObject({ behaviour: 'refuse=30006', times: 1 });
    expect((await submit({ sendId: 's-1' })).status).toBe(201);
    expect(await (await submit({ sendId: 's-2' })).json()).toMatchObject({ code: 30_006 });
    expect((await submit({ sendId: 's-2' })).status).toBe(201);
    expect(await json('/control')).toMatchObject({ rules: [{ behaviour: 'forget' }] });
  });

  test('any order and number of receipts', async () => {
    await rule({ match: { to: '+447700900000' }, behaviour: 'receipts=queued+failed+read, duplicate=3' });
    await submit();
    await settled(9);
    expect(statuses()).toEqual(['queued', 'failed', 'read'].flatMap((status) => [status, status, status]));
    expect(received[3]?.form.get('ErrorCode')).toBe('30008');
  });

  test('early: the receipts come before the answer', async () => {
    await rule({ match: { any: true }, behaviour: 'early' });
    await submit();
    expect(statuses()).toEqual(['sent', 'delivered']);
  });

  test('throttle, reset, garbage, huge', async () => {
    await rule({ match: { sendId: 'throttle' }, behaviour: 'throttle' });
    await rule({ match: { sendId: 'reset' }, behaviour: 'reset' });
    await rule({ match: { sendId: 'garbage' }, behaviour: 'garbage' });
    await rule({ match: { sendId: 'huge' }, behaviour: 'huge' });
    expect((await submit({ sendId: 'throttle' })).status).toBe(429);
    await expect(submit({ sendId: 'reset' })).rejects.toThrow('fetch failed');
    await expect(submit({ sendId: 'garbage' }).then((response) => response.json())).rejects.toThrow();
    expect(Number((await submit({ sendId: 'huge' })).headers.get('content-length'))).toBeGreaterThan(20_000_000);
  });

  test('400: a rule that makes no sense', async () => {
    const rules = [
      null,
      {},
      { match: {}, behaviour: 'forget' },
      { match: { any: true }, behaviour: 'fly' },
      { match: { any: true }, behaviour: 'late=soon' },
      { match: { any: true }, behaviour: 'duplicate=1001' },
      { match: { any: true }, behaviour: 'receipts=<b>' },
      { match: { any: true }, behaviour: 'forget', times: 0 },
      { match: { any: true }, behaviour: 'state=' },
      { match: { any: true }, behaviour: 'state=<b>' },
      { match: { any: true }, behaviour: 'lost', call: 'poll' },
    ];
    for (const each of rules) expect((await rule(each)).status).toBe(400);
    expect((await fetch(`${carrier.url}/control`, { method: 'POST', body: '{' })).status).toBe(400);
  });

  test('204: DELETE forgets rules and counts', async () => {
    await rule({ match: { any: true }, behaviour: 'forget' });
    await submit();
    expect((await fetch(`${carrier.url}/control`, { method: 'DELETE' })).status).toBe(204);
    expect(await json('/control')).toEqual({ rules: [] });
    expect(await json('/control/submits')).toEqual({ submits: [] });
  });

  test('receipts on demand: many, contradicting, forged; 404 for a message nobody knows', async () => {
    await rule({ match: { any: true }, behaviour: 'forget' });
    await submit();
    const tell = (wish: object) =>
      fetch(`${carrier.url}/control/receipts`, { method: 'POST', body: JSON.stringify({ sendId: 's-1', ...wish }) });
    expect(await (await tell({ status: 'undelivered', times: 3 })).json()).toEqual({ answers: [204, 204, 204] });
    await tell({ status: 'undelivered', isForged: true });
    expect(statuses()).toEqual(['undelivered', 'undelivered', 'undelivered', 'undelivered']);
    expect(new Set(received.slice(0, 3).map(({ signature }) => signature)).size).toBe(1);
    expect(received[3]?.signature).not.toBe(received[0]?.signature);
    expect((await tell({ sendId: 'nobody', status: 'sent' })).status).toBe(404);
    expect((await tell({ status: 'sent', times: 1_001 })).status).toBe(400);
    expect((await tell({})).status).toBe(400);
  });
});

describe('the inbox', () => {
  test('newest first, by number, with receipts and the count of submits', async () => {
    await submit({ to: '+447700900001', sendId: 'a', body: 'first' });
    await submit({ to: '+447700900002', sendId: 'b', body: 'second' });
    await submit({ to: '+447700900001', sendId: 'a', body: 'third' });
    await settled(6);
    await eventually(async () => {
      expect(await json('/inbox.json')).toMatchObject([
        {
          body: 'third',
          sendId: 'a',
          submits: 2,
          receipts: [{ status: 'sent', answer: 204 }, { status: 'delivered' }],
        },
        { body: 'second', sendId: 'b', submits: 1, receipts: [{}, {}] },
        { body: 'first', sendId: 'a', submits: 2, receipts: [{}, {}] },
      ]);
    });
    for (const query of ['to=+447700900002', 'to=%2B447700900002', 'to=447700900002'])
      expect(await json(`/inbox.json?${query}`)).toMatchObject([{ body: 'second', to: '+447700900002' }]);
  });

  test('a receipt that nobody takes is told as such', async () => {
    await submit({ form: { StatusCallback: 'http://127.0.0.1:9/x?send=s-9#rc=0' } });
    await eventually(async () => {
      expect(await json('/inbox.json')).toMatchObject([
        {
          sendId: 's-9',
          receipts: [
            { status: 'sent', answer: null },
            { status: 'delivered', answer: null },
          ],
        },
      ]);
    });
  });

  test('204: DELETE empties it and ends the receipts that were to come', async () => {
    stopClock();
    await rule({ match: { any: true }, behaviour: 'late=1000', times: 2 });
    const sid = await submitted({ sendId: 'emptied' });
    expect(await stateOf(sid)).toBe('queued');
    expect((await fetch(`${carrier.url}/inbox.json`, { method: 'DELETE' })).status).toBe(204);
    expect(await json('/inbox.json')).toEqual([]);
    const kept = await submitted({ sendId: 'kept' });
    expect(await stateOf(kept)).toBe('queued');
    vi.advanceTimersByTime(1_000);
    // What was to come for the first would come before these.
    await untilReceived(2);
    expect(received.map(({ url }) => url).join()).not.toContain('emptied');
  });

  test('the page shows a message as text, whatever it holds, and needs no script', async () => {
    await submit({ to: '+447700900001', body: '<script>alert("1")</script> & \'so\'\n@apply.example.com #391842' });
    const response = await fetch(`${carrier.url}/inbox`);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;so&#39;\n@apply.example.com');
    expect(page).not.toContain('<script');
    expect(page).toContain('<html lang="en-GB">');
    expect(page).toContain('http-equiv="refresh"');
    expect(page).toContain('To +44 7700 900001');
  });

  test('the page can be kept still, and shows one number alone', async () => {
    await submit({ to: '+447700900001', body: 'one' });
    await submit({ to: '+447700900002', body: 'two' });
    const page = await (await fetch(`${carrier.url}/inbox?refresh=off&to=+447700900002`)).text();
    expect(page).not.toContain('http-equiv="refresh"');
    expect(page).toContain('two');
    expect(page).not.toContain('>one<');
    const hostile = await (await fetch(`${carrier.url}/inbox?to=%22%3E%3Cb%3E`)).text();
    expect(hostile).not.toContain('<b>');
    expect(hostile).toContain('No messages yet.');
  });
});
