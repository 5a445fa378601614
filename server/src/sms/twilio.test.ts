import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startCarrier } from '../../../simulators/src/carrier/server.ts';
import { CREDENTIALS } from '../../../simulators/src/credentials.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { endsAfter, startClock, stopClock } from '../lib/testing/stopped-clock.ts';
import type { Carrier } from './port.ts';
import { checkCarrier } from './testing/carrier-contract.ts';
import { startReceiver } from './testing/receiver.ts';
import { createTwilio, type TwilioSettings } from './twilio.ts';

/** A busy machine must not make an answer come too late; where none comes, the clock is stopped and moved. */
const TIMEOUT_MS = 15_000;
const SETTINGS = { ...CREDENTIALS.carrier, callbackBaseUrl: 'https://api.example.com', timeoutMs: TIMEOUT_MS };

checkCarrier('twilio', async () => {
  const [simulator, receiver] = await Promise.all([startCarrier({ port: 0, latencyMs: 0 }), startReceiver()]);
  const settings = { ...SETTINGS, apiBaseUrl: simulator.url, callbackBaseUrl: receiver.url };
  const carrier = createTwilio(settings);
  return {
    carrier,
    timeoutMs: TIMEOUT_MS,
    askTimeoutMs: 5_000,
    numbers: {
      delivered: '+447700900001',
      undelivered: '+447700900201',
      forgotten: '+447700900301',
      unheard: '+447700900901',
      duplicated: '+447700900401',
      reordered: '+447700900501',
      refused: '+447700900601',
      lost: '+447700900701',
      hung: '+447700900801',
    },
    submits: (sendId) => submitsOf(simulator.url, sendId),
    receipts: receiver.receipts,
    refuseReceipts: receiver.refuse,
    failAsks: () => control(simulator.url, 'hang', 'ask'),
    stop: async () => {
      await carrier.close();
      await Promise.all([simulator.close(), receiver.close()]);
    },
  };
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  startClock();
  for (const close of closing.splice(0).reverse()) await close();
});

async function control(simulator: string, behaviour: string, call: 'submit' | 'ask' = 'submit'): Promise<void> {
  const rule = { match: { any: true }, behaviour, call };
  await fetch(`${simulator}/control`, { method: 'POST', body: JSON.stringify(rule) });
}

async function submitsOf(simulator: string, sendId: string): Promise<number> {
  const { submits } = (await (await fetch(`${simulator}/control/submits`)).json()) as {
    submits: { sendId: string; submits: number }[];
  };
  return submits.find((each) => each.sendId === sendId)?.submits ?? 0;
}

function open(apiBaseUrl: string, settings: Partial<TwilioSettings> = {}): Carrier {
  const carrier = createTwilio({ ...SETTINGS, apiBaseUrl, ...settings } as TwilioSettings);
  closing.push(() => carrier.close());
  return carrier;
}

const message = (to = '+447700900001') => ({
  to,
  text: '391842 is your code.',
  sendId: randomUUID(),
  tenantId: randomUUID(),
});

