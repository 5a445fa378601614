// The mistakes that developers make with the client library, each against a real server: the error must name the mistake
// and the remedy, so that nobody has to ask us. Mistakes with webhooks need no server.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTrefoil, type GenerateRequest, type Trefoil, TrefoilError, webhooks } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { createCredential, rotateSecret } from '../../src/identity/credentials/change-credential.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { goodClaims, nowSeconds, signToken } from '../support/tokens.ts';

type Options = Parameters<typeof createTrefoil>[0];

let server: TestServer;
let stranger: Server;
let strangerUrl: string;
beforeAll(async () => {
  server = await startServer();
  // Another program at a wrong address: a page for browsers, which moves everybody on to its start.
  stranger = createServer((request, response) => {
    if (request.url === '/v1/oauth/token')
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Lost</h1>');
    else response.writeHead(301, { location: 'https://www.example.com/' }).end();
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
});
afterAll(async () => {
  stranger.close();
  await server.close();
});

/** A client as a developer would make it, with a mistake. */
function connect(changes: Record<string, unknown> = {}): Trefoil {
  return createTrefoil({ baseUrl: server.baseUrl, ...server.demo, maxRetries: 0, ...changes } as Options);
}
const withToken = (getToken: () => Promise<string>, baseUrl = server.baseUrl) =>
  createTrefoil({ baseUrl, tenantId: server.demo.tenantId, getToken, maxRetries: 0 });

async function addCredential(changes: { scopes?: ['wallet:read']; isTestOnly?: true }) {
  const { tenantId, clientId } = server.demo;
  const [owner] = await server.query<{ id: string }>('select owner_user_id as id from credentials where id = $1', [
    clientId,
  ]);
  const order = {
    tenantId,
    name: 'Mistaken',
    ownerUserId: owner?.id ?? '',
    scopes: ['reports:write' as const],
    ...changes,
  };
  const made = await server.database.asSystem((tx) => createCredential(tx, order));
  return { clientId: made.clientId, clientSecret: made.clientSecret ?? '' };
}

/** A secret that was valid until it was rotated without a grace period. */
async function oldSecret() {
  const { clientId: credentialId, clientSecret } = await addCredential({});
  const { tenantId } = server.demo;
  await server.database.asSystem((tx) => rotateSecret(tx, { tenantId, credentialId }, 0));
  return { clientId: credentialId, clientSecret };
}

/** A good token of this server but for its end, which is past. */
const expiredToken = () => signToken(server, { ...goodClaims(server, server.demo), exp: nowSeconds() - 60 });

async function reuseKey() {
  const call = { idempotencyKey: 'order-17' };
  await connect().generate(generateBody(), call);
  return connect().generate(body({ firstName: 'Bea' }), call);
}

async function readForeignReport() {
  const { data } = await server.otherTrefoil.generate(generateBody());
  return connect().getReport(data.creditReportId);
}

async function mixChallenges() {
  const [one, two] = [await startChallenge(connect()), await startChallenge(connect())];
  return connect().submitOtp(one.creditReportId, { challengeId: two.challengeId, code: '123456' });
}

async function submitTwice() {
  const { creditReportId, challengeId } = await startChallenge(connect());
  await connect().submitOtp(creditReportId, { challengeId, code: '123456' });
  return connect().submitOtp(creditReportId, { challengeId, code: '654321' });
}

/** A port that was free a moment ago. */
const nowhere = async () => `http://127.0.0.1:${await freePort()}`;

const body = (changes: Record<string, unknown>) => generateBody(changes as Parameters<typeof generateBody>[0]);
const without = (field: string) =>
  Object.fromEntries(Object.entries(generateBody()).filter(([name]) => name !== field)) as GenerateRequest;

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const event = JSON.stringify({ id: 'evt_1', type: 'credit-report.completed', data: {} });
const signed = (timestamp = nowSeconds()) => webhooks.sign(event, { id: 'evt_1', secret, timestamp });

type Row = [mistake: string, make: () => unknown, names: RegExp, remedy: RegExp];
/** Each message must match both: what is wrong, and what to do. */
const MISTAKES: Row[] = [
  ['a setting is missing', () => connect({ tenantId: undefined }), /tenantId is undefined/, /environment variable/],
  [
    'the address has a path',
    () => connect({ baseUrl: `${server.baseUrl}/v1` }),
    /baseUrl is http.*\/v1/,
    /without a path/,
  ],
  ['the address has no scheme', () => connect({ baseUrl: 'localhost:80' }), /baseUrl is localhost/, /such as https:/],
  [
    'nothing listens at the address',
    async () => connect({ baseUrl: await nowhere() }).getWallet(),
    /nothing listens at http/,
    /Check host and port of baseUrl/,
  ],
  [
    'https for a server that speaks http',
    () => connect({ baseUrl: server.baseUrl.replace('http', 'https') }).getWallet(),
    /does not speak TLS/,
    /whether baseUrl begins with http:/,
  ],
  ['another program', () => connect({ baseUrl: strangerUrl }).getWallet(), /something else answered/, /Check baseUrl/],
  [
    'an address that redirects',
    () => withToken(async () => 't', strangerUrl).generate(generateBody()),
    /redirects to https:\/\/www\.example\.com/,
    /Use the final address as baseUrl/,
  ],
  [
    'a wrong client secret',
    () => connect({ clientSecret: 'x' }).getWallet(),
    /not be authenticated/,
    /Check the client id/,
  ],
  [
    'a client secret that was rotated',
    async () => connect(await oldSecret()).getWallet(),
    /could not be authenticated/,
    /Check the client id and the secret/,
  ],
  ['an expired token', () => withToken(expiredToken).getWallet(), /not valid or has expired/, /Request a new one/],
  ['a token with its scheme', () => withToken(async () => 'Bearer t').getWallet(), /with spaces/, /without "Bearer "/],
  ['no token', () => withToken(async () => '').getWallet(), /returned an empty text/, /Return the access token/],
  [
    'another tenant',
    () => connect({ tenantId: server.other.tenantId }).getWallet(),
    /not give access to this tenant/,
    /Check tenantId \(listTenants\(\)/,
  ],
  [
    'a scope that the credential lacks',
    async () => connect(await addCredential({ scopes: ['wallet:read'] })).generate(generateBody()),
    /lacks the scope reports:write/,
    /Check .*the scopes of the credential/,
  ],
  [
    'a live request with a test credential',
    async () => connect(await addCredential({ isTestOnly: true })).generate(body({ test: false })),
    /works only in test mode/,
    /send "test": true/,
  ],
  ['a missing field', () => connect().generate(without('lastName')), /\/lastName/, /This field is required/],
  [
    'a date in another order',
    () => connect().generate(body({ dateOfBirth: '09/03/1984' })),
    /\/dateOfBirth/,
    /YYYY-MM-DD/,
  ],
  ['an unknown bureau', () => connect().generate(body({ bureaus: ['equifaxx'] })), /\/bureaus\/0/, /one of: equifax, /],
  ['a truth as text', () => connect().generate(body({ test: 'true' })), /\/test:/, /Use true or false/],
  ['a key for two requests', reuseKey, /was used for a different request/, /Use a new key for a new request/],
  [
    'a key that is too long',
    () => connect().generate(generateBody(), { idempotencyKey: 'k'.repeat(300) }),
    /Idempotency-Key header is not valid/,
    /1 to 255 characters/,
  ],
  [
    'a key with a line break',
    () => connect().generate(generateBody(), { idempotencyKey: 'a\nb' }),
    /characters that a header cannot carry/,
    /Use crypto\.randomUUID/,
  ],
  ['no id', () => connect().getReport(undefined as never), /creditReportId is undefined/, /pass the id as a string/],
  ['a report of another tenant', readForeignReport, /No credit report with this id/, /the tenant that generated it/],
  ['a challenge of another report', mixChallenges, /No challenge with this id/, /of the same generate answer/],
  ['a code after the right one', submitTwice, /answered with another code/, /Read the report by its id/],
  [
    'an invented cursor',
    () => connect().listReports({ cursor: 'page-2' }),
    /\/query\/cursor/,
    /nextCursor of the previous/,
  ],
  [
    'a time limit that is too short',
    () => connect().generate(generateBody(), { timeoutMs: 0 }),
    /within 0 ms/,
    /was not sent, so it had no effect|repeat the call with the idempotencyKey/,
  ],
  [
    'webhook: a parsed body',
    async () => webhooks.unwrap(JSON.parse(event) as string, await signed(), secret),
    /a parser has read it/,
    /express\.raw/,
  ],
  [
    'webhook: a body written again',
    async () => webhooks.unwrap(JSON.stringify(JSON.parse(event), null, 2), await signed(), secret),
    /parsed and written again/,
    /exactly as they arrived/,
  ],
  [
    'webhook: a clock that is behind',
    async () => webhooks.unwrap(event, await signed(nowSeconds() + 900), secret),
    /in the future of this machine's clock/,
    /check NTP/,
  ],
  [
    'webhook: an old delivery',
    async () => webhooks.unwrap(event, await signed(nowSeconds() - 900), secret),
    /signed 90\d seconds ago/,
    /verify before you queue it/,
  ],
  [
    'webhook: an old secret',
    async () => webhooks.unwrap(event, await signed(), otherSecret),
    /does not fit the secret.*old one after a change/,
    /copy the secret of this endpoint again/,
  ],
  [
    'webhook: the client secret',
    async () => webhooks.unwrap(event, await signed(), server.demo.clientSecret),
    /does not begin with whsec_/,
    /Use the signing secret of the webhook endpoint/,
  ],
  [
    'webhook: a proxy eats a header',
    async () => webhooks.unwrap(event, { ...(await signed()), 'webhook-signature': undefined }, secret),
    /webhook-signature is missing.*proxy/,
    /let it pass webhook-\*/,
  ],
];

test('there are at least 25 mistakes', () => expect(MISTAKES.length).toBeGreaterThanOrEqual(25));

for (const [mistake, make, names, remedy] of MISTAKES) {
  test(`${mistake}: the error names it and says what to do`, async () => {
    const error = await (async () => make())().then(
      () => expect.fail('the mistake was not noticed'),
      (caught: unknown) => caught as Error,
    );
    expect(error.message).toMatch(names);
    expect(error.message).toMatch(remedy);
    expect(error.message).not.toContain(server.demo.clientSecret);
    if (error instanceof TrefoilError && error.code !== 'unknown') {
      expect(error).toMatchObject({ requestId: expect.any(String), docs: expect.stringContaining(`/docs/errors/`) });
    }
  });
}
