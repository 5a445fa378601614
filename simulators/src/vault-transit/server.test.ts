// Keys, versions, contexts and ciphertexts of the transit engine, over real HTTP.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningKeyServer } from '../key-wire/server.ts';
import { startVaultTransit } from './server.ts';
import { callVault, type VaultAnswer } from './testing.ts';

let vault: RunningKeyServer;

beforeAll(async () => {
  vault = await startVaultTransit({ port: 0 });
});
afterAll(() => vault.close());

const call = (path: string, fields?: object) => callVault(vault.url, path, fields);
const write = (path: string, fields: object = {}) => call(`POST transit/${path}`, fields);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const errorOf = ({ status, body }: VaultAnswer) => [status, ...(body.errors ?? [])];

async function newKey(fields: object = {}): Promise<string> {
  const name = `key-${randomUUID()}`;
  expect((await write(`keys/${name}`, fields)).status).toBe(200);
  return name;
}

test('200: a key is made, read, and not made twice', async () => {
  const name = await newKey();
  const { body } = await call(`GET transit/keys/${name}`);
  expect(body).toMatchObject({ lease_id: '', renewable: false, lease_duration: 0, auth: null, wrap_info: null });
  expect(body.data).toMatchObject({
    ...{ name, type: 'aes256-gcm96', derived: false, latest_version: 1, deletion_allowed: false, exportable: false },
    ...{ min_decryption_version: 1, min_encryption_version: 0, keys: { 1: expect.any(Number) } },
  });
  const again = await write(`keys/${name}`, { derived: true });
  expect(again.body.warnings).toEqual([`key ${name} already existed`]);
  expect(again.body.data).toMatchObject({ derived: false });
  expect(errorOf(await call('GET transit/keys/absent'))).toEqual([404]);
  expect((await call('GET transit/keys/absent')).body.errors).toEqual([]);
});

test('200: a data key comes with its ciphertext, which gives the same bytes back; wrapped, without its plaintext', async () => {
  const name = await newKey();
  for (const [bits, length] of [
    [undefined, 32],
    [128, 16],
    [512, 64],
  ]) {
    const { body } = await write(`datakey/plaintext/${name}`, { bits });
    expect(body.data).toMatchObject({ ciphertext: expect.stringMatching(/^vault:v1:[\w+/]+=*$/), key_version: 1 });
    const { ciphertext, plaintext } = body.data ?? {};
    expect(Buffer.from(String(plaintext), 'base64')).toHaveLength(Number(length));
    expect((await write(`decrypt/${name}`, { ciphertext })).body.data).toEqual({ plaintext });
  }
  expect((await write(`datakey/wrapped/${name}`)).body.data).not.toHaveProperty('plaintext');
  expect(errorOf(await write(`datakey/plaintext/${name}`, { bits: 8 }))).toEqual([400, 'invalid bit length']);
  expect(errorOf(await write('datakey/plaintext/absent'))).toEqual([400, 'encryption key not found']);
});

test('associated data is bound by encrypt and decrypt; datakey ignores it with a warning; rewrap cannot open it', async () => {
  const name = await newKey();
  const plaintext = base64('a secret');
  const associated_data = base64('tenant-1');
  const { body } = await write(`encrypt/${name}`, { plaintext, associated_data });
  const { ciphertext } = body.data ?? {};
  expect((await write(`decrypt/${name}`, { ciphertext, associated_data })).body.data).toEqual({ plaintext });
  for (const wrong of [undefined, '', base64('tenant-2')])
    expect(errorOf(await write(`decrypt/${name}`, { ciphertext, associated_data: wrong }))).toEqual([
      ...[400, 'cipher: message authentication failed'],
    ]);
  expect((await write(`decrypt/${name}`, { ciphertext, associated_data: '!' })).status).toBe(500);
  expect(errorOf(await write(`rewrap/${name}`, { ciphertext, associated_data }))).toEqual([
    ...[400, 'cipher: message authentication failed'],
  ]);
  const made = await write(`datakey/plaintext/${name}`, { associated_data });
  expect(made.body.warnings).toEqual(['Endpoint ignored these unrecognized parameters: [associated_data]']);
  expect((await write(`decrypt/${name}`, { ciphertext: made.body.data?.['ciphertext'] })).status).toBe(200);
});

