// The ciphertext blob: opaque to callers. Inside: a format byte, the key id, the number of the key material, then real
// AES-256-GCM. The encryption context is authenticated, not stored.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KmsError } from './errors.ts';

export type EncryptionContext = Readonly<Record<string, string>>;

const FORMAT = 1;
const HEAD_BYTES = 1 + 16 + 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Named = { readonly keyId: string; readonly material: number };

export function seal(named: Named, secret: Buffer, plaintext: Buffer, context: EncryptionContext): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(FORMAT, 0);
  head.write(named.keyId.replaceAll('-', ''), 1, 'hex');
  head.writeUInt32BE(named.material, 17);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([head, bytesOf(context)]));
  return Buffer.concat([head, nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** What a blob says of itself, before anything is decrypted. */
export function readBlob(blob: Buffer): Named {
  if (blob.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES || blob[0] !== FORMAT) throw invalidCiphertext();
  const keyId = blob.toString('hex', 1, 17).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { keyId, material: blob.readUInt32BE(17) };
}

export function open(blob: Buffer, secret: Buffer, context: EncryptionContext): Buffer {
  const head = blob.subarray(0, HEAD_BYTES);
  const nonce = blob.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([head, bytesOf(context)]));
  decipher.setAuthTag(blob.subarray(-TAG_BYTES));
  const inner = decipher.update(blob.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([inner, decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

/** AWS sends no sentence with it. */
export const invalidCiphertext = () => new KmsError('InvalidCiphertextException');

/** The order of the pairs has no meaning; their case has. */
const bytesOf = (context: EncryptionContext) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([left], [right]) => (left < right ? -1 : 1))));
