// Who may call Vault, and for how long.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CREDENTIALS } from '../credentials.ts';
import type { RunningKeyServer } from '../key-wire/server.ts';
import { startVaultTransit } from './server.ts';
import { callVault, logIn } from './testing.ts';

let vault: RunningKeyServer;

beforeAll(async () => {
  vault = await startVaultTransit({ port: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => vault.close());

const INVALID = '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n';
const { roleId, secretId } = CREDENTIALS['vault-transit'];
const create = (token: string | null, url = vault.url) => callVault(url, 'POST transit/keys/mine', {}, token);

test('200: a log-in gives a token that works and can be renewed', async () => {
  const fields = { role_id: roleId, secret_id: secretId };
  const { status, body } = await callVault(vault.url, 'POST auth/approle/login', fields, null);
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: null, auth: { lease_duration: 3600, renewable: true, token_type: 'service' } });
  const token = String(body.auth?.['client_token']);
  expect(token).toMatch(/^hvs\.[\w-]{32}$/);
  expect((await create(token)).status).toBe(200);
  const renewed = await callVault(vault.url, 'POST auth/token/renew-self', { increment: 600 }, token);
  expect(renewed.body.auth).toMatchObject({ client_token: token, lease_duration: 600 });
});

test('400: a log-in with a wrong or missing part', async () => {
  const rows = [
    [{}, 'missing role_id'],
    [{ role_id: roleId }, 'missing secret_id'],
    [{ role_id: roleId, secret_id: 'wrong' }, 'invalid role or secret ID'],
    [{ role_id: 'wrong', secret_id: secretId }, 'invalid role or secret ID'],
  ] as const;
  for (const [fields, error] of rows) {
    const { status, body } = await callVault(vault.url, 'POST auth/approle/login', fields, null);
    expect([status, body.errors]).toEqual([400, [error]]);
  }
});

test('403: no token, an unknown one, one that was ended; a bearer token works too', async () => {
  expect(await create(null)).toEqual({ status: 403, body: { errors: ['permission denied'] } });
  expect(await create('hvs.unknown')).toEqual({ status: 403, body: { errors: [INVALID] } });
  const { token } = await logIn(vault.url);
  expect((await create(token)).status).toBe(200);
  expect((await fetch(`${vault.url}/control/tokens`, { method: 'DELETE' })).status).toBe(204);
  expect((await create(token)).status).toBe(403);
  const renewal = await callVault(vault.url, 'POST auth/token/renew-self', {}, token);
  expect([renewal.status, renewal.body.errors]).toEqual([403, [INVALID]]);
  const { token: next } = await logIn(vault.url);
  const headers = { authorization: `Bearer ${next}` };
  expect((await fetch(`${vault.url}/v1/transit/keys/mine`, { headers })).status).toBe(200);
});

test('a token ends by itself, and no renewal takes it beyond its longest life', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const passSeconds = (count: number) => vi.setSystemTime(Date.now() + count * 1000);
  const statusOf = async (token: string) => (await create(token)).status;
  const renew = (token: string) => callVault(vault.url, 'POST auth/token/renew-self', {}, token);
  const [{ token: left }, { token: renewed }] = [await logIn(vault.url), await logIn(vault.url)];
  passSeconds(3599);
  expect([await statusOf(left), (await renew(renewed)).body.auth?.['lease_duration']]).toEqual([200, 3600]);
  passSeconds(2);
  expect([await statusOf(left), await statusOf(renewed)]).toEqual([403, 200]);
  for (let hour = 0; hour < 2; hour++) {
    passSeconds(3590);
    await renew(renewed);
  }
  passSeconds(3500);
  expect((await renew(renewed)).body.auth?.['lease_duration']).toBe(14_400 - 3599 - 2 - 2 * 3590 - 3500);
  passSeconds(300);
  expect(await statusOf(renewed)).toBe(403);
});

test('400: the token without an end cannot be renewed', async () => {
  const { status, body } = await callVault(vault.url, 'POST auth/token/renew-self', {});
  expect([status, body.errors]).toEqual([400, ['lease is not renewable']]);
});
