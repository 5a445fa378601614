// Receivers that behave badly, each by name: nothing is lost, nothing is sent to a private address, what comes twice has the
// same id, and the worker's memory stays bounded. The worker is a process of its own. Receivers are on 127.0.0.2, which
// stands for the internet; the listener on every other address of this machine stands for the inside.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { callAs } from '../support/people.ts';
import {
  answer,
  type Behaviour,
  type ReceivedEvent,
  type Receiver,
  startReceiver,
  verify,
} from '../support/receiver.ts';
import { addWebhookTenant, makeDue, passTime, startWebhookServer, type WebhookTenant } from '../support/webhooks.ts';
import { startWorker, type Worker } from '../support/worker.ts';

const OUTSIDE = '127.0.0.2';
const MEGABYTE = 1_024 * 1_024;
const COMPRESSED = gzipSync(Buffer.alloc(100 * MEGABYTE));

let server: TestServer;
let worker: Worker;
let inside: Server;
let insidePort: number;
let reachedInside = 0;
const receivers: Receiver[] = [];

/** The rows of the table run at once, and its connection takes one query at a time. */
function oneByOne(started: TestServer): TestServer {
  let last: Promise<unknown> = Promise.resolve();
  const query: TestServer['query'] = (text, values) => {
    const next = last.then(() => started.query<never>(text, values));
    last = next.catch(() => undefined);
    return next;
  };
  return { ...started, query };
}

beforeAll(async () => {
  inside = createServer((socket) => {
    reachedInside += 1;
    socket.destroy();
  });
  await once(inside.listen(0, '::'), 'listening');
  ({ port: insidePort } = inside.address() as AddressInfo);
  server = oneByOne(
    await startWebhookServer({
      environment: { TREFOIL_JOBS: 'off', TREFOIL_WEBHOOK_ALLOWED_NETWORKS: `${OUTSIDE}/32` },
    }),
  );
  worker = await startWorker(server);
});
afterAll(async () => {
  await worker.kill();
  await server.close();
  for (const receiver of receivers) await receiver.close();
  inside.close();
});

async function receive(behaviour: Behaviour, port = 0): Promise<Receiver> {
  const receiver = await startReceiver(behaviour, { host: OUTSIDE, port });
  receivers.push(receiver);
  return receiver;
}

/** What happened, by the feed of events: it knows nothing of deliveries. */
async function eventsOf({ tenantId, owner }: WebhookTenant): Promise<string[]> {
  const { data } = await callAs(server, owner, 'GET', `/${tenantId}/v1/events?limit=200`);
  return (data['items'] as ReceivedEvent[]).map(({ id }) => id);
}

/** Moves the clock of an endpoint until so many events were accepted, and none waits. */
const accepted = (tenant: WebhookTenant, endpointId: string, count: number) =>
  eventually(async () => {
    await makeDue(server, endpointId);
    const states = (await tenant.deliveries(endpointId)).map(({ state }) => state);
    expect(states).toEqual(Array.from({ length: count }, () => 'delivered'));
  });

/** Every event of the feed has come, no other id has, each was signed, and the same id always had the same body. */
async function expectNothingLost(tenant: WebhookTenant, { received }: Receiver, secret: string): Promise<void> {
  const bodies = new Map<string, Set<string>>();
  for (const message of received.filter(({ event }) => event.type !== 'webhook.test')) {
    verify(secret, message);
    bodies.set(message.webhookId, (bodies.get(message.webhookId) ?? new Set()).add(message.text));
  }
  expect([...bodies.keys()].toSorted()).toEqual((await eventsOf(tenant)).toSorted());
  for (const [id, texts] of bodies) expect([id, texts.size]).toEqual([id, 1]);
}

