// A tenant's proxy that is named for the fingerprint script forges addresses: it may do so for the script, and nowhere else
// (docs/decisions/0029-client-ip.md). This machine is the tenant's proxy here.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeviceSessions } from '../../src/fingerprints/device-session.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addCredential } from '../support/tokens.ts';
import { type Reply, send } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    environment: { TREFOIL_FINGERPRINT_PROXIES: '127.0.0.1', TREFOIL_COLLECTION_RATE: '1' },
  });
});
afterAll(() => server.close());

function askToken(clientId: string, secret: string, from: string): Promise<Reply> {
  return send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }).toString(),
  });
}

test('401: a credential bound to a network does not work from its proxy with a forged address', async () => {
  const { clientId, clientSecret } = await addCredential(server, server.demo);
  await server.query(`update credentials set allowed_networks = '{203.0.113.0/24}' where id = $1`, [clientId]);
  expect((await askToken(clientId, clientSecret, '203.0.113.5')).status).toBe(401);
});

test('429: forged addresses do not give more guesses', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    statuses.push((await askToken(randomUUID(), 'wrong', `198.18.0.${count}`)).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
});

test('201: for the script the visitor counts, each with a limit of its own', async () => {
  const collect = (from: string) =>
    send(server.baseUrl, {
      method: 'POST',
      path: '/v1/fingerprints/collections',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ deviceDigest: 'a'.repeat(32), timeZone: 'Europe/London' }),
    });
  for (let count = 1; count < 9; count += 1) {
    const reply = await collect(`198.18.1.${count}`);
    expect(reply.status, reply.text).toBe(201);
    const session = createDeviceSessions(server.config.vaultKeys).open(JSON.parse(reply.text).sessionId, new Date());
    expect(JSON.stringify(session)).toContain(`198.18.1.${count}`);
  }
});
