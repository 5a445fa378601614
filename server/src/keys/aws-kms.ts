// AWS KMS by its JSON interface: one symmetric key a month, found by its alias. A destroyed key waits for the days that KMS
// demands; from the first of them on it opens nothing.
import { type Static, Type } from 'typebox';
import { openHttpLine } from '../lib/outside/http-line.ts';
import { OutsideFault } from '../lib/outside/outside-fault.ts';
import { isObject, type JsonObject, own } from '../lib/outside/strict-json.ts';
import { closed, HttpUrl, SettingText } from '../lib/setting-schema.ts';
import {
  done,
  GONE,
  guardKeyService,
  KEY_CALLS_MAX,
  KEY_PREFIX,
  KEY_REPLY_BYTES_MAX,
  KEY_SERVICE_MS,
  KEY_SERVICE_SETTINGS,
  KeyPrefix,
  readKey,
  readObject,
  readText,
} from './key-answers.ts';
import type { KeyAnswer, KeyService, MonthKeyFacts } from './port.ts';
import { signForAws } from './sign-aws.ts';

export const AwsKmsSettings = closed({
  kind: Type.Literal('aws-kms'),
  region: Type.String({ pattern: '^[a-z0-9-]{1,40}$', description: 'the name of a region, such as eu-west-2' }),
  endpoint: Type.Optional(HttpUrl),
  accessKeyId: SettingText,
  secretAccessKey: SettingText,
  sessionToken: Type.Optional(SettingText),
  aliasPrefix: Type.Optional(KeyPrefix),
  pendingDays: Type.Optional(
    Type.Integer({ minimum: 7, maximum: 30, description: 'a whole number, 7 to 30: the days that KMS waits' }),
  ),
  ...KEY_SERVICE_SETTINGS,
});
export type AwsKmsSettings = Static<typeof AwsKmsSettings>;

/** The shortest that KMS allows. */
const PENDING_DAYS = 7;

/** The public one of the region, unless another is named. */
export const kmsAddress = ({ region, endpoint }: Pick<AwsKmsSettings, 'region' | 'endpoint'>) =>
  endpoint ?? `https://kms.${region}.amazonaws.com`;

type KmsReply = { readonly body: JsonObject } | { readonly refusal: string };

const THROTTLED = ['ThrottlingException', 'LimitExceededException', 'RequestLimitExceeded'];
/** There is a key, and it opens nothing: it waits for its deletion, or an administrator has disabled it. */
const UNUSABLE = ['KMSInvalidStateException', 'DisabledException'];
const MISSING = 'NotFoundException';
const TAKEN = 'AlreadyExistsException';

const isRefused = (reply: KmsReply, ...codes: string[]) => 'refusal' in reply && codes.includes(reply.refusal);

/** The body of a call that must have worked. */
function bodyOf(reply: KmsReply): JsonObject {
  if ('body' in reply) return reply.body;
  // The code is one of KMS's own table: it says whether a right, a key or a signature is wrong.
  const code = /^[A-Za-z]{1,60}$/.test(reply.refusal) ? reply.refusal : 'without a code';
  throw THROTTLED.includes(code) ? new OutsideFault('throttled', code) : new OutsideFault('refused', code, 'request');
}

