// Locking a tenant out of the token endpoint: a client id is no secret, so what strangers send with it must not decide
// whether its owner may work (docs/decisions/0058-rate-limits.md). The server trusts this machine as a proxy, so each
// caller has an address.
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { addCredential, nowSeconds } from '../support/tokens.ts';
import { type Reply, send } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.close());

function ask(form: Record<string, string>, from: string): Promise<Reply> {
  return send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  });
}

const guess = (clientId: string, secret: string, from: string) =>
  ask({ client_id: clientId, client_secret: secret }, from);

/** Many strangers, each within what its own address may do. */
async function attack(clientId: string, network: string): Promise<void> {
  for (let count = 0; count < 33; count += 1) {
    const { status } = await guess(clientId, `wrong-${count}`, `${network}.${count % 4}`);
    expect(status).toBe(401);
  }
}

test('200: strangers who send wrong secrets do not keep the credential out at its own address', async () => {
  const { clientId, clientSecret } = await addCredential(server, server.demo);
  await attack(clientId, '198.18.1');
  expect((await guess(clientId, clientSecret, '192.0.2.1')).status).toBe(200);
});

test('200: nor a credential that proves itself by assertions', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'ES256' };
  const { clientId } = await addCredential(server, server.demo, { publicKeys: [jwk] });
  await attack(clientId, '198.18.2');
  for (let count = 0; count < 5; count += 1) {
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'key' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(server.baseUrl)
      .setIssuedAt()
      .setExpirationTime(nowSeconds() + 60)
      .sign(privateKey);
    const form = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    };
    expect((await ask(form, '192.0.2.2')).status).toBe(200);
  }
});

test('401 for a worker that missed a rotation, however often it asks; 200 for the others behind its address', async () => {
  const old = await addCredential(server, server.demo);
  const current = await addCredential(server, server.demo);
  // Rotated: the secret of one credential becomes the second secret of the other, and the first one ends.
  await server.query('update credential_secrets set expires_at = clock_timestamp() where credential_id = $1', [
    old.clientId,
  ]);
  await server.query(
    `insert into credential_secrets (tenant_id, credential_id, id, secret_hash)
     select tenant_id, $1, gen_random_uuid(), secret_hash from credential_secrets where credential_id = $2`,
    [old.clientId, current.clientId],
  );
  for (let count = 0; count < 25; count += 1) {
    expect((await guess(old.clientId, old.clientSecret, '192.0.2.3')).status).toBe(401);
  }
  expect((await guess(old.clientId, current.clientSecret, '192.0.2.3')).status).toBe(200);
});

test('429: guessing stays limited, also for one who mixes a replaced secret of another credential into it', async () => {
  const retired = await addCredential(server, server.demo);
  await server.query('update credential_secrets set expires_at = clock_timestamp() where credential_id = $1', [
    retired.clientId,
  ]);
  const { clientId } = await addCredential(server, server.demo);
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    // Replaced for another credential: here it is a guess like any other.
    statuses.push((await guess(clientId, retired.clientSecret, '192.0.2.4')).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
});
