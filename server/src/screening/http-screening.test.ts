// The adapter against the real simulator over HTTP: decisions, every kind of failure, the guard. The clock stands still unless a
// test moves it: the adapter waits two seconds at most, and a busy machine must not make an answer come too late.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CREDENTIALS } from '../../../simulators/src/credentials.ts';
import { type RunningScreening, startScreening } from '../../../simulators/src/screening/server.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { endsAfter, startClock, stopClock } from '../lib/testing/stopped-clock.ts';
import { createHttpScreening, type HttpScreeningOptions, SCREENING_BUDGET_MS } from './http-screening.ts';
import type { Screening, ScreeningRequest } from './port.ts';

let simulator: RunningScreening;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  simulator = await startScreening({ port: 0, latencyMs: 0 });
});
beforeEach(stopClock);
afterEach(async () => {
  startClock();
  await Promise.all(open.splice(0).map((each) => each.close()));
  await fetch(`${simulator.url}/control`, { method: 'DELETE' });
});
afterAll(() => simulator.close());

function connect(
  options: Partial<HttpScreeningOptions> = {},
  patience?: number,
): ReturnType<typeof createHttpScreening> {
  const { apiKey } = CREDENTIALS.screening;
  const screening = createHttpScreening({ baseUrl: simulator.url, apiKey, ...options }, patience);
  open.push(screening);
  return screening;
}

const NEVER = { hour: 0, day: 0, otherPeople: 0 };

function requestOf({ email = 'ada@example.com', ...rest }: Partial<ScreeningRequest> & { email?: string } = {}) {
  return {
    reference: randomUUID(),
    consumer: {
      title: 'Ms',
      firstName: 'Ada',
      lastName: 'Example',
      dateOfBirth: '1984-03-09',
      addresses: [
        {
          type: 'current',
          ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
        },
      ],
      email,
      mobileNumber: '+447700900123',
    },
    ipAddress: '192.0.2.10',
    searchType: 'pcp',
    device: {
      deviceDigest: 'a3f1c2',
      collectedAt: '2026-06-01T08:59:58.120Z',
      network: { ipAddress: '192.0.2.10', userAgentFamily: 'Firefox' },
    },
    velocity: { person: NEVER, network: NEVER },
    ...rest,
  } satisfies ScreeningRequest;
}

async function behave(behaviour: string, times?: number): Promise<void> {
  const rule = { match: { any: true }, behaviour, ...(times && { times }) };
  const { status } = await fetch(`${simulator.url}/control`, { method: 'POST', body: JSON.stringify(rule) });
  expect(status).toBe(201);
}

/** How often the provider was asked, for each reference. */
async function timesAsked(): Promise<Record<string, number>> {
  const response = await fetch(`${simulator.url}/control/enquiries`);
  const { enquiries } = (await response.json()) as { enquiries: { enquiryId: string; enquiries: number }[] };
  return Object.fromEntries(enquiries.map((each) => [each.enquiryId, each.enquiries]));
}

const untilAsked = (count: number) =>
  eventually(async () => expect(Object.keys(await timesAsked()).length).toBeGreaterThanOrEqual(count));

async function reasonOf(screening: Screening, request = requestOf()): Promise<string> {
  const outcome = await screening.screen(request);
  return outcome.kind === 'unavailable' ? outcome.reason : outcome.kind;
}

