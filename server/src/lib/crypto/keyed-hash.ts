// Keyed hashes, to compare values without storing them: one root key from the configuration, one derived key per purpose,
// so that hashes of different purposes can never be compared with one another.
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

export type KeyedHash = (...parts: readonly string[]) => Buffer;

export function createKeyedHash(rootKey: Buffer, purpose: string): KeyedHash {
  // A key object: Node would validate raw bytes again at every use.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', rootKey, '', `trefoil/${purpose}`, 32)));
  return (...parts) => {
    // Each part is preceded by its length, so that no two lists of parts hash alike. One text, since each update is a call.
    let text = '';
    for (const part of parts) text += `${Buffer.byteLength(part)}:${part}`;
    return createHmac('sha256', key).update(text).digest();
  };
}
