// `vault:v3:` and Base64 of nonce, ciphertext and tag: real AES-256-GCM under one version of a key, derived by the context
// where the key is a derived one. The context of any other key is ignored, as Vault ignores it.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { VaultError } from './errors.ts';
import { decode } from './fields.ts';
import type { TransitKey } from './key-ring.ts';

/** Bytes that must be the same when the ciphertext is opened. */
export type Bound = { readonly context: Buffer; readonly associatedData: Buffer };

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const AUTHENTICATION_FAILED = 'cipher: message authentication failed';

/** `wanted` 0 means the latest version. */
export function encrypt(key: TransitKey, wanted: number, plaintext: Buffer, bound: Bound) {
  const version = versionFor(key, wanted);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secretOf(key, version, bound.context), nonce, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(bound.associatedData);
  const bytes = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { ciphertext: `vault:v${version}:${bytes.toString('base64')}`, key_version: version };
}

export function decrypt(key: TransitKey, ciphertext: string, bound: Bound): Buffer {
  const { version, bytes } = readCiphertext(key, ciphertext);
  const secret = secretOf(key, version, bound.context);
  if (bytes.length < NONCE_BYTES) throw new VaultError(400, 'invalid ciphertext length');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new VaultError(400, AUTHENTICATION_FAILED);
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bound.associatedData);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const inner = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([inner, decipher.final()]);
  } catch {
    throw new VaultError(400, AUTHENTICATION_FAILED);
  }
}

function readCiphertext(key: TransitKey, ciphertext: string): { version: number; bytes: Buffer } {
  if (!ciphertext.startsWith('vault:v')) throw new VaultError(400, 'invalid ciphertext: no prefix');
  const [number = '', encoded] = ciphertext.slice('vault:v'.length).split(/:(.*)/s, 2);
  if (encoded === undefined) throw new VaultError(400, 'invalid ciphertext: wrong number of fields');
  if (!/^\d{1,9}$/.test(number)) throw new VaultError(400, 'invalid ciphertext: version number could not be decoded');
  // Version 0 is the first one of very old Vaults.
  const version = Number(number) || 1;
  if (version > key.versions.length) throw new VaultError(400, 'invalid ciphertext: version is too new');
  if (version < key.minDecryptionVersion)
    throw new VaultError(400, 'ciphertext or signature version is disallowed by policy (too old)');
  const bytes = decode(encoded);
  if (bytes === undefined) throw new VaultError(400, 'invalid ciphertext: could not decode base64');
  return { version, bytes };
}

function versionFor(key: TransitKey, wanted: number): number {
  const latest = key.versions.length;
  if (wanted === 0) return latest;
  if (wanted < 0) throw new VaultError(400, 'requested version for encryption is negative');
  if (wanted > latest)
    throw new VaultError(400, 'requested version for encryption is higher than the latest key version');
  if (wanted < Math.max(key.minEncryptionVersion, key.minDecryptionVersion))
    throw new VaultError(400, 'requested version for encryption is less than the minimum encryption key version');
  return wanted;
}

function secretOf(key: TransitKey, version: number, context: Buffer): Buffer {
  const stored = key.versions[version - 1];
  if (stored === undefined) throw new VaultError(400, 'invalid key version');
  const secret = Buffer.from(stored.secret, 'base64');
  if (!key.isDerived) return secret;
  if (context.length === 0)
    throw new VaultError(
      400,
      "missing 'context' for key derivation; the key was created using a derived key, which means additional, per-request information must be included in order to perform operations with the key",
    );
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), context, 32));
}
