// The actions that manage keys: creation, aliases, states, deletion, rotation. Which states an action takes is the table
// "Key states of AWS KMS keys" of the developer guide.
import { invalid, KmsError } from './errors.ts';
import { type Fields, optionalText, text, whole } from './fields.ts';
import type { KmsKey, KmsKeys } from './keys.ts';

/** The result, or null for an empty answer. */
export type Action = (keys: KmsKeys, fields: Fields) => object | null;

const DAY_MS = 86_400_000;
const ROTATIONS_MAX = 25;
const seconds = (ms: number) => ms / 1000;

export function describe(keys: KmsKeys, key: KmsKey): object {
  return {
    AWSAccountId: keys.place.account,
    Arn: keys.arnOf(key.id),
    CreationDate: seconds(key.createdAt),
    CurrentKeyMaterialId: key.materials.at(-1)?.id,
    CustomerMasterKeySpec: 'SYMMETRIC_DEFAULT',
    ...(key.deletionAt !== null && { DeletionDate: seconds(key.deletionAt) }),
    Description: key.description,
    Enabled: key.state === 'Enabled',
    EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'],
    KeyId: key.id,
    KeyManager: 'CUSTOMER',
    KeySpec: 'SYMMETRIC_DEFAULT',
    KeyState: key.state,
    KeyUsage: 'ENCRYPT_DECRYPT',
    MultiRegion: false,
    Origin: 'AWS_KMS',
  };
}

export function refuseIfPending(keys: KmsKeys, key: KmsKey): void {
  if (key.state === 'PendingDeletion')
    throw new KmsError('KMSInvalidStateException', `${keys.arnOf(key.id)} is pending deletion.`);
}

export function refuseIfUnusable(keys: KmsKeys, key: KmsKey): void {
  refuseIfPending(keys, key);
  if (key.state === 'Disabled') throw new KmsError('DisabledException', `${keys.arnOf(key.id)} is disabled.`);
}

export const KEY_ACTIONS: Readonly<Record<string, Action>> = {
  CreateKey(keys, fields) {
    const spec = optionalText(fields, 'KeySpec') ?? optionalText(fields, 'CustomerMasterKeySpec');
    const usage = optionalText(fields, 'KeyUsage') ?? 'ENCRYPT_DECRYPT';
    const isPlain = (fields['MultiRegion'] ?? false) === false && (fields['Origin'] ?? 'AWS_KMS') === 'AWS_KMS';
    if ((spec ?? 'SYMMETRIC_DEFAULT') !== 'SYMMETRIC_DEFAULT' || usage !== 'ENCRYPT_DECRYPT' || !isPlain)
      throw new KmsError('UnsupportedOperationException', 'The simulator makes symmetric keys of one region only.');
    return { KeyMetadata: describe(keys, keys.create(optionalText(fields, 'Description') ?? '')) };
  },
  DescribeKey: (keys, fields) => ({ KeyMetadata: describe(keys, keys.get(text(fields, 'KeyId'))) }),
  CreateAlias(keys, fields) {
    const name = aliasName(fields);
    const key = keys.getById(text(fields, 'TargetKeyId'));
    refuseIfPending(keys, key);
    keys.addAlias(name, key);
    return null;
  },
  DeleteAlias(keys, fields) {
    keys.deleteAlias(aliasName(fields));
    return null;
  },
  ListAliases(keys, fields) {
    const wanted = optionalText(fields, 'KeyId');
    const only = wanted === undefined ? undefined : keys.getById(wanted).id;
    const aliases = keys.aliases().filter(({ keyId }) => only === undefined || keyId === only);
    // The marker is the number of aliases already given out.
    const from = Number(optionalText(fields, 'Marker') ?? 0);
    if (!Number.isInteger(from)) throw new KmsError('InvalidMarkerException', 'Could not deserialize marker.');
    const to = from + (whole(fields, 'Limit', 1, 100) ?? 50);
    const isTruncated = to < aliases.length;
    return {
      Aliases: aliases.slice(from, to).map(({ name, keyId, createdAt }) => ({
        ...{ AliasArn: keys.aliasArnOf(name), AliasName: name, TargetKeyId: keyId },
        ...{ CreationDate: seconds(createdAt), LastUpdatedDate: seconds(createdAt) },
      })),
      Truncated: isTruncated,
      ...(isTruncated && { NextMarker: String(to) }),
    };
  },
  EnableKey: (keys, fields) => changeState(keys, fields, 'Enabled'),
  DisableKey: (keys, fields) => changeState(keys, fields, 'Disabled'),
  ScheduleKeyDeletion(keys, fields) {
    const days = whole(fields, 'PendingWindowInDays', 7, 30) ?? 30;
    const key = keys.getById(text(fields, 'KeyId'));
    refuseIfPending(keys, key);
    key.state = 'PendingDeletion';
    key.deletionAt = Date.now() + days * DAY_MS;
    keys.save();
    return {
      ...{ KeyId: keys.arnOf(key.id), DeletionDate: seconds(key.deletionAt), KeyState: key.state },
      PendingWindowInDays: days,
    };
  },
  CancelKeyDeletion(keys, fields) {
    const key = keys.getById(text(fields, 'KeyId'));
    if (key.state !== 'PendingDeletion')
      throw new KmsError('KMSInvalidStateException', `${keys.arnOf(key.id)} is not pending deletion.`);
    key.state = 'Disabled';
    key.deletionAt = null;
    keys.save();
    return { KeyId: keys.arnOf(key.id) };
  },
  EnableKeyRotation(keys, fields) {
    const days = whole(fields, 'RotationPeriodInDays', 90, 2560) ?? 365;
    const key = keys.getById(text(fields, 'KeyId'));
    refuseIfUnusable(keys, key);
    key.rotationPeriodDays = days;
    keys.save();
    return null;
  },
  GetKeyRotationStatus(keys, fields) {
    const key = keys.getById(text(fields, 'KeyId'));
    refuseIfPending(keys, key);
    const days = key.rotationPeriodDays;
    return {
      ...{ KeyId: keys.arnOf(key.id), KeyRotationEnabled: days !== null },
      ...(days !== null && { RotationPeriodInDays: days }),
    };
  },
  RotateKeyOnDemand(keys, fields) {
    const key = keys.getById(text(fields, 'KeyId'));
    refuseIfUnusable(keys, key);
    if (key.onDemandRotations >= ROTATIONS_MAX)
      throw new KmsError('LimitExceededException', `${keys.arnOf(key.id)} has no on-demand rotations left.`);
    key.onDemandRotations++;
    keys.rotate(key);
    return { KeyId: keys.arnOf(key.id) };
  },
};

function changeState(keys: KmsKeys, fields: Fields, state: 'Enabled' | 'Disabled'): null {
  const key = keys.getById(text(fields, 'KeyId'));
  refuseIfPending(keys, key);
  key.state = state;
  keys.save();
  return null;
}

function aliasName(fields: Fields): string {
  const name = text(fields, 'AliasName', 256);
  if (!/^alias\/[\w/-]+$/.test(name))
    throw invalid('aliasName', name, 'Member must satisfy regular expression pattern: ^(alias/)[a-zA-Z0-9/_-]+$');
  if (name.startsWith('alias/aws/'))
    throw new KmsError('NotAuthorizedException', 'Aliases that begin with alias/aws/ are reserved.');
  return name;
}
