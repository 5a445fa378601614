// Whose address counts: the socket's, or the forwarded one behind a proxy the operator named
// (docs/decisions/0029-client-ip.md).
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';

let server: TestServer;
afterEach(() => server.close());

/** A token request that fails, for a client that does not exist: only the address can lock it. */
async function fail(forwardedFor: string): Promise<number> {
  const response = await fetch(`${server.baseUrl}/v1/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${randomUUID()}:wrong`)}`, 'x-forwarded-for': forwardedFor },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  await response.text();
  return response.status;
}

async function failElevenTimes(): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < 11; index++) statuses.push(await fail(`192.0.2.${index}`));
  return statuses;
}

test('429: without a trusted proxy the forwarded address is ignored', async () => {
  server = await startServer();
  expect(await failElevenTimes()).toEqual([...Array(10).fill(401), 429]);
});

test('401: behind a trusted proxy each forwarded address counts for itself', async () => {
  server = await startServer({ environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1' } });
  expect(await failElevenTimes()).toEqual(Array(11).fill(401));
});
