// Everything a rule can make Vault do, over real HTTP.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { RunningKeyServer } from '../key-wire/server.ts';
import { startVaultTransit } from './server.ts';
import { callVault, logIn, type VaultAnswer } from './testing.ts';

let vault: RunningKeyServer;

beforeAll(async () => {
  vault = await startVaultTransit({ port: 0 });
  const made = await fetch(`${vault.url}/control/keys`, { method: 'POST', body: '{"name":"told"}' });
  expect(made.status).toBe(201);
});
afterEach(async () => {
  await fetch(`${vault.url}/control`, { method: 'DELETE' });
});
afterAll(() => vault.close());

const tell = (rule: object) => fetch(`${vault.url}/control`, { method: 'POST', body: JSON.stringify(rule) });
const always = (behaviour: string) => tell({ match: { any: true }, behaviour });
const dataKey = () => callVault(vault.url, 'POST transit/datakey/plaintext/told', {});
const errorOf = ({ status, body }: VaultAnswer) => [status, body.errors];
const lengthOf = ({ body }: VaultAnswer) => Buffer.from(String(body.data?.['plaintext']), 'base64').length;

const ERRORS = [
  ['sealed', 503, 'Vault is sealed'],
  ['expired', 403, '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n'],
  ['denied', 403, '1 error occurred:\n\t* permission denied\n\n'],
  ['throttle', 429, 'request path "transit/datakey/plaintext/told": rate limit quota exceeded'],
  ['error', 500, 'internal error'],
] as const;

for (const [behaviour, status, error] of ERRORS) {
  test(`${behaviour}: ${status}`, async () => {
    await always(behaviour);
    expect(errorOf(await dataKey())).toEqual([status, [error]]);
  });
}

test('400 held: no request releases it, so a key service does not hold', async () => {
  expect((await always('held=word')).status).toBe(400);
});

test('health: 200, and 503 while sealed, without a token', async () => {
  const well = await callVault(vault.url, 'GET sys/health', undefined, null);
  expect(well).toMatchObject({ status: 200, body: { initialized: true, sealed: false, standby: false } });
  await always('sealed');
  const sealed = await callVault(vault.url, 'GET sys/health', undefined, null);
  expect(sealed).toMatchObject({ status: 503, body: { initialized: true, sealed: true } });
  const head = await fetch(`${vault.url}/v1/sys/health`, { method: 'HEAD' });
  expect(head.status).toBe(503);
});

test('expired leaves log-ins alone; refuse refuses them alone', async () => {
  await always('expired');
  const { token } = await logIn(vault.url);
  expect((await callVault(vault.url, 'GET transit/keys/told', undefined, token)).status).toBe(403);
  await fetch(`${vault.url}/control`, { method: 'DELETE' });
  await always('refuse');
  const fields = { role_id: 'any', secret_id: 'any' };
  expect(errorOf(await callVault(vault.url, 'POST auth/approle/login', fields, null))).toEqual([
    ...[400, ['invalid role or secret ID']],
  ]);
  expect((await dataKey()).status).toBe(200);
});

test('lies: a short plaintext, other bytes, another version, the wrong type, nothing', async () => {
  const honest = await dataKey();
  const { ciphertext, plaintext } = honest.body.data ?? {};
  const open = () => callVault(vault.url, 'POST transit/decrypt/told', { ciphertext });
  const lieOnce = (action: string, behaviour: string) => tell({ match: { action }, behaviour, times: 1 });
  await lieOnce('decrypt', 'lie');
  expect(lengthOf(await open())).toBe(31);
  await lieOnce('decrypt', 'lie=key');
  const lied = await open();
  expect([lengthOf(lied), lied.body.data?.['plaintext'] === plaintext]).toEqual([32, false]);
  await lieOnce('decrypt', 'lie=type');
  expect((await open()).body.data).toEqual({ plaintext: 42 });
  await lieOnce('decrypt', 'lie=empty');
  expect((await open()).body.data).toBeNull();
  await lieOnce('datakey/plaintext', 'lie=version');
  expect((await dataKey()).body.data?.['ciphertext']).toMatch(/^vault:v999:/);
  expect((await open()).body.data).toEqual({ plaintext });
});

async function behavioursSeen(): Promise<readonly string[]> {
  const response = await fetch(`${vault.url}/control/calls`);
  const { calls } = (await response.json()) as { calls: { behaviour: string }[] };
  return calls.map(({ behaviour }) => behaviour);
}

test('hang, reset, garbage, huge and bare pages happen on the socket; lost does the work and answers 500', async () => {
  const readOnce = async (behaviour: string, signal?: AbortSignal) => {
    await tell({ match: { key: 'told' }, behaviour, times: 1 });
    const headers = { 'x-vault-token': 'hvs.vault-transit-simulator' };
    return fetch(`${vault.url}/v1/transit/keys/told`, { headers, signal: signal ?? null });
  };
  // The caller leaves only when the service has the call: a rule that is still unused would meet the next one.
  const leaving = new AbortController();
  const hanging = expect(readOnce('hang', leaving.signal)).rejects.toThrow();
  await eventually(async () => expect(await behavioursSeen()).toContain('hang'));
  leaving.abort();
  await hanging;
  await expect(readOnce('reset')).rejects.toThrow('fetch failed');
  await expect(readOnce('garbage').then((response) => response.json())).rejects.toThrow();
  expect((await (await readOnce('huge=2')).text()).length).toBeGreaterThan(2_000_000);
  expect((await readOnce('error=502')).status).toBe(502);
  await tell({ match: { action: 'rotate' }, behaviour: 'lost', times: 1 });
  expect((await callVault(vault.url, 'POST transit/keys/told/rotate')).status).toBe(500);
  expect((await callVault(vault.url, 'GET transit/keys/told')).body.data).toMatchObject({ latest_version: 2 });
});

test('the log names endpoint and key, and holds no secret', async () => {
  const { body } = await dataKey();
  await callVault(vault.url, 'GET sys/health', undefined, null);
  const text = await (await fetch(`${vault.url}/control/calls`)).text();
  expect(JSON.parse(text)).toMatchObject({
    calls: [
      { action: 'datakey/plaintext', key: 'told', status: 200 },
      { action: 'health', key: null, status: 200 },
    ],
  });
  expect(text).not.toContain(String(body.data?.['plaintext']));
});

test('400: keys that a test cannot have', async () => {
  for (const wish of ['{"name":"told"}', '{"name":"a b"}', '{}', '{'])
    expect((await fetch(`${vault.url}/control/keys`, { method: 'POST', body: wish })).status).toBe(400);
});
