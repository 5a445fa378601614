// The actions that use keys: GenerateDataKey, Encrypt, Decrypt, ReEncrypt.
import { randomBytes } from 'node:crypto';
import { type EncryptionContext, invalidCiphertext, open, readBlob, seal } from './ciphertext.ts';
import { invalid, KmsError } from './errors.ts';
import { blob, context, type Fields, optionalText, text, whole } from './fields.ts';
import { type Action, refuseIfUnusable } from './key-actions.ts';
import type { KmsKey, KmsKeys } from './keys.ts';

const PLAINTEXT_MAX = 4096;
const CIPHERTEXT_MAX = 6144;
const ALGORITHM = 'SYMMETRIC_DEFAULT';

export const DATA_ACTIONS: Readonly<Record<string, Action>> = {
  GenerateDataKey(keys, fields) {
    const bytes = dataKeyBytes(fields);
    const key = usableKey(keys, text(fields, 'KeyId'));
    const plaintext = randomBytes(bytes);
    const sealed = sealWith(key, plaintext, context(fields));
    return {
      CiphertextBlob: sealed.blob.toString('base64'),
      KeyId: keys.arnOf(key.id),
      KeyMaterialId: sealed.materialId,
      Plaintext: plaintext.toString('base64'),
    };
  },
  Encrypt(keys, fields) {
    const plaintext = blob(fields, 'Plaintext', PLAINTEXT_MAX);
    checkAlgorithm(fields, 'EncryptionAlgorithm');
    const key = usableKey(keys, text(fields, 'KeyId'));
    return {
      CiphertextBlob: sealWith(key, plaintext, context(fields)).blob.toString('base64'),
      EncryptionAlgorithm: ALGORITHM,
      KeyId: keys.arnOf(key.id),
    };
  },
  Decrypt(keys, fields) {
    checkAlgorithm(fields, 'EncryptionAlgorithm');
    const ciphertext = blob(fields, 'CiphertextBlob', CIPHERTEXT_MAX);
    const opened = openWith(keys, ciphertext, context(fields), optionalText(fields, 'KeyId'));
    return {
      EncryptionAlgorithm: ALGORITHM,
      KeyId: keys.arnOf(opened.key.id),
      KeyMaterialId: opened.materialId,
      Plaintext: opened.plaintext.toString('base64'),
    };
  },
  ReEncrypt(keys, fields) {
    checkAlgorithm(fields, 'SourceEncryptionAlgorithm');
    checkAlgorithm(fields, 'DestinationEncryptionAlgorithm');
    const ciphertext = blob(fields, 'CiphertextBlob', CIPHERTEXT_MAX);
    const sourceContext = context(fields, 'SourceEncryptionContext');
    const opened = openWith(keys, ciphertext, sourceContext, optionalText(fields, 'SourceKeyId'));
    const key = usableKey(keys, text(fields, 'DestinationKeyId'));
    const sealed = sealWith(key, opened.plaintext, context(fields, 'DestinationEncryptionContext'));
    return {
      CiphertextBlob: sealed.blob.toString('base64'),
      DestinationEncryptionAlgorithm: ALGORITHM,
      DestinationKeyMaterialId: sealed.materialId,
      KeyId: keys.arnOf(key.id),
      SourceEncryptionAlgorithm: ALGORITHM,
      SourceKeyId: keys.arnOf(opened.key.id),
      SourceKeyMaterialId: opened.materialId,
    };
  },
};

function usableKey(keys: KmsKeys, identifier: string): KmsKey {
  const key = keys.get(identifier);
  refuseIfUnusable(keys, key);
  return key;
}

function sealWith(key: KmsKey, plaintext: Buffer, bound: EncryptionContext): { blob: Buffer; materialId: string } {
  const material = key.materials.length - 1;
  const { id, secret } = materialOf(key, material);
  return { blob: seal({ keyId: key.id, material }, secret, plaintext, bound), materialId: id };
}

type Opened = { readonly key: KmsKey; readonly materialId: string; readonly plaintext: Buffer };

/** With a key named, only that key may open the ciphertext; without, the ciphertext tells its key. */
function openWith(keys: KmsKeys, ciphertext: Buffer, bound: EncryptionContext, named: string | undefined): Opened {
  const wanted = named === undefined ? undefined : keys.get(named);
  const { keyId, material } = readBlob(ciphertext);
  if (wanted !== undefined && wanted.id !== keyId)
    throw new KmsError(
      'IncorrectKeyException',
      'The key ID in the request does not identify a CMK that can perform this operation.',
    );
  const key = keys.find(keyId);
  if (key === undefined)
    throw new KmsError(
      'AccessDeniedException',
      'The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access.',
    );
  refuseIfUnusable(keys, key);
  const { id, secret } = materialOf(key, material);
  return { key, materialId: id, plaintext: open(ciphertext, secret, bound) };
}

function materialOf(key: KmsKey, number: number): { id: string; secret: Buffer } {
  const material = key.materials[number];
  if (material === undefined) throw invalidCiphertext();
  return { id: material.id, secret: Buffer.from(material.secret, 'base64') };
}

function dataKeyBytes(fields: Fields): number {
  const spec = optionalText(fields, 'KeySpec');
  const bytes = whole(fields, 'NumberOfBytes', 1, 1024);
  if ((spec === undefined) === (bytes === undefined))
    throw new KmsError('ValidationException', 'Please specify either number of bytes or key spec.');
  if (bytes !== undefined) return bytes;
  if (spec === 'AES_256') return 32;
  if (spec === 'AES_128') return 16;
  throw invalid('keySpec', spec, 'Member must satisfy enum value set: [AES_256, AES_128]');
}

function checkAlgorithm(fields: Fields, name: string): void {
  if ((optionalText(fields, name) ?? ALGORITHM) !== ALGORITHM)
    throw new KmsError('InvalidKeyUsageException', `The simulator has symmetric keys only: ${name}.`);
}
