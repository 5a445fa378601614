// Everything a rule can make KMS do, over real HTTP.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { RunningKeyServer } from '../key-wire/server.ts';
import { startAwsKms } from './server.ts';
import { callKms, type KmsAnswer, post, sign } from './testing.ts';

let kms: RunningKeyServer;
let keyId: string;

beforeAll(async () => {
  kms = await startAwsKms({ port: 0 });
  const made = await fetch(`${kms.url}/control/keys`, { method: 'POST', body: '{"alias":"alias/told"}' });
  keyId = ((await made.json()) as { KeyId: string }).KeyId;
});
afterEach(async () => {
  await fetch(`${kms.url}/control`, { method: 'DELETE' });
});
afterAll(() => kms.close());

const tell = (rule: unknown) => fetch(`${kms.url}/control`, { method: 'POST', body: JSON.stringify(rule) });
const always = (behaviour: string) => tell({ match: { any: true }, behaviour });
const dataKey = () => callKms(kms.url, 'GenerateDataKey', { KeyId: 'alias/told', KeySpec: 'AES_256' });
const typeOf = ({ status, json }: KmsAnswer) => [status, json['__type']];
const lengthOf = ({ json }: KmsAnswer) => Buffer.from(String(json['Plaintext']), 'base64').length;

const ERRORS = [
  ['error', 500, 'KMSInternalException'],
  ['error=KeyUnavailableException', 500, 'KeyUnavailableException'],
  ['throttle', 400, 'ThrottlingException'],
  ['refuse', 400, 'UnrecognizedClientException'],
  ['refuse=expired', 400, 'ExpiredTokenException'],
  ['denied', 400, 'AccessDeniedException'],
  ['maintenance', 503, 'ServiceUnavailableException'],
  ['skew', 400, 'InvalidSignatureException'],
  ['skew=200', 200, undefined],
] as const;

for (const [behaviour, status, type] of ERRORS) {
  test(`${behaviour}: ${status} ${type ?? ''}`, async () => {
    await always(behaviour);
    expect(typeOf(await dataKey())).toEqual([status, type]);
  });
}

test('lies: a short plaintext, other bytes, another key, the wrong type, nothing', async () => {
  await always('lie');
  expect(lengthOf(await dataKey())).toBe(31);
  await fetch(`${kms.url}/control`, { method: 'DELETE' });
  const honest = await dataKey();
  const open = () => callKms(kms.url, 'Decrypt', { CiphertextBlob: honest.json['CiphertextBlob'] });
  await tell({ match: { action: 'Decrypt' }, behaviour: 'lie=key', times: 1 });
  const lied = await open();
  expect(lengthOf(lied)).toBe(32);
  expect(lied.json['Plaintext']).not.toBe(honest.json['Plaintext']);
  await tell({ match: { action: 'Decrypt' }, behaviour: 'lie=id', times: 1 });
  expect((await open()).json['KeyId']).not.toBe(honest.json['KeyId']);
  await tell({ match: { action: 'Decrypt' }, behaviour: 'lie=type', times: 1 });
  expect((await open()).json['Plaintext']).toBe(42);
  await tell({ match: { action: 'Decrypt' }, behaviour: 'lie=empty', times: 1 });
  expect((await open()).json).toEqual({});
  expect((await open()).json['Plaintext']).toBe(honest.json['Plaintext']);
});

async function behavioursSeen(): Promise<readonly string[]> {
  const response = await fetch(`${kms.url}/control/calls`);
  const { calls } = (await response.json()) as { calls: { behaviour: string }[] };
  return calls.map(({ behaviour }) => behaviour);
}