describe('decisions', () => {
  const rows = [
    [{ email: 'allow@example.com', ipAddress: '203.0.113.9' }, 'allow', ['email-says-allow']],
    [{ email: 'challenge@example.com' }, 'challenge', ['email-says-challenge']],
    [{ email: 'block@example.com' }, 'block', ['email-says-block']],
    [{ ipAddress: '203.0.113.9' }, 'block', ['network-banned']],
    [{ ipAddress: '198.51.100.9' }, 'challenge', ['network-suspect']],
    [{}, 'allow', ['nothing-found']],
    [{ device: undefined }, 'allow', ['nothing-found', 'device-unknown']],
  ] as const;
  for (const [wish, kind, reasons] of rows) {
    test(`${JSON.stringify(wish)}: ${kind}, and the provider was asked once`, async () => {
      const request = requestOf(wish);
      expect(await connect().screen(request)).toEqual({ kind, reasons });
      expect(await timesAsked()).toEqual({ [request.reference]: 1 });
    });
  }

  test('a base address with a path and a slash at its end is kept to', async () => {
    expect(await reasonOf(connect({ baseUrl: `${simulator.url}/` }))).toBe('allow');
    expect(await reasonOf(connect({ baseUrl: `${simulator.url}/elsewhere/` }))).toBe('refused');
  });
});