export function createAwsKms(settings: AwsKmsSettings, now: () => Date = () => new Date()): KeyService {
  const { region, aliasPrefix = KEY_PREFIX, pendingDays = PENDING_DAYS, timeoutMs = KEY_SERVICE_MS } = settings;
  const baseUrl = kmsAddress(settings);
  const { host, pathname } = new URL(baseUrl);
  const line = openHttpLine({ baseUrl, timeoutMs, connections: KEY_CALLS_MAX, replyBytesMax: KEY_REPLY_BYTES_MAX });
  const guard = guardKeyService({ timeoutMs });
  const aliasOf = (month: string) => `alias/${aliasPrefix}${month}`;
  /** Bound to its purpose: the same words must be said to unwrap. */
  const contextOf = (month: string) => ({ trefoil: 'working-key', month });

  async function ask(action: string, parameters: object, signal: AbortSignal): Promise<KmsReply> {
    const body = JSON.stringify(parameters);
    const headers = { host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${action}` };
    const path = `${pathname.replace(/\/+$/, '')}/`;
    const signed = signForAws({ method: 'POST', path, headers, body }, settings, {
      ...{ region, service: 'kms', at: now() },
    });
    const reply = await line.call({ method: 'POST', path: '/', headers: signed, body }, signal);
    if (reply.status === 200) return { body: reply.bytes.length === 0 ? {} : readObject(reply.bytes) };
    if (reply.status === 429) throw new OutsideFault('throttled', '429');
    if (reply.status >= 500 || reply.status < 400) throw new OutsideFault('refused', `status ${reply.status}`);
    const type = own(readObject(reply.bytes), '__type');
    // Some answers write it with a namespace: com.amazonaws.kms#NotFoundException.
    return { refusal: typeof type === 'string' ? type.slice(type.lastIndexOf('#') + 1) : '' };
  }

  const generate = (month: string, signal: AbortSignal) =>
    ask('GenerateDataKey', { KeyId: aliasOf(month), KeySpec: 'AES_256', EncryptionContext: contextOf(month) }, signal);

  const schedule = (keyId: string, signal: AbortSignal) =>
    ask('ScheduleKeyDeletion', { KeyId: keyId, PendingWindowInDays: pendingDays }, signal);

  async function createMonthKey(month: string, signal: AbortSignal): Promise<void> {
    const made = bodyOf(
      await ask(
        'CreateKey',
        { Description: `Trefoil: wraps the working key of ${month}`, KeySpec: 'SYMMETRIC_DEFAULT' },
        signal,
      ),
    );
    const metadata = own(made, 'KeyMetadata');
    if (!isObject(metadata)) throw new OutsideFault('unintelligible', 'a new key without an id');
    const keyId = readText(metadata, 'KeyId');
    const named = await ask('CreateAlias', { AliasName: aliasOf(month), TargetKeyId: keyId }, signal);
    if ('body' in named) return;
    // Ours has no name and has wrapped nothing. After a call without an answer it stays: it may have its name.
    const dropped = await schedule(keyId, signal).catch(() => undefined);
    // Another node was first: its key counts.
    if (!isRefused(named, TAKEN)) bodyOf(named);
    else if (dropped) bodyOf(dropped);
  }

  /** The key behind the alias. */
  async function describeKey(month: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    const reply = await ask('DescribeKey', { KeyId: aliasOf(month) }, signal);
    if (isRefused(reply, MISSING)) return undefined;
    const metadata = own(bodyOf(reply), 'KeyMetadata');
    if (!isObject(metadata)) throw new OutsideFault('unintelligible', 'a key without facts');
    return metadata;
  }

  const instantOf = (seconds: unknown) => (typeof seconds === 'number' ? new Date(seconds * 1_000) : undefined);

  const usable = async <T>(reply: KmsReply, read: (body: JsonObject) => T): Promise<KeyAnswer<T>> =>
    isRefused(reply, MISSING, ...UNUSABLE) ? GONE : done(read(bodyOf(reply)));

  return {
    kind: 'aws-kms',
    createWorkingKey: (month) =>
      guard(async (signal) => {
        let reply = await generate(month, signal);
        if (isRefused(reply, MISSING)) {
          await createMonthKey(month, signal);
          reply = await generate(month, signal);
        }
        return usable(reply, (body) => ({
          key: readKey(readText(body, 'Plaintext')),
          wrappedKey: Buffer.from(readText(body, 'CiphertextBlob'), 'base64'),
        }));
      }),
    unwrap: (month, wrappedKey) =>
      guard(async (signal) =>
        usable(
          await ask(
            'Decrypt',
            {
              ...{ KeyId: aliasOf(month), CiphertextBlob: wrappedKey.toString('base64') },
              EncryptionContext: contextOf(month),
            },
            signal,
          ),
          (body) => readKey(readText(body, 'Plaintext')),
        ),
      ),
    rewrap: (month, wrappedKey) =>
      guard(async (signal) =>
        usable(
          await ask(
            'ReEncrypt',
            {
              CiphertextBlob: wrappedKey.toString('base64'),
              ...{ SourceKeyId: aliasOf(month), SourceEncryptionContext: contextOf(month) },
              ...{ DestinationKeyId: aliasOf(month), DestinationEncryptionContext: contextOf(month) },
            },
            signal,
          ),
          (body) => Buffer.from(readText(body, 'CiphertextBlob'), 'base64'),
        ),
      ),
    destroy: (month) =>
      guard(async (signal) => {
        const metadata = await describeKey(month, signal);
        if (!metadata) return done({ until: undefined });
        // A repetition: the days count from the first time.
        if (own(metadata, 'KeyState') === 'PendingDeletion')
          return done({ until: instantOf(own(metadata, 'DeletionDate')) });
        const scheduled = bodyOf(await schedule(readText(metadata, 'KeyId'), signal));
        return done({ until: instantOf(own(scheduled, 'DeletionDate')) });
      }),
    describe: (month) =>
      guard<MonthKeyFacts>(async (signal) => {
        const metadata = await describeKey(month, signal);
        if (!metadata || own(metadata, 'KeyState') !== 'Enabled') return GONE;
        return done({ version: undefined, createdAt: instantOf(own(metadata, 'CreationDate')) });
      }),
    close: () => line.close(),
  };
}