test('a derived key binds its context everywhere and needs one; another key ignores it', async () => {
  const [derived, other] = [await newKey({ derived: true }), await newKey()];
  const context = base64('person-1');
  const { body } = await write(`datakey/plaintext/${derived}`, { context });
  const { ciphertext, plaintext } = body.data ?? {};
  expect((await write(`decrypt/${derived}`, { ciphertext, context })).body.data).toEqual({ plaintext });
  expect(errorOf(await write(`decrypt/${derived}`, { ciphertext, context: base64('person-2') }))).toEqual([
    ...[400, 'cipher: message authentication failed'],
  ]);
  for (const path of [`decrypt/${derived}`, `rewrap/${derived}`])
    expect(errorOf(await write(path, { ciphertext }))).toEqual([400, expect.stringMatching(/^missing 'context'/)]);
  expect((await write(`datakey/plaintext/${derived}`)).status).toBe(400);
  expect(errorOf(await write(`decrypt/${derived}`, { ciphertext, context: '?' }))).toEqual([
    ...[400, 'illegal base64 data at input byte 0'],
  ]);
  expect(errorOf(await write(`datakey/plaintext/${derived}`, { context: '?' }))).toEqual([
    ...[400, 'failed to base64-decode context'],
  ]);
  const free = await write(`encrypt/${other}`, { plaintext: base64('x'), context });
  const opened = await write(`decrypt/${other}`, { ciphertext: free.body.data?.['ciphertext'] });
  expect(opened.body.data).toEqual({ plaintext: base64('x') });
});

test('after a rotation old ciphertexts open and rewrap moves them; the minimum archives old versions, reversibly', async () => {
  const name = await newKey();
  const plaintext = base64('kept');
  const { ciphertext: old } = (await write(`encrypt/${name}`, { plaintext })).body.data ?? {};
  expect((await write(`keys/${name}/rotate`)).body.data).toMatchObject({ latest_version: 2 });
  expect((await write(`decrypt/${name}`, { ciphertext: old })).body.data).toEqual({ plaintext });
  const { body } = await write(`rewrap/${name}`, { ciphertext: old });
  expect(body.data).toMatchObject({ ciphertext: expect.stringMatching(/^vault:v2:/), key_version: 2 });
  expect((await write(`encrypt/${name}`, { plaintext, key_version: 1 })).body.data).toMatchObject({ key_version: 1 });

  const raised = await write(`keys/${name}/config`, { min_decryption_version: 2 });
  expect(raised.body.data).toMatchObject({ min_decryption_version: 2, keys: { 2: expect.any(Number) } });
  expect(Object.keys(raised.body.data?.['keys'] as object)).toEqual(['2']);
  for (const path of [`decrypt/${name}`, `rewrap/${name}`])
    expect(errorOf(await write(path, { ciphertext: old }))).toEqual([
      ...[400, 'ciphertext or signature version is disallowed by policy (too old)'],
    ]);
  const moved = await write(`decrypt/${name}`, { ciphertext: body.data?.['ciphertext'] });
  expect(moved.body.data).toEqual({ plaintext });
  await write(`keys/${name}/config`, { min_decryption_version: 1 });
  expect((await write(`decrypt/${name}`, { ciphertext: old })).status).toBe(200);
});

test('400: settings that contradict the versions change nothing', async () => {
  const name = await newKey();
  await write(`keys/${name}/rotate`);
  const rows = [
    [{ min_decryption_version: 3 }, 'cannot set min decryption version of 3, latest key version is 2'],
    [{ min_encryption_version: 3 }, 'cannot set min encryption version of 3, latest key version is 2'],
    [{ min_decryption_version: -1 }, 'min decryption version cannot be negative'],
    [
      { min_decryption_version: 2, min_encryption_version: 1 },
      'cannot set min encryption/decryption values; min encryption version of 1 must be greater than or equal to min decryption version of 2',
    ],
  ] as const;
  for (const [fields, error] of rows) expect(errorOf(await write(`keys/${name}/config`, fields))).toEqual([400, error]);
  expect((await call(`GET transit/keys/${name}`)).body.data).toMatchObject({
    ...{ min_decryption_version: 1, min_encryption_version: 0 },
  });
  expect(errorOf(await write('keys/absent/config', {}))).toEqual([400, 'no existing key named absent could be found']);
  expect(errorOf(await write('keys/absent/rotate'))).toEqual([400, 'key not found']);
});

