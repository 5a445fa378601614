// Beacon over real HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, askBeacon, enquiriesOf, type Person, person, type Simulators, startSimulators } from '../testing.ts';

type Account = Record<string, string> & { b: unknown };
type BeaconReply = { hdr: Record<string, string>; loc: Record<string, string>[]; acc: Account[]; cap: object[] };

let sims: Simulators;
let who: Person;

beforeAll(async () => {
  sims = await startSimulators('--bureau', 'beacon');
  who = await person(sims.beacon, 'person-0002');
});
afterAll(() => sims.stop());

const ask = async (ask: Ask = {}, about = who) => (await (await askBeacon(sims, about, ask)).json()) as BeaconReply;

function scalarsOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsOf) : [value];
}

test('200: a flat file in which every value is a string', async () => {
  const enquiryId = randomUUID();
  const reply = await ask({ enquiryId });
  expect(reply.hdr).toMatchObject({ rc: '0000', ref: enquiryId, txn: expect.stringMatching(/^BCN\d{13}$/) });
  expect(scalarsOf(reply).every((value) => typeof value === 'string')).toBe(true);
  expect(reply.loc[0]).toMatchObject({ i: '01', cu: 'Y', pc: who.addresses[0]?.postcode.replace(' ', '') });
  expect(reply.acc.length).toBeGreaterThan(2);
  for (const account of reply.acc) {
    expect(account['k']).toMatch(/^B\d{4}\.\d{2}$/);
    expect(account['typ']).toMatch(/^\d{3}$/);
    expect(account['cty']).toMatch(/^\d{2}$/);
    expect(account['sup']?.length).toBeLessThanOrEqual(40);
    expect(account['num']).toMatch(/^(\*{4,5}\d{3,4})?$/);
    expect(account['std']).toMatch(/^\d{8}$/);
    expect(account['ob']).toMatch(/^(\d{7})?$/);
    expect(account['pay']).toMatch(/^(\d{7})?$/);
    expect(account['sts']).toMatch(/^[0-68SMVRDQU.]{0,72}$/);
    expect(JSON.stringify(account.b)).toMatch(/^\[(\{"amt":"\d{7}","kd":"[CKLFD]"\},?)*\]$/);
  }
});

test('200: the same enquiry gets the byte-same reply', async () => {
  const enquiryId = randomUUID();
  const first = await (await askBeacon(sims, who, { enquiryId })).text();
  expect(await (await askBeacon(sims, who, { enquiryId })).text()).toBe(first);
});

test('200 with rc: no trace, wrong key, unreadable, missing value, maintenance, errors', async () => {
  expect((await ask({}, { ...who, lastName: 'Nobody' })).hdr).toMatchObject({ rc: '0100' });
  expect((await ask({ postcodes: ['HR10 0AA'] })).hdr).toMatchObject({ rc: '0100' });
  expect((await ask({ simulate: 'no-trace' })).hdr).toMatchObject({ rc: '0100' });
  expect((await ask({ simulate: 'maintenance' })).hdr).toMatchObject({ rc: '0900' });
  expect((await ask({ simulate: 'error' })).hdr).toMatchObject({ rc: '0451' });
  expect((await ask({ simulate: 'error=0999' })).hdr).toMatchObject({ rc: '0999' });
  const { apiKey } = sims.credentials.beacon;
  const raw = async (key: string, body: string) => {
    const response = await fetch(`${sims.beacon}/v2/file`, { method: 'POST', headers: { 'x-api-key': key }, body });
    return ((await response.json()) as BeaconReply).hdr['rc'];
  };
  expect(await raw('wrong', '{}')).toBe('0401');
  expect(await raw(apiKey, '{"hdr":')).toBe('0210');
  expect(await raw(apiKey, '{"hdr":{"ref":"a"},"sub":{"fn":"A","sn":"B","dob":"31022000"}}')).toBe('0211');
});

test('429: throttling has a status and a Retry-After of its own', async () => {
  const response = await askBeacon(sims, who, { simulate: 'throttle=7' });
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('7');
});

test('200: content behaviours', async () => {
  const plain = await ask();
  const twice = await ask({ simulate: 'duplicate-rows' });
  expect(twice.acc.length).toBe(plain.acc.length + 1);
  expect({ ...twice.acc[1], k: '' }).toEqual({ ...plain.acc[0], k: '' });
  expect((await ask({ simulate: 'unknown-codes' })).acc[0]).toMatchObject({ typ: '777', cty: '77', st: 'Y', zz: 'Z9' });
  expect((await ask({ simulate: 'unmasked' })).acc.every(({ num }) => /^\d{8,}$/.test(num ?? ''))).toBe(true);
  expect((await ask({ simulate: 'negative-money' })).acc[0]?.['ob']).toMatch(/^-\d{6}$/);
  expect((await ask({ simulate: 'many=150' })).acc).toHaveLength(150);
});

test('some people have month-only dates, three-digit tails and balances in favour', async () => {
  const people = await fetch(`${sims.beacon}/people?count=60`);
  const { people: list } = (await people.json()) as { people: Person[] };
  const accounts = (await Promise.all(list.map((each) => ask({}, each)))).flatMap(({ acc }) => acc);
  expect(accounts.some(({ std }) => std?.startsWith('00'))).toBe(true);
  expect(accounts.some(({ num }) => /^\*{5}\d{3}$/.test(num ?? ''))).toBe(true);
  expect(accounts.some(({ b }) => JSON.stringify(b).includes('"K"'))).toBe(true);
  expect(accounts.some(({ np, typ }) => typ === '011' && ['037', '049'].includes(np ?? ''))).toBe(true);
});

test('the log counts enquiries by id', async () => {
  const enquiryId = randomUUID();
  await ask({ enquiryId });
  expect(await enquiriesOf(sims.beacon, enquiryId)).toMatchObject([
    { enquiries: 1, person: 'person-0002', calls: [{ call: 'enquiry', behaviour: '' }] },
  ]);
});
