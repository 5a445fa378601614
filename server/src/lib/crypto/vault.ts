// Envelope encryption: one data key per subject, such as a report, wrapped by a ring of keys from the configuration. Each
// ciphertext is bound to its tenant, subject and column, so a value moved to another row or column does not open.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { takeRandom } from './random-pool.ts';

export type RingKey = { readonly id: string; readonly key: Buffer };

/** The tenant and subject of a sealed value. */
export type Place = { readonly tenantId: string; readonly subjectId: string };

export type WrappedKey = { readonly ringKeyId: string; readonly wrappedKey: Buffer };

export interface DataKey {
  seal(column: string, plaintext: string): Buffer;
  open(column: string, sealed: Buffer): string;
}

export interface Vault {
  createDataKey(place: Place): { dataKey: DataKey; wrapped: WrappedKey };
  openDataKey(place: Place, wrapped: WrappedKey): DataKey;
}

const FORMAT_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a 32-byte key; opens only with the same binding. */
export function encrypt(key: KeyObject, binding: string, plaintext: Buffer): Buffer {
  const nonce = takeRandom(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(binding));
  return Buffer.concat([
    Buffer.of(FORMAT_VERSION),
    nonce,
    cipher.update(plaintext),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Throws on anything that `encrypt` did not make with this key and binding. */
export function decrypt(key: KeyObject, binding: string, sealed: Buffer): Buffer {
  if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== FORMAT_VERSION) {
    throw new Error('a sealed value has an unknown format');
  }
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** The first key of the ring wraps; every key of the ring unwraps. */
export function createVault(ring: readonly [RingKey, ...RingKey[]]): Vault {
  const [current] = ring;
  // As key objects: Node validates a key given as bytes at every use, which costs more than the encryption.
  const byId = new Map(ring.map(({ id, key }) => [id, createSecretKey(key)]));
  const currentKey = createSecretKey(current.key);
  const binding = (place: Place, column: string) =>
    `trefoil/${FORMAT_VERSION}/${place.tenantId}/${place.subjectId}/${column}`;

  function dataKeyOf(place: Place, bytes: Buffer): DataKey {
    const key = createSecretKey(bytes);
    return {
      seal: (column, plaintext) => encrypt(key, binding(place, column), Buffer.from(plaintext)),
      open: (column, sealed) => decrypt(key, binding(place, column), sealed).toString(),
    };
  }

  return {
    createDataKey(place) {
      const key = takeRandom(32);
      const wrappedKey = encrypt(currentKey, binding(place, 'data-key'), key);
      return { dataKey: dataKeyOf(place, key), wrapped: { ringKeyId: current.id, wrappedKey } };
    },
    openDataKey(place, { ringKeyId, wrappedKey }) {
      const ringKey = byId.get(ringKeyId);
      if (!ringKey) throw new Error(`the key ring lacks the key ${ringKeyId}`);
      return dataKeyOf(place, decrypt(ringKey, binding(place, 'data-key'), wrappedKey));
    },
  };
}
