// The keys, the ciphertexts and the states of AWS KMS, over real HTTP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import type { RunningKeyServer } from '../key-wire/server.ts';
import { startAwsKms } from './server.ts';
import { callKms, type KmsAnswer } from './testing.ts';

let kms: RunningKeyServer;

beforeAll(async () => {
  kms = await startAwsKms({ port: 0 });
});
afterEach(async () => {
  vi.useRealTimers();
  await fetch(`${kms.url}/control`, { method: 'DELETE' });
});
afterAll(() => kms.close());

const call = (action: string, fields: object = {}) => callKms(kms.url, action, fields);
const typeOf = ({ status, json }: KmsAnswer) => [status, json['__type']];

async function newKey(): Promise<{ id: string; arn: string }> {
  const { status, json } = await call('CreateKey');
  expect(status).toBe(200);
  const { KeyId, Arn } = json['KeyMetadata'] as Record<string, string>;
  return { id: String(KeyId), arn: String(Arn) };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('200: a data key is 32 bytes, and its ciphertext gives the same bytes back', async () => {
  const { id, arn } = await newKey();
  const made = await call('GenerateDataKey', { KeyId: id, KeySpec: 'AES_256', EncryptionContext: { table: 'a' } });
  expect(made.headers['content-type']).toBe('application/x-amz-json-1.1');
  expect(made.headers['x-amzn-requestid']).toMatch(/^[\da-f-]{36}$/);
  expect(made.json).toMatchObject({ KeyId: arn, KeyMaterialId: expect.stringMatching(/^[\da-f]{64}$/) });
  const { CiphertextBlob, Plaintext } = made.json;
  expect(Buffer.from(String(Plaintext), 'base64')).toHaveLength(32);
  const opened = await call('Decrypt', { CiphertextBlob, EncryptionContext: { table: 'a' } });
  expect(opened.json).toMatchObject({ KeyId: arn, Plaintext, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
  const short = await call('GenerateDataKey', { KeyId: arn, NumberOfBytes: 64 });
  expect(Buffer.from(String(short.json['Plaintext']), 'base64')).toHaveLength(64);
});

test('400 InvalidCiphertextException: another context, another case, no context, a changed byte; the order does not matter', async () => {
  const { id } = await newKey();
  const bound = { table: 'people', column: 'name' };
  const { json } = await call('Encrypt', { KeyId: id, Plaintext: base64('secret'), EncryptionContext: bound });
  const blob = Buffer.from(String(json['CiphertextBlob']), 'base64');
  const open = (EncryptionContext: object | undefined, bytes = blob) =>
    call('Decrypt', { CiphertextBlob: bytes.toString('base64'), EncryptionContext });
  for (const wrong of [{ ...bound, column: 'Name' }, { table: 'people' }, {}, undefined, { ...bound, more: '' }]) {
    const answer = await open(wrong);
    expect(typeOf(answer)).toEqual([400, 'InvalidCiphertextException']);
    expect(answer.json['message']).toBeUndefined();
  }
  for (const place of [0, 20, 25, blob.length - 20, blob.length - 1]) {
    const changed = Buffer.from(blob);
    changed.writeUInt8((changed[place] ?? 0) ^ 1, place);
    expect(typeOf(await open(bound, changed))).toEqual([400, 'InvalidCiphertextException']);
  }
  expect((await open({ column: 'name', table: 'people' })).json['Plaintext']).toBe(base64('secret'));
});

test('a ciphertext tells neither its plaintext nor its context, and two of the same differ', async () => {
  const { id } = await newKey();
  const fields = { KeyId: id, Plaintext: base64('a-long-secret-text'), EncryptionContext: { tenant: 'a-long-name' } };
  const [one, two] = await Promise.all([call('Encrypt', fields), call('Encrypt', fields)]);
  expect(one.json['CiphertextBlob']).not.toBe(two.json['CiphertextBlob']);
  const bytes = Buffer.from(String(one.json['CiphertextBlob']), 'base64');
  for (const text of ['a-long-secret-text', 'a-long-name', 'tenant']) expect(bytes.includes(text)).toBe(false);
});

test('after a rotation old ciphertexts still open and new ones use the new material', async () => {
  const { id, arn } = await newKey();
  const before = await call('GenerateDataKey', { KeyId: id, KeySpec: 'AES_256' });
  expect((await call('RotateKeyOnDemand', { KeyId: id })).json).toEqual({ KeyId: arn });
  const after = await call('GenerateDataKey', { KeyId: id, KeySpec: 'AES_256' });
  expect(after.json['KeyMaterialId']).not.toBe(before.json['KeyMaterialId']);
  const old = await call('Decrypt', { CiphertextBlob: before.json['CiphertextBlob'] });
  expect(old.json).toMatchObject({
    Plaintext: before.json['Plaintext'],
    KeyMaterialId: before.json['KeyMaterialId'],
  });
  const again = await call('ReEncrypt', { CiphertextBlob: before.json['CiphertextBlob'], DestinationKeyId: id });
  expect(again.json).toMatchObject({
    ...{ KeyId: arn, SourceKeyId: arn, SourceKeyMaterialId: before.json['KeyMaterialId'] },
    DestinationKeyMaterialId: after.json['KeyMaterialId'],
  });
  const opened = await call('Decrypt', { CiphertextBlob: again.json['CiphertextBlob'] });
  expect(opened.json['Plaintext']).toBe(before.json['Plaintext']);
  expect((await call('EnableKeyRotation', { KeyId: id, RotationPeriodInDays: 90 })).text).toBe('');
  expect((await call('GetKeyRotationStatus', { KeyId: id })).json).toMatchObject({
    ...{ KeyRotationEnabled: true, RotationPeriodInDays: 90 },
  });
});

test('ReEncrypt needs the old context and binds the new one', async () => {
  const [from, to] = [await newKey(), await newKey()];
  const { json } = await call('Encrypt', { KeyId: from.id, Plaintext: base64('x'), EncryptionContext: { v: '1' } });
  const fields = { CiphertextBlob: json['CiphertextBlob'], DestinationKeyId: to.arn };
  expect(typeOf(await call('ReEncrypt', fields))).toEqual([400, 'InvalidCiphertextException']);
  const contexts = { SourceEncryptionContext: { v: '1' }, DestinationEncryptionContext: { v: '2' } };
  const { json: moved } = await call('ReEncrypt', { ...fields, ...contexts });
  expect(moved).toMatchObject({ SourceKeyId: from.arn, KeyId: to.arn });
  const opened = await call('Decrypt', { CiphertextBlob: moved['CiphertextBlob'], EncryptionContext: { v: '2' } });
  expect(opened.json).toMatchObject({ KeyId: to.arn, Plaintext: base64('x') });
});

test('400 IncorrectKeyException: a named key opens its own ciphertexts only', async () => {
  const [one, two] = [await newKey(), await newKey()];
  const { json } = await call('Encrypt', { KeyId: one.id, Plaintext: base64('x') });
  const answer = await call('Decrypt', { CiphertextBlob: json['CiphertextBlob'], KeyId: two.arn });
  expect(typeOf(answer)).toEqual([400, 'IncorrectKeyException']);
});

test('aliases lead to their key, by name and by ARN, and can be listed and deleted', async () => {
  const { id, arn } = await newKey();
  const name = `alias/a-${id}`;
  expect((await call('CreateAlias', { AliasName: name, TargetKeyId: id })).text).toBe('');
  expect(typeOf(await call('CreateAlias', { AliasName: name, TargetKeyId: id }))).toEqual([
    400,
    'AlreadyExistsException',
  ]);
  for (const KeyId of [name, arn.replace(/key\/.*/, name), id, arn]) {
    const { json } = await call('DescribeKey', { KeyId });
    expect(json['KeyMetadata']).toMatchObject({ Arn: arn, KeyState: 'Enabled', KeyUsage: 'ENCRYPT_DECRYPT' });
  }
  const { json } = await call('ListAliases', { KeyId: id });
  expect(json).toMatchObject({ Truncated: false, Aliases: [{ AliasName: name, TargetKeyId: id }] });
  await call('DeleteAlias', { AliasName: name });
  expect(typeOf(await call('DescribeKey', { KeyId: name }))).toEqual([400, 'NotFoundException']);
  expect(typeOf(await call('DisableKey', { KeyId: name }))).toEqual([400, 'NotFoundException']);
});

test('a deletion waits, can be cancelled, and when it is final nothing opens any more', async () => {
  const { id, arn } = await newKey();
  await call('CreateAlias', { AliasName: `alias/d-${id}`, TargetKeyId: id });
  const { json: sealed } = await call('Encrypt', { KeyId: id, Plaintext: base64('x') });
  const open = () => call('Decrypt', { CiphertextBlob: sealed['CiphertextBlob'] });
  for (const PendingWindowInDays of [6, 31])
    expect(typeOf(await call('ScheduleKeyDeletion', { KeyId: id, PendingWindowInDays }))).toEqual([
      ...[400, 'ValidationException'],
    ]);
  const beforeMs = Math.floor(Date.now() / 1_000) * 1_000;
  const scheduled = await call('ScheduleKeyDeletion', { KeyId: id, PendingWindowInDays: 7 });
  expect(scheduled.json).toMatchObject({ KeyId: arn, KeyState: 'PendingDeletion', PendingWindowInDays: 7 });
  expectSince(beforeMs, (Number(scheduled.json['DeletionDate']) - 7 * 86_400) * 1_000);
  for (const [action, fields] of [
    ['Encrypt', { KeyId: id, Plaintext: base64('x') }],
    ['GenerateDataKey', { KeyId: id, KeySpec: 'AES_256' }],
    ['ScheduleKeyDeletion', { KeyId: id }],
    ['EnableKey', { KeyId: id }],
    ['RotateKeyOnDemand', { KeyId: id }],
  ] as const)
    expect(typeOf(await call(action, fields))).toEqual([400, 'KMSInvalidStateException']);
  expect(typeOf(await open())).toEqual([400, 'KMSInvalidStateException']);

  expect((await call('CancelKeyDeletion', { KeyId: id })).json).toEqual({ KeyId: arn });
  expect(typeOf(await open())).toEqual([400, 'DisabledException']);
  await call('EnableKey', { KeyId: id });
  expect((await open()).status).toBe(200);
  expect(typeOf(await call('CancelKeyDeletion', { KeyId: id }))).toEqual([400, 'KMSInvalidStateException']);

  await call('ScheduleKeyDeletion', { KeyId: id });
  const finished = await fetch(`${kms.url}/control/deletions`, { method: 'POST', body: JSON.stringify({ keyId: id }) });
  expect(await finished.json()).toEqual({ deleted: [id] });
  const gone = await open();
  expect(typeOf(gone)).toEqual([400, 'AccessDeniedException']);
  expect(gone.json['Message']).toContain('does not exist');
  expect(typeOf(await call('DescribeKey', { KeyId: id }))).toEqual([400, 'NotFoundException']);
  expect(typeOf(await call('DescribeKey', { KeyId: `alias/d-${id}` }))).toEqual([400, 'NotFoundException']);
  const { json: listed } = await call('ListAliases', { Limit: 100 });
  expect(JSON.stringify(listed['Aliases'])).not.toContain(id);
});

test('a deletion that nobody cancels is final on its day', async () => {
  const { id } = await newKey();
  vi.useFakeTimers({ toFake: ['Date'] });
  await call('ScheduleKeyDeletion', { KeyId: id, PendingWindowInDays: 7 });
  const passDays = (count: number) => vi.setSystemTime(Date.now() + count * 86_400_000);
  passDays(6.9);
  expect((await call('DescribeKey', { KeyId: id })).status).toBe(200);
  passDays(0.2);
  expect(typeOf(await call('DescribeKey', { KeyId: id }))).toEqual([400, 'NotFoundException']);
});

test('400: fields that are missing or wrong', async () => {
  const { id } = await newKey();
  const rows = [
    ['GenerateDataKey', {}, 'ValidationException'],
    ['GenerateDataKey', { KeyId: id }, 'ValidationException'],
    ['GenerateDataKey', { KeyId: id, KeySpec: 'AES_256', NumberOfBytes: 32 }, 'ValidationException'],
    ['GenerateDataKey', { KeyId: id, KeySpec: 'AES_512' }, 'ValidationException'],
    ['GenerateDataKey', { KeyId: 'no-such', KeySpec: 'AES_256' }, 'NotFoundException'],
    ['Encrypt', { KeyId: id, Plaintext: '' }, 'ValidationException'],
    ['Encrypt', { KeyId: id, Plaintext: Buffer.alloc(4097).toString('base64') }, 'ValidationException'],
    ['Encrypt', { KeyId: id, Plaintext: 'not base64!' }, 'SerializationException'],
    ['Encrypt', { KeyId: id, Plaintext: base64('x'), EncryptionContext: { a: 1 } }, 'SerializationException'],
    ['Decrypt', { CiphertextBlob: base64('no blob') }, 'InvalidCiphertextException'],
    ['CreateAlias', { AliasName: 'no-prefix', TargetKeyId: id }, 'ValidationException'],
    ['CreateKey', { KeySpec: 'RSA_2048' }, 'UnsupportedOperationException'],
    ['Fly', {}, 'UnknownOperationException'],
  ] as const;
  for (const [action, fields, type] of rows)
    expect([action, ...typeOf(await call(action, fields))]).toEqual([action, 400, type]);
  expect((await fetch(`${kms.url}/elsewhere`)).status).toBe(404);
});

test('with a file, a restart keeps keys, aliases and states; without one it forgets', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aws-kms-'));
  const stateFile = join(folder, 'keys.json');
  const first = await startAwsKms({ port: 0, stateFile });
  const { json: made } = await callKms(first.url, 'CreateKey', {});
  const { KeyId } = made['KeyMetadata'] as Record<string, string>;
  await callKms(first.url, 'CreateAlias', { AliasName: 'alias/kept', TargetKeyId: KeyId });
  const { json: sealed } = await callKms(first.url, 'Encrypt', { KeyId, Plaintext: base64('kept') });
  await first.close();
  const second = await startAwsKms({ port: 0, stateFile });
  const opened = await callKms(second.url, 'Decrypt', {
    ...{ KeyId: 'alias/kept', CiphertextBlob: sealed['CiphertextBlob'] },
  });
  await second.close();
  rmSync(folder, { recursive: true });
  expect(opened.json['Plaintext']).toBe(base64('kept'));
  expect(typeOf(await call('Decrypt', { CiphertextBlob: sealed['CiphertextBlob'] }))).toEqual([
    ...[400, 'AccessDeniedException'],
  ]);
});