test('a key is deleted only when its settings allow it, and then nothing opens any more', async () => {
  const name = await newKey();
  const { ciphertext } = (await write(`datakey/plaintext/${name}`)).body.data ?? {};
  const remove = () => call(`DELETE transit/keys/${name}`);
  expect(errorOf(await remove())).toEqual([
    ...[400, `error deleting policy ${name}: deletion is not allowed for this key`],
  ]);
  expect((await write(`decrypt/${name}`, { ciphertext })).status).toBe(200);
  await write(`keys/${name}/config`, { deletion_allowed: true });
  expect((await remove()).status).toBe(204);
  expect(errorOf(await write(`decrypt/${name}`, { ciphertext }))).toEqual([400, 'encryption key not found']);
  expect(errorOf(await remove())).toEqual([400, `error deleting policy ${name}: could not delete key; not found`]);
  // A new key of the same name is another key.
  await write(`keys/${name}`);
  expect(errorOf(await write(`decrypt/${name}`, { ciphertext }))).toEqual([
    ...[400, 'cipher: message authentication failed'],
  ]);
});

test('400: ciphertexts that are none', async () => {
  const name = await newKey();
  const { ciphertext } = (await write(`encrypt/${name}`, { plaintext: base64('x') })).body.data ?? {};
  const changed = Buffer.from(String(ciphertext).slice('vault:v1:'.length), 'base64');
  changed.writeUInt8((changed[13] ?? 0) ^ 1, 13);
  const rows = [
    ['', 'missing ciphertext to decrypt'],
    ['plain', 'invalid ciphertext: no prefix'],
    ['vault:v1', 'invalid ciphertext: wrong number of fields'],
    ['vault:vx:AAAA', 'invalid ciphertext: version number could not be decoded'],
    ['vault:v2:AAAA', 'invalid ciphertext: version is too new'],
    ['vault:v1:?', 'invalid ciphertext: could not decode base64'],
    ['vault:v1:AAAA', 'invalid ciphertext length'],
    [`vault:v1:${changed.toString('base64')}`, 'cipher: message authentication failed'],
  ] as const;
  for (const [text, error] of rows)
    expect(errorOf(await write(`decrypt/${name}`, { ciphertext: text }))).toEqual([400, error]);
  expect(errorOf(await write(`encrypt/${name}`, {}))).toEqual([400, 'missing plaintext to encrypt']);
  expect((await write(`encrypt/${name}`, { plaintext: 'abc!' })).status).toBe(400);
  expect((await write(`encrypt/${name}`, { plaintext: '', nonce: 'AAAA' })).status).toBe(400);
  expect((await write(`encrypt/${name}`, { plaintext: '', key_version: 2 })).status).toBe(400);
  expect((await write(`encrypt/${name}`, { batch_input: [] })).status).toBe(400);
});

test('403, 404, 405: encrypt makes no key; other paths and methods are not there', async () => {
  expect(errorOf(await write('encrypt/absent', { plaintext: base64('x') }))).toEqual([
    ...[403, '1 error occurred:\n\t* permission denied\n\n'],
  ]);
  expect((await write('keys/rsa', { type: 'rsa-4096' })).status).toBe(400);
  expect(errorOf(await call('GET transit/decrypt/a'))).toEqual([405, expect.stringContaining('unsupported operation')]);
  expect(errorOf(await call('GET transit/fly'))).toEqual([404, expect.stringContaining('unsupported path')]);
  expect(errorOf(await call('GET kv/fly'))).toEqual([404, 'no handler for route "kv/fly". route entry not found.']);
});

test('with a file, a restart keeps the keys and forgets the tokens of log-ins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vault-transit-'));
  const stateFile = join(folder, 'keys.json');
  const first = await startVaultTransit({ port: 0, stateFile });
  await callVault(first.url, 'POST transit/keys/kept');
  await callVault(first.url, 'POST transit/keys/kept/rotate');
  const { body } = await callVault(first.url, 'POST transit/datakey/plaintext/kept');
  await first.close();
  const second = await startVaultTransit({ port: 0, stateFile });
  const { ciphertext, plaintext } = body.data ?? {};
  const opened = await callVault(second.url, 'POST transit/decrypt/kept', { ciphertext });
  await second.close();
  rmSync(folder, { recursive: true });
  expect(opened.body.data).toEqual({ plaintext });
  expect(String(ciphertext)).toMatch(/^vault:v2:/);
});
