// A misspelt `test` is refused before anybody is asked, at generate and at quote; every other unknown name is ignored as ever
// (docs/decisions/0270-a-misspelt-test.md).
import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedTestCredential } from '../../../tools/dev/seed.ts';
import { generateBody } from '../harness.ts';
import { grave } from '../support/grave.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { readError, send } from '../support/wire.ts';

let server: LiveServer;
let token: string;
beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 1_000_000);
  token = await server.trefoil.getToken();
});
afterAll(() => server.close());

const post = (path: string, body: object) =>
  send(server.baseUrl, {
    method: 'POST',
    path: `/${server.demo.tenantId}/v1/credit-reports${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** What a live request leaves behind. */
const footprints = async () => ({
  reports: (await server.query('select from credit_reports')).length,
  wallet: await server.wallet(server.demo.tenantId),
  screened: (await server.enquiries('screening')).size,
  asked: (await server.enquiries('albion')).size,
});

const MISSPELT = [
  ...[
    'Test',
    'TEST',
    'test ',
    ' test',
    '_test',
    '"test"',
    'te-st',
    'test\u200b',
    'test/',
    'isTest',
    'is_test',
    'IsTest',
  ],
  ...['testMode', 'test_mode', 'TestMode', 'sandbox', 'Sandbox', 'tset', 'tets', 'tes', 'tests'],
];
test.each(MISSPELT)('400 validation-error: %j instead of test, and nobody is asked', async (name) => {
  const before = await footprints();
  for (const path of ['', '/quote']) {
    const reply = await post(path, { ...liveBody(server.mintSession()), [name]: true });
    await grave('a live search is made', async () => expect(await footprints()).toEqual(before));
    const { code, details } = readError(reply);
    expect([code, details]).toEqual([
      'validation-error',
      [{ path: `/${name.replace('/', '~1')}`, message: expect.stringContaining('send "test": true') }],
    ]);
  }
});

test('400: the hint comes beside the other faults', async () => {
  const { details } = readError(await post('', { ...liveBody('x'), bureaus: [], Test: true }));
  expect(details).toMatchObject([{ path: '/Test' }, { path: '/bureaus' }]);
});

test.each([
  'tester',
  'testing',
  'latest',
  'contest',
  'te',
  'test1',
  'isTesting',
  'sandboxed',
  'mode',
  't e s t s s',
  'тест',
])('200: %j is an unknown name like any other', async (name) => {
  expect((await post('/quote', { ...liveBody(server.mintSession()), [name]: true })).status).toBe(200);
});

test.each([true, false])('200: beside "test": %s every name is ignored', async (isTest) => {
  const given = { test: isTest, Test: !isTest, isTest: !isTest, sandbox: 'x' };
  const reply = await post('/quote', { ...liveBody(server.mintSession()), ...given });
  expect([reply.status, JSON.parse(reply.text).data.test]).toEqual([200, isTest]);
});

test('403: the credential that development prints first cannot make a live search, whatever the body says', async () => {
  const seeded = [];
  for (let start = 0; start < 2; start += 1) seeded.push(await seedTestCredential(server.database, server.demo));
  const [first, { testClientId: clientId = '', testClientSecret: clientSecret = '' } = {}] = seeded;
  expect(clientId).toBe(first?.testClientId);
  const { baseUrl, demo } = server;
  const trefoil = createTrefoil({ baseUrl, tenantId: demo.tenantId, clientId, clientSecret });
  const before = await footprints();
  await expect(trefoil.generate(liveBody(server.mintSession()))).rejects.toMatchObject({ code: 'forbidden' });
  await grave('a live search is made', async () => expect(await footprints()).toEqual(before));
  expect((await trefoil.generate(generateBody())).data.status).toBe('complete');
});