describe('against the simulator', () => {
  async function startSimulator(behaviour?: string) {
    const simulator = await startCarrier({ port: 0, latencyMs: 0 });
    closing.push(() => simulator.close());
    if (behaviour) await control(simulator.url, behaviour);
    return simulator;
  }

  const rows = [
    // the carrier's behaviour, the outcome
    ['garbage', { kind: 'unknown', cause: new Error('twilio: a 201 without a reference') }],
    ['huge', { kind: 'unknown', cause: new Error('twilio: too-large') }],
    ['reset', { kind: 'unknown', cause: new Error('twilio: connection') }],
    ['lost', { kind: 'unknown', cause: new Error('twilio: status 500') }],
    ['hang', { kind: 'unknown', cause: new Error('twilio: timeout') }],
    ['throttle', { kind: 'refused', reason: 'twilio-20429' }],
    ['refuse=30007', { kind: 'refused', reason: 'twilio-30007' }],
    ['early', { kind: 'accepted', carrierRef: expect.stringMatching(/^SM[0-9a-f]{32}$/) }],
  ] as const;
  for (const [behaviour, expected] of rows) {
    test(`${behaviour}: ${expected.kind}, one submit`, async () => {
      const simulator = await startSimulator(behaviour);
      const sent = message();
      const carrier = open(simulator.url, { callbackBaseUrl: simulator.url });
      if (behaviour === 'hang') stopClock();
      const sending = carrier.send(sent);
      await eventually(async () => expect(await submitsOf(simulator.url, sent.sendId)).toBe(1));
      expect(await (behaviour === 'hang' ? endsAfter(TIMEOUT_MS, sending) : sending)).toEqual(expected);
      expect(await submitsOf(simulator.url, sent.sendId)).toBe(1);
    });
  }

  test('a wrong token and a number that is none are refused with the carrier’s code', async () => {
    const { url } = await startSimulator();
    expect(await open(url, { authToken: 'other' }).send(message())).toEqual({
      kind: 'refused',
      reason: 'twilio-20003',
    });
    expect(await open(url).send(message('07700'))).toEqual({ kind: 'refused', reason: 'twilio-21211' });
  });

  test('who waits for a connection until it is too late is refused, and was never submitted', async () => {
    const { url } = await startSimulator();
    const carrier = open(url, { maxConcurrent: 1 });
    const [hanging, waiting] = [message('+447700900801'), message('+447700900001')];
    stopClock();
    const outcomes = [carrier.send(hanging), carrier.send(waiting)] as const;
    await eventually(async () => expect(await submitsOf(url, hanging.sendId)).toBe(1));
    expect(await endsAfter(0.75 * TIMEOUT_MS, outcomes[1])).toEqual({ kind: 'refused', reason: 'not-connected' });
    expect(await endsAfter(0.25 * TIMEOUT_MS, outcomes[0])).toMatchObject({ kind: 'unknown' });
    // Both have ended, and a third succeeds: the abandoned ones are not sent later.
    expect(await carrier.send(message())).toMatchObject({ kind: 'accepted' });
    expect(await submitsOf(url, hanging.sendId)).toBe(1);
    expect(await submitsOf(url, waiting.sendId)).toBe(0);
  });

  test('a connection that comes free in the last quarter of the time is not used', async () => {
    const { url } = await startSimulator(`early, late=${0.8 * TIMEOUT_MS}`);
    const carrier = open(url, { maxConcurrent: 1, callbackBaseUrl: url });
    const [slow, waiting] = [message(), message()];
    stopClock();
    const outcomes = [carrier.send(slow), carrier.send(waiting)] as const;
    await eventually(async () => expect(await submitsOf(url, slow.sendId)).toBe(1));
    expect(await endsAfter(0.75 * TIMEOUT_MS, outcomes[1])).toEqual({ kind: 'refused', reason: 'not-connected' });
    vi.advanceTimersByTime(0.05 * TIMEOUT_MS);
    expect(await outcomes[0]).toMatchObject({ kind: 'accepted' });
    expect(await submitsOf(url, waiting.sendId)).toBe(0);
  });

  test('more at once than there are connections: each is accepted, each submitted once', async () => {
    const { url } = await startSimulator();
    const carrier = open(url, { maxConcurrent: 3, callbackBaseUrl: url });
    const messages = Array.from({ length: 60 }, () => message());
    const outcomes = await Promise.all(messages.map((each) => carrier.send(each)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    const counts = await Promise.all(messages.map(({ sendId }) => submitsOf(url, sendId)));
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  test('closing waits for a send in flight; afterwards nothing is sent', async () => {
    const { url } = await startSimulator('early, late=200');
    const carrier = open(url, { callbackBaseUrl: url });
    const sending = carrier.send(message());
    await carrier.close();
    expect(await sending).toMatchObject({ kind: 'accepted' });
    expect(await carrier.send(message())).toEqual({ kind: 'refused', reason: 'not-connected' });
  });
});

describe('against anything else', () => {
  async function listen(listener: RequestListener): Promise<string> {
    const server: Server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('nobody listens, no such host, no TLS: refused, since nothing was sent', async () => {
    const url = await listen((_request, response) => response.end());
    const closed = await startCarrier({ port: 0 });
    await closed.close();
    for (const address of [closed.url, 'http://carrier.invalid', url.replace('http:', 'https:')]) {
      expect(await open(address).send(message())).toEqual({ kind: 'refused', reason: 'not-connected' });
    }
  });

  const sid = `SM${'0'.repeat(32)}`;
  const rows: readonly (readonly [number, string, object])[] = [
    // status, body, outcome
    [201, JSON.stringify({ sid }), { kind: 'accepted', carrierRef: sid }],
    [201, JSON.stringify({ sid: 'CA1' }), { kind: 'unknown' }],
    [201, 'null', { kind: 'unknown' }],
    [201, '', { kind: 'unknown' }],
    [200, JSON.stringify({ sid }), { kind: 'unknown' }],
    [302, '', { kind: 'unknown' }],
    [400, JSON.stringify({ code: 21_211, message: 'no' }), { kind: 'refused', reason: 'twilio-21211' }],
    [403, '<html>blocked</html>', { kind: 'unknown' }],
    [408, '', { kind: 'unknown' }],
    [400, JSON.stringify({ code: '+447700900001' }), { kind: 'unknown' }],
    [429, 'slow down', { kind: 'refused', reason: 'throttled' }],
    [500, JSON.stringify({ code: 20_500, message: 'no' }), { kind: 'unknown' }],
    [503, JSON.stringify({ code: 20_503, message: 'no' }), { kind: 'unknown' }],
  ];
  for (const [status, body, expected] of rows) {
    test(`${status} ${body.slice(0, 40)}: ${JSON.stringify(expected)}`, async () => {
      let asked = 0;
      const url = await listen((_request, response) => {
        asked += 1;
        response.writeHead(status, { location: '/elsewhere' }).end(body);
      });
      expect(await open(url).send(message())).toMatchObject(expected);
      expect(asked).toBe(1);
    });
  }

  test('the submit is one form with the number, the text and the address for receipts', async () => {
    const asked: { path: string | undefined; authorization: string | undefined; form: Record<string, string> }[] = [];
    const url = await listen((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { authorization } = request.headers;
        asked.push({ path: request.url, authorization, form: Object.fromEntries(new URLSearchParams(body)) });
        response.writeHead(201).end(JSON.stringify({ sid }));
      });
    });
    const sent = message();
    const { from: _, ...withoutFrom } = { ...SETTINGS, callbackBaseUrl: 'https://api.example.com/trefoil/' };
    await open(url).send(sent);
    const service = createTwilio({ ...withoutFrom, apiBaseUrl: `${url}/proxy/`, messagingServiceSid: 'MG1' });
    closing.push(() => service.close());
    await service.send(sent);
    const query = `tenant=${sent.tenantId}&send=${sent.sendId}`;
    const path = `/2010-04-01/Accounts/${SETTINGS.accountSid}/Messages.json`;
    const authorization = `Basic ${Buffer.from(`${SETTINGS.accountSid}:${SETTINGS.authToken}`).toString('base64')}`;
    expect(asked).toEqual([
      {
        path,
        authorization,
        form: {
          To: sent.to,
          From: SETTINGS.from,
          Body: sent.text,
          StatusCallback: `https://api.example.com/v1/carriers/twilio/receipts?${query}#rc=5&rp=5xx,ct,rt&ct=2000&rt=5000`,
        },
      },
      {
        path: `/proxy${path}`,
        authorization,
        form: {
          To: sent.to,
          MessagingServiceSid: 'MG1',
          Body: sent.text,
          StatusCallback: `https://api.example.com/trefoil/v1/carriers/twilio/receipts?${query}#rc=5&rp=5xx,ct,rt&ct=2000&rt=5000`,
        },
      },
    ]);
  });

  test('a base that is no address is refused at the start', () => {
    expect(() => createTwilio({ ...SETTINGS, apiBaseUrl: 'http://127.0.0.1', callbackBaseUrl: 'api' })).toThrow();
  });
});
