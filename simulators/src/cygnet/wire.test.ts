// Cygnet over real HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Ask,
  askCygnet,
  control,
  cygnetToken,
  enquiriesOf,
  type Person,
  person,
  type Simulators,
  startSimulators,
} from '../testing.ts';

type Account = {
  handle: string;
  product: string;
  lender: { short: string; legal?: { name: string } };
  agreement: { lastDigits: string | null; number?: string; opened: string; opening: { value: string } | null };
};
type CygnetFile = {
  enquiry: { id: string; reference: string; status: string };
  premises?: object;
  credit: Record<string, Account[]>;
  lookups?: object[];
  sections?: object;
};

let sims: Simulators;
let who: Person;

beforeAll(async () => {
  sims = await startSimulators('--bureau', 'cygnet');
  who = await person(sims.cygnet, 'person-0003');
});
afterAll(() => sims.stop());

const ask = async (wish: Ask = {}, about = who) => (await (await askCygnet(sims, about, wish)).json()) as CygnetFile;
const accountsOf = ({ credit }: CygnetFile) => Object.values(credit).flat();

async function problemIn(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const { type, status } = (await response.json()) as { type: string; status: number };
  expect(status).toBe(response.status);
  return [status, type.split('/').at(-1)];
}

test('200: a nested file by product, money with pence, short names of at most 20', async () => {
  const reference = randomUUID();
  const file = await ask({ enquiryId: reference });
  expect(file.enquiry).toMatchObject({ reference, status: 'complete', id: expect.stringMatching(/^cyg_\w{24}$/) });
  expect(file.sections).toBeUndefined();
  const accounts = accountsOf(file);
  expect(accounts.length).toBeGreaterThan(2);
  for (const { handle, lender, agreement } of accounts) {
    expect(handle).toMatch(/^c-\d{4}-[a-z]{2}$/);
    expect(lender.short.length).toBeLessThanOrEqual(20);
    expect(agreement.lastDigits ?? '00').toMatch(/^\d{2,4}$/);
    expect(agreement.opened).toMatch(/^\d{4}-\d{2}(-\d{2}(T00:00:00\+0[01]:00)?)?$/);
    expect(agreement.opening?.value ?? '0.00').toMatch(/^\d+\.\d{2}$/);
  }
});

test('200: the same enquiry gets the byte-same reply', async () => {
  const enquiryId = randomUUID();
  const first = await (await askCygnet(sims, who, { enquiryId })).text();
  expect(await (await askCygnet(sims, who, { enquiryId })).text()).toBe(first);
});

test('401: a wrong client gets no token, a wrong or revoked token no enquiry', async () => {
  const refused = await fetch(`${sims.cygnet}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' }),
  });
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'invalid_client' }]);
  const post = (token: string) =>
    fetch(`${sims.cygnet}/enquiries`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' });
  expect(await problemIn(await post('nonsense'))).toEqual([401, 'unauthenticated']);
  const token = await cygnetToken(sims);
  expect(await problemIn(await post(token))).toEqual([415, 'unsupported-media-type']);
  await fetch(`${sims.cygnet}/control/tokens`, { method: 'DELETE' });
  expect(await problemIn(await post(token))).toEqual([401, 'unauthenticated']);
});

test('400: every fault of a request is listed', async () => {
  const response = await fetch(`${sims.cygnet}/enquiries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await cygnetToken(sims)}`, 'content-type': 'application/json' },
    body: '{"reference":"a","subject":{"born":"1999-02-30"}}',
  });
  const { errors } = (await response.json()) as { errors: { pointer: string }[] };
  expect(errors.map(({ pointer }) => pointer)).toEqual([
    '/subject/name/given/0',
    '/subject/name/family',
    '/subject/born',
  ]);
});

test('problems: no trace, unknown poll, throttling, maintenance, errors', async () => {
  expect(await problemIn(await askCygnet(sims, { ...who, lastName: 'Nobody' }))).toEqual([404, 'subject-not-traced']);
  expect(await problemIn(await askCygnet(sims, who, { postcodes: ['HR10 0AA'] }))).toEqual([404, 'subject-not-traced']);
  const rows = [
    ['throttle=3', 429, 'too-many-requests'],
    ['maintenance', 503, 'maintenance'],
    ['error', 503, 'unavailable'],
    ['error=500', 500, 'internal'],
    ['no-trace', 404, 'subject-not-traced'],
  ] as const;
  for (const [simulate, ...expected] of rows) {
    expect(await problemIn(await askCygnet(sims, who, { simulate }))).toEqual(expected);
  }
  const headers = { authorization: `Bearer ${await cygnetToken(sims)}` };
  expect(await problemIn(await fetch(`${sims.cygnet}/enquiries/cyg_0`, { headers }))).toEqual([404, 'enquiry-unknown']);
});

test('202: the polls keep the enquiry id and are no second enquiry', async () => {
  const enquiryId = randomUUID();
  const first = await askCygnet(sims, who, { enquiryId, simulate: 'poll=2' });
  expect(first.status).toBe(202);
  const location = first.headers.get('location') ?? '';
  const headers = { authorization: `Bearer ${await cygnetToken(sims)}` };
  const poll = () => fetch(new URL(location, sims.cygnet), { headers });
  expect((await poll()).status).toBe(202);
  expect((await poll()).status).toBe(202);
  const last = await poll();
  expect(last.status).toBe(200);
  const file = (await last.json()) as CygnetFile;
  expect(file.enquiry).toMatchObject({ reference: enquiryId, status: 'complete' });
  expect(location).toBe(`/enquiries/${file.enquiry.id}`);
  expect(await enquiriesOf(sims.cygnet, enquiryId)).toMatchObject([
    { enquiries: 1, calls: [{ call: 'enquiry' }, { call: 'poll' }, { call: 'poll' }, { call: 'poll' }] },
  ]);
});

test('200 in part: the missing section is named and not there', async () => {
  const file = await ask({ simulate: 'partial' });
  expect(file.sections).toEqual({ searches: 'unavailable' });
  expect(file.lookups).toBeUndefined();
  const other = await ask({ simulate: 'partial=credit' });
  expect([other.sections, other.credit]).toEqual([{ credit: 'unavailable' }, undefined]);
});

test('200: content behaviours', async () => {
  const plain = accountsOf(await ask());
  expect(accountsOf(await ask({ simulate: 'duplicate-rows' })).length).toBe(plain.length + 1);
  expect((await ask({ simulate: 'unknown-codes' })).credit['subscriptions']).toHaveLength(1);
  const bare = accountsOf(await ask({ simulate: 'unmasked' }));
  expect(bare.every(({ agreement }) => /^\d{8,}$/.test(agreement.number ?? ''))).toBe(true);
  const negative = accountsOf(await ask({ simulate: 'negative-money' }));
  expect(negative.every(({ agreement }) => agreement.opening?.value.startsWith('-'))).toBe(true);
});

test('a rule can spoil the token endpoint', async () => {
  await control(sims.cygnet, { match: { any: true }, behaviour: 'error', times: 1, call: 'token' });
  const response = await fetch(`${sims.cygnet}/oauth/token`, { method: 'POST' });
  expect(response.status).toBe(503);
  expect(await cygnetToken(sims)).toMatch(/^\S{20,}$/);
});
