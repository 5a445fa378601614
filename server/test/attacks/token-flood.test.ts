// A tenant asks for tokens without end, and each is right: a share of its own bounds what they cost the others
// (docs/decisions/0058-rate-limits.md).
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addApp, getTokens, requestToken } from '../support/apps.ts';
import { addAccount } from '../support/browser.ts';
import { addCredential } from '../support/tokens.ts';
import { type Reply, send } from '../support/wire.ts';

let server: TestServer;
afterEach(() => server.close());

type Credential = { readonly clientId: string; readonly clientSecret: string };

const askToken = ({ clientId, clientSecret }: Credential): Promise<Reply> =>
  send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  });

const statusesOf = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status);

test('429: a tenant gets its share of tokens, with however many credentials; others, and its requests, go on', async () => {
  server = await startServer({ ratePerSecond: 5 });
  const credentials = [server.demo, await addCredential(server, server.demo)];
  const replies: Reply[] = [];
  for (let round = 0; round < 10; round += 1) {
    replies.push(
      ...(await Promise.all(
        [...credentials, ...credentials].flatMap((each) => [1, 2, 3, 4].map(() => askToken(each))),
      )),
    );
  }
  // The burst is ten seconds' worth, fifty; a slow machine fills up a few while it asks.
  const [given, refused] = [statusesOf(replies, 200), statusesOf(replies, 429)];
  expect(given.length + refused.length).toBe(160);
  expect(given.length).toBeGreaterThanOrEqual(50);
  expect(refused.length).toBeGreaterThan(0);
  expect(JSON.parse(refused[0]?.text ?? '')).toMatchObject({ error: 'slow_down', code: 'rate-limited' });
  expect(Number(refused[0]?.headers['retry-after'])).toBeLessThanOrEqual(2);
  const [rows] = await server.query<{ count: number }>(
    `select count(*)::int as count from audit_log where action = 'token.issued'`,
  );
  expect(rows?.count).toBe(given.length);
  expect((await askToken(server.other)).status).toBe(200);
  const token = JSON.parse(given[0]?.text ?? '').access_token as string;
  const path = `/${server.demo.tenantId}/v1/credit-reports`;
  const read = await send(server.baseUrl, { method: 'GET', path, headers: { authorization: `Bearer ${token}` } });
  expect(read.status).toBe(200);
});

test('200: a fleet of 500 that starts at once gets its tokens at the default rate', async () => {
  server = await startServer({ ratePerSecond: 50 });
  const replies = await Promise.all(Array.from({ length: 500 }, () => askToken(server.demo)));
  expect(statusesOf(replies, 200)).toHaveLength(500);
});

test('429: a sign-in is refreshed so often and no more, and its token stays good', async () => {
  server = await startServer();
  const app = await addApp(server);
  const owner = await addAccount(server, server.demo.tenantId, 'owner');
  let { refresh_token: refreshToken } = await getTokens(server, app, owner);
  const refresh = () =>
    requestToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: app.clientId });
  const statuses: number[] = [];
  for (let count = 0; count < 260 && !statuses.includes(429); count += 1) {
    const reply = await refresh();
    statuses.push(reply.status);
    if (reply.status === 200) refreshToken = JSON.parse(reply.text).refresh_token;
  }
  expect(statuses.slice(0, 100).every((status) => status === 200)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  await eventually(async () => expect((await refresh()).status).toBe(200));
});
