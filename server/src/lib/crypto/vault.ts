// Envelope encryption: one data key per subject, such as a report, wrapped by the working key of its month or, where there is
// no key service, by a ring of keys from the configuration. Each ciphertext is bound to its tenant, subject and column, so a
// value moved to another row or column does not open.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { takeRandom } from './random-pool.ts';

export type RingKey = { readonly id: string; readonly key: Buffer };

/** The tenant and subject of a sealed value. */
export type Place = { readonly tenantId: string; readonly subjectId: string };

export type WrappedKey = { readonly ringKeyId: string; readonly wrappedKey: Buffer };

export interface DataKey {
  seal(column: string, plaintext: string | Uint8Array): Buffer;
  open(column: string, sealed: Buffer): string;
  openBytes(column: string, sealed: Buffer): Buffer;
}

/** Every function throws `KeyNotAtHand` where a working key must be loaded first. */
export interface Vault {
  createDataKey(place: Place): { dataKey: DataKey; wrapped: WrappedKey };
  openDataKey(place: Place, wrapped: WrappedKey): DataKey;
  /** The same data key, wrapped by the key that wraps now. */
  rewrapDataKey(place: Place, wrapped: WrappedKey): WrappedKey;
}

/** The working keys of months, as far as they are in memory (docs/decisions/0259-month-keys.md). */
export interface WorkingKeys {
  /** The key that wraps now. Throws `KeyNotAtHand`. */
  current(): { readonly id: string; readonly key: KeyObject };
  /** Throws `KeyNotAtHand`. */
  find(id: string): KeyObject;
}

/** No key of a ring has such an id: a colon ends the id in the setting. */
const WORKING_KEY_PREFIX = 'month:';

export const isWorkingKeyId = (ringKeyId: string) => ringKeyId.startsWith(WORKING_KEY_PREFIX);
export const isKeyOf = (service: string, ringKeyId: string) =>
  isWorkingKeyId(ringKeyId) && ringKeyId.endsWith(`:${service}`);
export const workingKeyId = (month: string, service: string) => `${WORKING_KEY_PREFIX}${month}:${service}`;

const FORMAT_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a 32-byte key; opens only with the same binding. */
export function encrypt(key: KeyObject, binding: string, plaintext: Uint8Array): Buffer {
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

/** A key that rows need is not configured here: what it wraps is not lost, and another process may have it. */
export class KeyMissing extends Error {}

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

export type VaultOptions = {
  /** Undefined: there is no key service. */
  readonly working?: WorkingKeys | undefined;
  /** For leaving a key service: working keys unwrap, and the ring wraps. */
  readonly isRingFirst?: boolean;
};

/** The first key of the ring wraps unless there are working keys; every key of the ring unwraps. */
export function createVault(ring: readonly [RingKey, ...RingKey[]], options: VaultOptions = {}): Vault {
  const { working, isRingFirst = false } = options;
  // As key objects: Node validates a key given as bytes at every use, which costs more than the encryption.
  const byId = new Map(ring.map(({ id, key }) => [id, createSecretKey(key)]));
  const ringKey = { id: ring[0].id, key: createSecretKey(ring[0].key) };
  const wrapping = working && !isRingFirst ? working.current : () => ringKey;
  const binding = (place: Place, column: string) =>
    `trefoil/${FORMAT_VERSION}/${place.tenantId}/${place.subjectId}/${column}`;

  function dataKeyOf(place: Place, bytes: Buffer): DataKey {
    const key = createSecretKey(bytes);
    return {
      seal: (column, plaintext) =>
        encrypt(key, binding(place, column), typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext),
      open: (column, sealed) => decrypt(key, binding(place, column), sealed).toString(),
      openBytes: (column, sealed) => decrypt(key, binding(place, column), sealed),
    };
  }

  function wrap(place: Place, bytes: Buffer): WrappedKey {
    const { id, key } = wrapping();
    return { ringKeyId: id, wrappedKey: encrypt(key, binding(place, 'data-key'), bytes) };
  }

  function unwrap(place: Place, { ringKeyId, wrappedKey }: WrappedKey): Buffer {
    const key = working && isWorkingKeyId(ringKeyId) ? working.find(ringKeyId) : byId.get(ringKeyId);
    if (!key) throw new KeyMissing(`the key ring lacks the key ${ringKeyId}`);
    return decrypt(key, binding(place, 'data-key'), wrappedKey);
  }

  return {
    createDataKey(place) {
      const key = takeRandom(32);
      const wrapped = wrap(place, key);
      return { dataKey: dataKeyOf(place, key), wrapped };
    },
    openDataKey: (place, wrapped) => dataKeyOf(place, unwrap(place, wrapped)),
    rewrapDataKey: (place, wrapped) => wrap(place, unwrap(place, wrapped)),
  };
}
