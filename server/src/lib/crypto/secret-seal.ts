// Seals small secrets under the configured key ring, each bound to its purpose and its subject. The id of the ring key is
// the prefix, so that a ring with a newer key still opens what an older one sealed.
import { createSecretKey } from 'node:crypto';
import { decrypt, encrypt, type RingKey } from './vault.ts';

export interface SecretSeal {
  seal(binding: string, secret: Buffer): Buffer;
  /** Throws on anything that `seal` did not make with this binding. */
  open(binding: string, sealed: Buffer): Buffer;
}

export function createSecretSeal(ring: readonly [RingKey, ...RingKey[]]): SecretSeal {
  const [current] = ring;
  const byId = new Map(ring.map(({ id, key }) => [id, createSecretKey(key)]));
  const keyOf = (id: string) => {
    const key = byId.get(id);
    if (!key) throw new Error('the key ring lacks the key of a sealed secret');
    return key;
  };
  return {
    seal(binding, secret) {
      const id = Buffer.from(current.id);
      return Buffer.concat([Buffer.of(id.length), id, encrypt(keyOf(current.id), `trefoil/${binding}`, secret)]);
    },
    open(binding, sealed) {
      const end = 1 + (sealed[0] ?? 0);
      return decrypt(keyOf(sealed.subarray(1, end).toString()), `trefoil/${binding}`, sealed.subarray(end));
    },
  };
}