/** A hundred megabytes, as fast as the other side takes them. */
const flood =
  (status: number): Behaviour =>
  (response) => {
    const chunk = Buffer.alloc(64 * 1_024, 'x');
    let left = (100 * MEGABYTE) / chunk.length;
    const more = () => {
      while (!response.destroyed && left > 0) {
        left -= 1;
        if (!response.write(chunk)) return response.once('drain', more);
      }
      return response.end();
    };
    response.writeHead(status);
    more();
  };

/** Writes raw bytes again and again, for as long as the other side listens. */
const drip =
  (first: string, next: string): Behaviour =>
  ({ socket }) => {
    socket?.write(first);
    const timer = setInterval(() => socket?.write(next), 200);
    socket?.on('error', () => undefined).on('close', () => clearInterval(timer));
  };

const redirect =
  (status: number, host: string): Behaviour =>
  (response) => {
    response.writeHead(status, { location: `http://${host}:${insidePort}/` }).end();
  };

type Row = {
  readonly what: string;
  readonly behave: Behaviour;
  /** What the tenant reads about the attempt. */
  readonly status: number | null;
  readonly error: string | null;
  readonly outcome: 'tried again' | 'disabled' | 'delivered';
};

/** Of the delivery, after its first attempt. */
const STATES = { 'tried again': 'pending', disabled: 'waiting', delivered: 'delivered' } as const;

const LATE = 'No answer within 15 seconds.';
const BROKEN = 'The connection failed or broke.';
const EXCESS = 'More than 10 informational answers (1xx) or 32 kB came before a status.';
const NOT_FOLLOWED = (status: number) => `The receiver answered ${status}; redirects are not followed.`;
const again = (what: string, behave: Behaviour, status: number | null, error: string): Row => ({
  ...{ what, behave, status, error, outcome: 'tried again' },
});

const ROWS: readonly Row[] = [
  again('takes the message and answers after 16 seconds', (r) => void setTimeout(() => r.end(), 16_000), null, LATE),
  again('sends a byte of its headers now and then', drip('HTTP/1.1 200 OK\r\nx-slow: ', 'a'), null, LATE),
  again('sends nothing but interim answers', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), null, EXCESS),
  again('takes the message and hangs up', (response) => response.destroy(), null, BROKEN),
  again('switches to another protocol', answer(101, { upgrade: 'other', connection: 'upgrade' }), null, BROKEN),
  again('answers 500', answer(500, {}, 'broken'), 500, 'The receiver answered 500.'),
  again('answers 404', answer(404), 404, 'The receiver answered 404.'),
  {
    what: 'answers 410',
    behave: answer(410),
    status: 410,
    error: 'The receiver answered 410 (Gone).',
    outcome: 'disabled',
  },
  again('redirects to this machine', redirect(307, '127.0.0.1'), 307, NOT_FOLLOWED(307)),
  again('redirects to this machine for good', redirect(308, '127.0.0.1'), 308, NOT_FOLLOWED(308)),
  again('redirects with GET', redirect(303, '127.0.0.1'), 303, NOT_FOLLOWED(303)),
  again('redirects to this machine by IPv6', redirect(302, '[::1]'), 302, NOT_FOLLOWED(302)),
  again('redirects to a name of this machine', redirect(301, 'localhost'), 301, NOT_FOLLOWED(301)),
  again('redirects to a metadata address', redirect(302, '169.254.169.254'), 302, NOT_FOLLOWED(302)),
  { what: 'accepts and sends 100 MB back', behave: flood(200), status: 200, error: null, outcome: 'delivered' },
  again('refuses and sends 100 MB back', flood(500), 500, 'The receiver answered 500.'),
  again(
    'sends a megabyte of headers',
    answer(200, { 'x-much': 'a'.repeat(MEGABYTE) }),
    null,
    'The answer is not valid HTTP.',
  ),
  {
    what: 'accepts and sends 100 MB back, compressed',
    behave: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(COMPRESSED),
    ...{ status: 200, error: null, outcome: 'delivered' },
  },
];

