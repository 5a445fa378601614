// Asking Twilio about a message: what its answer means, and what a missing answer means. Against the simulator, and against
// servers with arbitrary answers.
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startCarrier } from '../../../simulators/src/carrier/server.ts';
import { CREDENTIALS } from '../../../simulators/src/credentials.ts';
import type { Carrier } from './port.ts';
import { createTwilio } from './twilio.ts';

const SETTINGS = { ...CREDENTIALS.carrier, callbackBaseUrl: 'https://api.example.com' };
const sid = 'SM0123456789abcdef0123456789abcdef';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function open(apiBaseUrl: string, changes: { timeoutMs?: number } = {}): Carrier {
  const carrier = createTwilio({ ...SETTINGS, apiBaseUrl, ...changes });
  closing.push(() => carrier.close());
  return carrier;
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (carrier: Carrier, carrierRef: string) => carrier.ask?.(carrierRef);

describe('against the simulator', () => {
  const secrets = ['391842', '900901', 'teleported'];
  const told = (outcome: unknown) =>
    JSON.stringify(outcome) + String((outcome as { cause?: unknown } | undefined)?.cause);

  const failures = [
    // the simulator's behaviour, the expected cause
    ['lost', 'status 500'],
    ['throttle', 'status 429'],
    ['refuse=20404', 'status 404'],
    ['hang', 'timeout'],
    ['reset', 'connection'],
    ['garbage', 'not JSON'],
    ['huge', 'too-large'],
    ['other', 'another message'],
    ['state=teleported', 'an unknown state'],
    ['state=partially_delivered', 'an unknown state'],
  ] as const;
  for (const [behaviour, what] of failures) {
    test(`${behaviour}: unknown, ${what}, and nothing of the reply`, async () => {
      const simulator = await startCarrier({ port: 0 });
      closing.push(() => simulator.close());
      const carrier = open(simulator.url, behaviour === 'hang' ? { timeoutMs: 500 } : {});
      const ids = { sendId: randomUUID(), tenantId: randomUUID() };
      const sent = await carrier.send({ to: '+447700900901', text: '391842 is your code.', ...ids });
      if (sent.kind !== 'accepted') throw new Error('not accepted');
      const rule = { call: 'ask', match: { any: true }, behaviour };
      await fetch(`${simulator.url}/control`, { method: 'POST', body: JSON.stringify(rule) });
      const outcome = await ask(carrier, sent.carrierRef);
      expect(outcome).toEqual({ kind: 'unknown', cause: new Error(`twilio: ${what}`) });
      for (const secret of secrets) expect(told(outcome)).not.toContain(secret);
    });
  }

  test('nothing listens, or the carrier is closed: unknown', async () => {
    const away = open('http://127.0.0.1:9');
    expect(await ask(away, sid)).toEqual({ kind: 'unknown', cause: new Error('twilio: not-connected') });
    await away.close();
    expect((await ask(away, sid))?.kind).toBe('unknown');
  });
});

describe('against anything else', () => {
  test('what is not in the form of a reference is not asked about', async () => {
    let requests = 0;
    const carrier = open(
      await listen((_request, response) => {
        requests += 1;
        response.end();
      }),
    );
    for (const carrierRef of ['', '..', `${sid}0`, `${sid}/Media`, `${sid}?x=`, sid.replace('SM', 'CA')])
      expect((await ask(carrier, carrierRef))?.kind).toBe('unknown');
    expect(requests).toBe(0);
    await ask(carrier, sid);
    expect(requests).toBe(1);
  });

  const message200 = (changes: object) => JSON.stringify({ ...{ sid, account_sid: SETTINGS.accountSid }, ...changes });
  const FINAL = (status: string) => ({ kind: 'final', status });
  const replies: readonly (readonly [number, string, object])[] = [
    [200, message200({ status: 'delivered' }), FINAL('delivered')],
    [200, message200({ status: 'read' }), FINAL('delivered')],
    [200, message200({ status: 'undelivered', error_code: 30_003 }), FINAL('undelivered')],
    [200, message200({ status: 'failed' }), FINAL('undelivered')],
    [200, message200({ status: 'canceled' }), FINAL('undelivered')],
    [200, message200({ status: 'sent' }), { kind: 'open' }],
    [200, message200({ status: 'queued' }), { kind: 'open' }],
    [200, message200({ status: 'DELIVERED' }), { kind: 'unknown' }],
    [200, message200({ status: 'constructor' }), { kind: 'unknown' }],
    [200, message200({ status: ['delivered'] }), { kind: 'unknown' }],
    [200, message200({}), { kind: 'unknown' }],
    [200, message200({ status: 'delivered', sid: sid.toUpperCase() }), { kind: 'unknown' }],
    [200, message200({ status: 'delivered', sid: undefined }), { kind: 'unknown' }],
    [200, message200({ status: 'delivered', account_sid: 'AC1' }), { kind: 'unknown' }],
    [200, message200({ status: 'undelivered' }).replace('}', ',"status":"delivered"}'), { kind: 'unknown' }],
    [200, `[${message200({ status: 'delivered' })}]`, { kind: 'unknown' }],
    [200, 'null', { kind: 'unknown' }],
    [201, message200({ status: 'delivered' }), { kind: 'unknown' }],
    [203, message200({ status: 'delivered' }), { kind: 'unknown' }],
    [302, message200({ status: 'delivered' }), { kind: 'unknown' }],
    [400, message200({ status: 'delivered' }), { kind: 'unknown' }],
    [500, message200({ status: 'delivered' }), { kind: 'unknown' }],
  ];
  for (const [status, body, expected] of replies) {
    test(`${status} ${body}: ${JSON.stringify(expected)}`, async () => {
      const requests: (string | undefined)[] = [];
      const url = await listen((request, response) => {
        requests.push(request.method, request.url, request.headers.authorization);
        response.writeHead(status, { location: '/elsewhere' }).end(body);
      });
      expect(await ask(open(url), sid)).toMatchObject(expected);
      const basic = Buffer.from(`${SETTINGS.accountSid}:${SETTINGS.authToken}`).toString('base64');
      const path = `/2010-04-01/Accounts/${SETTINGS.accountSid}/Messages/${sid}.json`;
      expect(requests).toEqual(['GET', path, `Basic ${basic}`]);
    });
  }
});
