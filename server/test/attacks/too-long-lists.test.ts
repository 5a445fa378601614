// A list that is too long is one fault, whatever is in it, and what is wrong elsewhere is told beside it. A list that is not
// too long is judged to its last item.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { addPerson } from '../support/people.ts';
import { readError, send } from '../support/wire.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  token = (await addPerson(server, server.demo.tenantId, 'owner')).token;
});
afterAll(() => server.close());

async function faultsOf(path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = { method: 'POST', path: `/${server.demo.tenantId}/v1/${path}`, headers, body: JSON.stringify(body) };
  const reply = await send(server.baseUrl, request);
  expect(reply.status, reply.text).toBe(400);
  return readError(reply)['details'];
}

const many = (item: unknown, count = 42_000) => Array<unknown>(count).fill(item);
const [address] = generateBody().addresses;

test.each([
  ['empty objects', {}],
  ['numbers', 0],
  ['good addresses', address],
])('400 validation-error: %s without end are one fault, and a wrong name is the other', async (_what, item) => {
  const body = { ...generateBody(), addresses: many(item, item === address ? 500 : 42_000), firstName: '' };
  expect(await faultsOf('credit-reports', body)).toEqual(
    expect.arrayContaining([
      { path: '/addresses', message: 'Give at most 10.' },
      { path: '/firstName', message: 'This field must not be empty.' },
    ]),
  );
  expect(await faultsOf('credit-reports', body)).toHaveLength(2);
});

test('400 validation-error: bureaus, scopes, keys and networks without end are one fault each', async () => {
  expect(await faultsOf('credit-reports', { ...generateBody(), bureaus: many('x', 20_000) })).toEqual([
    { path: '/bureaus', message: 'Give at most 3.' },
  ]);
  const credential = {
    name: 'Portal',
    scopes: many(0, 10_000),
    publicKeys: { keys: many(0, 10_000) },
    allowedNetworks: many('', 10_000),
  };
  const faults = (await faultsOf('credentials', credential)) as { path: string; message: string }[];
  expect(faults.map(({ path }) => path).toSorted()).toEqual(['/allowedNetworks', '/publicKeys/keys', '/scopes']);
  for (const { message } of faults) expect(message).toMatch(/^Give at most \d+\.$/);
});

test('400 validation-error: ten addresses are judged to the last', async () => {
  const addresses = [...Array.from({ length: 9 }, () => address), { type: 'current', ukAddress: {} }];
  expect(await faultsOf('credit-reports', { ...generateBody(), addresses })).toEqual(
    expect.arrayContaining([
      { path: '/addresses/9/ukAddress/townOrCity', message: 'This field is required.' },
      {
        path: '/addresses/9/ukAddress',
        message: 'Give at least one of subBuildingName, buildingName and buildingNumber.',
      },
    ]),
  );
});

test('400 validation-error: a value given twice in a list that is not too long', async () => {
  expect(await faultsOf('credit-reports', { ...generateBody(), bureaus: ['equifax', 'equifax'] })).toEqual([
    { path: '/bureaus', message: 'Give each value only once.' },
  ]);
});

test('400 validation-error: at most 100 faults are told', async () => {
  const ukAddress = Object.fromEntries(
    ['subBuildingName', 'buildingName', 'buildingNumber', 'thoroughfare', 'district', 'county', 'country'].map(
      (name) => [name, 0],
    ),
  );
  const addresses = many({ type: 0, ukAddress: { ...ukAddress, townOrCity: 0, postcode: 0 } }, 10);
  expect(await faultsOf('credit-reports', { ...generateBody(), addresses, firstName: 0 })).toHaveLength(100);
});