describe.concurrent('a receiver that', () => {
  test.each(ROWS)(
    '$what: $outcome',
    async ({ behave, status, error, outcome }) => {
      const tenant = await addWebhookTenant(server);
      const receiver = await receive(behave);
      const { id, secret } = await tenant.add({ url: receiver.url });
      await tenant.happen(1);
      const first = await eventually(async () => {
        const tried = (await tenant.deliveries(id)).find(({ attempts }) => attempts.length > 0);
        if (!tried) throw new Error('nothing was attempted');
        return tried;
      });
      expect(first.attempts.at(-1)).toMatchObject({ status, error });
      expect(first.state).toBe(STATES[outcome]);

      receiver.behave(answer(204));
      await tenant.happen(2);
      if (outcome === 'disabled') {
        expect(await tenant.read(id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
        await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
      }
      // After a 410 it gets a test message before the rest.
      await accepted(tenant, id, outcome === 'disabled' ? 4 : 3);
      await expectNothingLost(tenant, receiver, secret);
      // Each message is an attempt that the tenant can look up.
      const attempts = (await tenant.deliveries(id)).reduce((sum, each) => sum + each.attempts.length, 0);
      expect(receiver.received).toHaveLength(attempts);
      if (outcome === 'delivered') expect(attempts).toBe(3);
      else expect(attempts).toBeGreaterThan(3);
    },
    60_000,
  );

  test('is down for an hour: what happened in that hour arrives, within three hours', async () => {
    const tenant = await addWebhookTenant(server);
    const port = await freePort();
    const { id, secret } = await tenant.add({ url: `http://${OUTSIDE}:${port}/hook` });
    const attempts = async () =>
      (await tenant.deliveries(id)).reduce((sum, each) => sum + each.attempts.filter((one) => one.error).length, 0);
    let passedSeconds = 0;
    while (passedSeconds < 3_600) {
      await tenant.happen(1);
      const before = await attempts();
      await eventually(async () => expect(await attempts()).toBeGreaterThan(before));
      await passTime(server, id, 600);
      passedSeconds += 600;
    }
    const { status, disabledReason } = await tenant.read(id);
    expect({ status, disabledReason }).toEqual({ status: 'enabled', disabledReason: null });

    const receiver = await receive(answer(204), port);
    for (let minutes = 0; minutes < 120; minutes += 10) await passTime(server, id, 600);
    await accepted(tenant, id, 6);
    await expectNothingLost(tenant, receiver, secret);
    expect(receiver.received).toHaveLength(6);
    for (const each of await tenant.deliveries(id)) {
      expect(each.attempts.slice(1).map(({ error }) => error)).toEqual(each.attempts.slice(1).map(() => BROKEN));
    }
  });
});

test('twenty receivers send 100 MB each at once: the memory of the worker stays bounded', async () => {
  const before = await worker.peakMegabytes();
  const floods: { tenant: WebhookTenant; id: string }[] = [];
  for (let count = 0; count < 20; count += 1) {
    const tenant = floods[count - (count % 10)]?.tenant ?? (await addWebhookTenant(server));
    const { url } = await receive(flood(200));
    floods.push({ tenant, id: (await tenant.add({ url })).id });
  }
  for (const tenant of new Set(floods.map((each) => each.tenant))) await tenant.happen(1);
  for (const { tenant, id } of floods) await accepted(tenant, id, 1);
  // Two gigabytes were offered. Buffers of the sockets, and what the collector has not taken yet, are a few dozen megabytes.
  expect((await worker.peakMegabytes()) - before).toBeLessThan(80);
}, 60_000);

test('nothing was sent to an address inside, although the listener there can be reached', async () => {
  expect(reachedInside).toBe(0);
  for (const host of ['127.0.0.1', '[::1]']) await fetch(`http://${host}:${insidePort}/`).catch(() => undefined);
  expect(reachedInside).toBeGreaterThanOrEqual(2);
});
