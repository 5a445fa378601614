// Seals small secrets under the configured key ring, each bound to its purpose and its person. The id of the ring key is
// the prefix, so that a ring with a newer key still opens what an older one sealed.
import { createSecretKey } from 'node:crypto';
import { decrypt, encrypt, type RingKey } from '../../lib/crypto/vault.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listTotpKeys } from './factor-store.ts';

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

/** The ring keys that stored authenticator secrets still need. */
export function listSealKeys(database: Database): Promise<readonly string[]> {
  return database.asSystem(listTotpKeys);
}

const NOTE_LIFETIME_MS = 15 * 60_000;

/** A secret that goes out in a form and comes back with it: sealed for one sign-in and a quarter of an hour. */
export function writeNote(seal: SecretSeal, binding: string, text: string, now: Date): string {
  const note = JSON.stringify([now.getTime() + NOTE_LIFETIME_MS, text]);
  return seal.seal(`note/${binding}`, Buffer.from(note)).toString('base64url');
}

export function readNote(seal: SecretSeal, binding: string, note: string, now: Date): string | undefined {
  try {
    const opened = seal.open(`note/${binding}`, Buffer.from(note, 'base64url')).toString();
    const [untilMs, text] = JSON.parse(opened) as [number, string];
    return now.getTime() < untilMs ? text : undefined;
  } catch {
    return undefined;
  }
}
