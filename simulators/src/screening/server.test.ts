// The screening provider over real HTTP: the wire, the log, rules.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { parseBehaviours } from '../behaviours.ts';
import { CREDENTIALS } from '../credentials.ts';
import { control, enquiriesOf } from '../testing.ts';
import { type RunningScreening, startScreening } from './server.ts';

let provider: RunningScreening;

beforeAll(async () => {
  provider = await startScreening({ port: 0 });
});
afterEach(() => fetch(`${provider.url}/control`, { method: 'DELETE' }));
afterAll(() => provider.close());

const SUBJECT = {
  reference: 'report-1',
  purpose: 'pcp',
  ipAddress: '192.0.2.10',
  person: { title: null, firstName: 'Ada', middleName: null, lastName: 'Example', dateOfBirth: '1984-03-09' },
  contact: { email: null, mobileNumber: '+447700900123' },
  addresses: [{ type: 'current', buildingNumber: '14', townOrCity: 'Ludforth', postcode: 'HR10 2AB' }],
  device: { digest: 'a3f1c2', collectedAt: '2026-06-01T08:59:58Z', ipAddress: null, userAgentFamily: null },
};
const HEADERS = {
  authorization: `Bearer ${CREDENTIALS.screening.apiKey}`,
  'content-type': 'application/json',
};

function post(body: unknown, headers: Record<string, string> = {}, url = provider.url): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${url}/v1/screenings`, { method: 'POST', headers: { ...HEADERS, ...headers }, body: text });
}

test('200: the reference, a decision and its reasons', async () => {
  const reference = randomUUID();
  const response = await post({ ...SUBJECT, reference, ipAddress: '203.0.113.4' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ reference, decision: 'block', reasons: ['network-banned'] });
});

test('503: the person of the outage, and the request is in the log all the same', async () => {
  const contact = { email: 'screening-down@example.com', mobileNumber: null };
  const response = await post({ ...SUBJECT, contact });
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: 'unavailable' });
  expect(await enquiriesOf(provider.url, SUBJECT.reference)).toMatchObject([{ enquiries: 1 }]);
});

test('4xx: refused before anybody is screened, and so not in the log', async () => {
  expect((await post(SUBJECT, { authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await post(SUBJECT, { authorization: '' })).status).toBe(401);
  expect((await post(SUBJECT, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await fetch(`${provider.url}/v1/screenings`, { headers: HEADERS })).status).toBe(405);
  expect((await fetch(`${provider.url}/v2/screenings`, { headers: HEADERS })).status).toBe(404);
  expect((await post('x'.repeat(1_000_001))).status).toBe(413);
  const wrong = [
    ['', '{'],
    ['', []],
    ['/reference', { ...SUBJECT, reference: '' }],
    ['/reference', { ...SUBJECT, reference: 'x'.repeat(65) }],
    ['/purpose', { ...SUBJECT, purpose: null }],
    ['/ipAddress', { ...SUBJECT, ipAddress: '203.0.113.256' }],
    ['/person/firstName', { ...SUBJECT, person: {} }],
    ['/person/dateOfBirth', { ...SUBJECT, person: { ...SUBJECT.person, dateOfBirth: '1984-02-30' } }],
    ['/addresses', { ...SUBJECT, addresses: {} }],
    ['/addresses', { ...SUBJECT, addresses: [{ townOrCity: 'Ludforth' }] }],
    ['/device/digest', { ...SUBJECT, device: {} }],
  ] as const;
  for (const [field, body] of wrong) {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'invalid-request', field });
  }
  expect(await (await fetch(`${provider.url}/control/enquiries`)).json()).toEqual({ enquiries: [] });
});

test('the log counts requests by reference', async () => {
  await post(SUBJECT);
  await post(SUBJECT);
  await post({ ...SUBJECT, reference: 'report-2' });
  expect(await enquiriesOf(provider.url, 'report-1')).toMatchObject([{ enquiries: 2, lastName: 'Example' }]);
  expect(await enquiriesOf(provider.url, 'report-2')).toMatchObject([{ enquiries: 1 }]);
  expect(await enquiriesOf(provider.url, 'report-3')).toEqual([]);
});

test('rules by reference and last name, as often as said, and the header', async () => {
  await control(provider.url, { match: { enquiryId: 'report-2' }, behaviour: 'error=418', times: 1 });
  await control(provider.url, { match: { lastName: 'Sample' }, behaviour: 'throttle=7' });
  expect((await post(SUBJECT)).status).toBe(200);
  expect((await post({ ...SUBJECT, reference: 'report-2' })).status).toBe(418);
  expect((await post({ ...SUBJECT, reference: 'report-2' })).status).toBe(200);
  const throttled = await post({ ...SUBJECT, person: { ...SUBJECT.person, lastName: 'Sample' } });
  expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '7']);
  expect((await post(SUBJECT, { 'x-simulate': 'maintenance' })).status).toBe(503);
  const odd = (await (await post(SUBJECT, { 'x-simulate': 'unknown-codes' })).json()) as { decision: string };
  expect(odd.decision).toBe('review');
  expect((await post(SUBJECT, { 'x-simulate': 'fly' })).status).toBe(400);
  expect((await control(provider.url, { match: { any: true }, behaviour: 'fly' })).status).toBe(400);
});

test('reset, hang and slow happen on the socket, and hang is in the log', async () => {
  await expect(post(SUBJECT, { 'x-simulate': 'reset' })).rejects.toThrow('fetch failed');
  await control(provider.url, { match: { enquiryId: 'hanging' }, behaviour: 'hang' });
  const body = JSON.stringify({ ...SUBJECT, reference: 'hanging' });
  const leaving = new AbortController();
  const call = fetch(`${provider.url}/v1/screenings`, {
    method: 'POST',
    headers: HEADERS,
    body,
    signal: leaving.signal,
  });
  const ended = expect(call).rejects.toThrow();
  const expected = [{ enquiries: 1, calls: [{ behaviour: 'hang' }] }];
  await eventually(async () => expect(await enquiriesOf(provider.url, 'hanging')).toMatchObject(expected));
  leaving.abort();
  await ended;
  const startedMs = performance.now();
  await post(SUBJECT, { 'x-simulate': 'slow=120' });
  // steady: at least so long; a slow machine only takes longer.
  expect(performance.now() - startedMs).toBeGreaterThan(110);
});

test('behaviours of a whole run, and a close that ends hanging calls', async () => {
  const hanging = await startScreening({ port: 0, host: 'localhost', always: parseBehaviours('hang') });
  expect(hanging.url).toMatch(/^http:\/\/localhost:\d+$/);
  const call = post(SUBJECT, {}, hanging.url).catch(() => 'ended');
  await eventually(async () => expect(await enquiriesOf(hanging.url, SUBJECT.reference)).toHaveLength(1));
  await hanging.close();
  expect(await call).toBe('ended');
});