describe('trouble', () => {
  const rows = [
    // behaviour, expected
    ['slow=60000', 'timeout'],
    ['hang', 'timeout'],
    ['drip', 'timeout'],
    ['reset', 'connection'],
    ['reset=body', 'connection'],
    ['half', 'connection'],
    ['half=clean', 'unintelligible'],
    ['garbage', 'unintelligible'],
    ['garbage=html', 'unintelligible'],
    ['garbage=binary', 'unintelligible'],
    ['garbage=empty', 'unintelligible'],
    ['wrong-type', 'unintelligible'],
    ['deep=100', 'unintelligible'],
    ['unknown-codes', 'unintelligible'],
    ['huge=1', 'too-large'],
    ['throttle', 'refused'],
    ['maintenance', 'refused'],
    ['error', 'refused'],
    ['error=400', 'refused'],
    ['error=500', 'refused'],
  ] as const;
  for (const [behaviour, reason] of rows) {
    test(`${behaviour}: ${reason} by the deadline, asked once and not again`, async () => {
      await behave(behaviour);
      const request = requestOf({ email: 'allow@example.com' });
      const asking = reasonOf(connect(), request);
      await untilAsked(1);
      expect(await (reason === 'timeout' ? endsAfter(SCREENING_BUDGET_MS, asking) : asking)).toBe(reason);
      expect(await timesAsked()).toEqual({ [request.reference]: 1 });
    });
  }

  test('a provider that says it is down for this person: refused', async () => {
    expect(await reasonOf(connect(), requestOf({ email: 'screening-down@example.com' }))).toBe('refused');
  });

  test('a wrong key: refused, and nobody was screened', async () => {
    expect(await reasonOf(connect({ apiKey: 'wrong' }))).toBe('refused');
    expect(await timesAsked()).toEqual({});
  });

  test('a key that no header can carry, and nobody listening: an outcome, not an error', async () => {
    expect(await reasonOf(connect({ apiKey: 'two\nlines' }))).toBe('connection');
    expect(await reasonOf(connect({ baseUrl: 'http://127.0.0.1:9' }))).toBe('connection');
  });

  test('a compressed reply or a redirect is not followed up', async () => {
    const rows = [
      [200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
      [307, { location: `${simulator.url}/v1/screenings` }],
    ] as const;
    for (const [status, headers] of rows) {
      const other = createServer((_, response) => response.writeHead(status, headers).end('{}'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as AddressInfo;
      expect(await reasonOf(connect({ baseUrl: `http://127.0.0.1:${port}` }))).toBe('unintelligible');
      other.closeAllConnections();
      other.close();
    }
    expect(await timesAsked()).toEqual({});
  });

  test('the cause holds nothing of the person', async () => {
    for (const behaviour of ['reset', 'garbage', 'hang', 'error=400']) {
      await fetch(`${simulator.url}/control`, { method: 'DELETE' });
      await behave(behaviour);
      const screening = connect().screen(requestOf());
      await untilAsked(1);
      const outcome = await (behaviour === 'hang' ? endsAfter(SCREENING_BUDGET_MS, screening) : screening);
      const cause = outcome.kind === 'unavailable' ? (outcome.cause as Error) : undefined;
      expect(cause?.message).toMatch(/^[a-z-]+: /);
      expect(`${cause?.message}${JSON.stringify(cause)}`).not.toMatch(/example|ada|mill lane|7700/i);
    }
  });

  test('after closing: an outcome, not an error', async () => {
    const screening = connect();
    await behave('hang');
    const request = requestOf();
    const hanging = reasonOf(screening, request);
    await untilAsked(1);
    await screening.close();
    expect(await hanging).toBe('connection');
    expect(await reasonOf(screening)).toBe('connection');
  });
});

describe('the guard', () => {
  test('the budget is two seconds; a shorter one may be told, a longer one may not', async () => {
    expect(SCREENING_BUDGET_MS).toBe(2_000);
    for (const [toldMs, patience, lastsMs] of [
      [undefined, undefined, 2_000],
      [300, undefined, 300],
      [60_000, undefined, 2_000],
      [60_000, 1, 2_000],
      // What tests run that are about something else.
      [60_000, 5, 10_000],
    ] as const) {
      await fetch(`${simulator.url}/control`, { method: 'DELETE' });
      await behave('hang');
      const asking = reasonOf(connect(toldMs === undefined ? {} : { timeoutMs: toldMs }, patience));
      await untilAsked(1);
      expect(await endsAfter(lastsMs, asking)).toBe('timeout');
    }
  });

  test('five failures in a row open the breaker: then nobody is asked, until one may try', async () => {
    const screening = connect({ halfOpenAfterMs: 2_000 });
    await behave('error', 5);
    for (let count = 0; count < 5; count++) expect(await reasonOf(screening)).toBe('refused');
    const request = requestOf();
    expect(await reasonOf(screening, request)).toBe('breaker-open');
    vi.advanceTimersByTime(1_999);
    expect(await reasonOf(screening, request)).toBe('breaker-open');
    expect(await timesAsked()).not.toHaveProperty(request.reference);
    vi.advanceTimersByTime(1);
    expect(await reasonOf(screening)).toBe('allow');
    expect(await reasonOf(screening)).toBe('allow');
  });

  test('requests that the provider finds odd, and blocks, do not open it', async () => {
    const screening = connect({ breakAfter: 2 });
    for (let count = 0; count < 4; count++) {
      expect(await reasonOf(screening, requestOf({ ipAddress: 'nowhere' }))).toBe('refused');
      expect(await reasonOf(screening, requestOf({ ipAddress: 'nowhere' }))).toBe('refused');
      expect(await reasonOf(screening, requestOf({ email: 'block@example.com' }))).toBe('block');
    }
  });

  test('no more at once than told; those beyond are refused at once and never asked about', async () => {
    const screening = connect({ maxConcurrent: 2, maxWaiting: 0 });
    await behave('slow=200');
    const requests = Array.from({ length: 6 }, () => requestOf());
    const asking = requests.map((request) => reasonOf(screening, request));
    // While both places are taken.
    expect(await Promise.all(asking.slice(2))).toEqual(Array(4).fill('overloaded'));
    await untilAsked(2);
    vi.advanceTimersByTime(200);
    expect(await Promise.all(asking.slice(0, 2))).toEqual(['allow', 'allow']);
    expect(Object.keys(await timesAsked())).toHaveLength(2);
  });

  test('two hundred at once all get their own answer', async () => {
    // The budget is two seconds of the stopped clock: none of them can run out of time.
    const screening = connect({ maxConcurrent: 50, maxWaiting: 150 });
    const words = ['allow', 'challenge', 'block'] as const;
    const wished = Array.from({ length: 200 }, (_, place) => words[place % 3] ?? 'allow');
    const got = await Promise.all(
      wished.map((word) => reasonOf(screening, requestOf({ email: `${word}@example.com` }))),
    );
    expect(got).toEqual(wished);
    const asked = Object.values(await timesAsked());
    expect(asked).toHaveLength(200);
    expect(Math.max(...asked)).toBe(1);
  });
});