test('slow, hang, reset, garbage, half, huge and bare pages happen on the socket', async () => {
  const fetchOnce = async (behaviour: string, signal?: AbortSignal) => {
    await tell({ match: { any: true }, behaviour, times: 1 });
    // `fetch` writes the host itself.
    const {
      headers: { host: _, ...headers },
      body,
    } = sign(kms.url, 'ListAliases', '{}');
    return fetch(kms.url, { method: 'POST', headers, body, signal: signal ?? null });
  };
  const startedMs = performance.now();
  expect((await fetchOnce('slow=150')).status).toBe(200);
  // steady: at least so long; a slow machine only takes longer.
  expect(performance.now() - startedMs).toBeGreaterThan(140);
  // The caller leaves only when the service has the call: a rule that is still unused would meet the next one.
  const leaving = new AbortController();
  const hanging = expect(fetchOnce('hang', leaving.signal)).rejects.toThrow();
  await eventually(async () => expect(await behavioursSeen()).toContain('hang'));
  leaving.abort();
  await hanging;
  await expect(fetchOnce('reset')).rejects.toThrow('fetch failed');
  await expect(fetchOnce('half').then((response) => response.text())).rejects.toThrow();
  const garbage = await fetchOnce('garbage');
  expect(garbage.status).toBe(200);
  await expect(garbage.json()).rejects.toThrow();
  expect((await (await fetchOnce('huge=2')).text()).length).toBeGreaterThan(2_000_000);
  const bare = await fetchOnce('error=502');
  expect([bare.status, bare.headers.get('content-type')]).toEqual([502, 'text/html']);
});

test('lost: the action is done and answered with 500; error: it is not done', async () => {
  const made = await fetch(`${kms.url}/control/keys`, { method: 'POST' });
  const { KeyId } = (await made.json()) as { KeyId: string };
  const stateOf = async () => (await callKms(kms.url, 'DescribeKey', { KeyId })).json['KeyMetadata'];
  await tell({ match: { action: 'DisableKey' }, behaviour: 'error', times: 1 });
  expect((await callKms(kms.url, 'DisableKey', { KeyId })).status).toBe(500);
  expect(await stateOf()).toMatchObject({ KeyState: 'Enabled' });
  await tell({ match: { action: 'DisableKey' }, behaviour: 'lost', times: 1 });
  expect((await callKms(kms.url, 'DisableKey', { KeyId })).status).toBe(500);
  expect(await stateOf()).toMatchObject({ KeyState: 'Disabled' });
});

test('rules by action and by key, under any name of the key; the log counts calls and holds no secret', async () => {
  const honest = await dataKey();
  await tell({ match: { key: keyId }, behaviour: 'throttle' });
  expect((await dataKey()).status).toBe(400);
  const { CiphertextBlob, Plaintext } = honest.json;
  expect(typeOf(await callKms(kms.url, 'Decrypt', { CiphertextBlob }))).toEqual([400, 'ThrottlingException']);
  expect((await callKms(kms.url, 'ListAliases', {})).status).toBe(200);
  const text = await (await fetch(`${kms.url}/control/calls`)).text();
  const { calls } = JSON.parse(text) as { calls: { action: string; status: number; behaviour: string }[] };
  expect(calls.map(({ action, status, behaviour }) => [action, status, behaviour])).toEqual([
    ['GenerateDataKey', 200, ''],
    ['GenerateDataKey', 400, 'throttle'],
    ['Decrypt', 400, 'throttle'],
    ['ListAliases', 200, ''],
  ]);
  expect(text).not.toContain(String(Plaintext));
  expect(text).not.toContain(String(CiphertextBlob));
});

test('400: rules that make no sense; 404: no such endpoint for tests; 413: too large', async () => {
  for (const rule of [{}, { match: {}, behaviour: 'hang' }, { match: { any: true }, behaviour: 'fly' }, 1])
    expect((await tell(rule)).status).toBe(400);
  expect((await tell({ match: { any: true }, behaviour: 'hang', times: 0 })).status).toBe(400);
  expect((await fetch(`${kms.url}/control`, { method: 'POST', body: '{' })).status).toBe(400);
  const wrongAlias = await fetch(`${kms.url}/control/keys`, { method: 'POST', body: '{"alias":"no"}' });
  expect(wrongAlias.status).toBe(400);
  expect((await fetch(`${kms.url}/control/fly`)).status).toBe(404);
  const large = sign(kms.url, 'Encrypt', 'x'.repeat(1_000_001));
  expect((await post(kms.url, large)).status).toBe(413);
});
