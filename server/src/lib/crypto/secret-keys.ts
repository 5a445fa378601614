// Keys from the configuration: parsed strictly, and refused where a person made them up instead of a random generator
// (docs/decisions/0148-what-the-start-refuses.md). No message ever contains a key.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import type { JWK } from 'jose';
import { isObject, parseJson } from '../settings.ts';
import type { RingKey } from './vault.ts';

const KEY_BYTES = 32;
/** 32 random bytes have about 30 different values; fewer than this happens to less than one key in a billion billion. */
const DIFFERENT_BYTES_MIN = 16;

/** All zeros, a repeated pattern, a counting sequence, a text: nothing that a random generator would produce. */
export function isWeakKey(key: Buffer): boolean {
  const steps = [...key.subarray(1)].map((byte, place) => (byte - (key[place] ?? 0)) & 255);
  const isCount = new Set(steps).size === 1;
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  const half = key.length >> 1;
  const isRepeated = key.subarray(0, half).equals(key.subarray(half));
  return new Set(key).size < DIFFERENT_BYTES_MIN || isCount || isText || isRepeated;
}

export function hasRepeats(keys: readonly Buffer[]): boolean {
  return new Set(keys.map((key) => key.toString('hex'))).size !== keys.length;
}

export function parseKey(text: string): Buffer | undefined {
  // Node's decoder would skip characters that are not base64.
  const key = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  return key.length === KEY_BYTES && !isWeakKey(key) ? key : undefined;
}

/** In the form that `parseKey` reads. */
export const newKey = () => randomBytes(KEY_BYTES).toString('base64');

export const isRingKeyId = (text: string) => /^[\w.-]{1,64}$/.test(text);

export function parseRing(text: string): readonly [RingKey, ...RingKey[]] | undefined {
  const ring: RingKey[] = [];
  for (const entry of text.split(',')) {
    const [, id = '', encoded = ''] = /^([\w.-]{1,64}):(.*)$/.exec(entry.trim()) ?? [];
    const key = parseKey(encoded);
    if (!key) return undefined;
    ring.push({ id, key });
  }
  const hasTwins = hasRepeats(ring.map(({ key }) => key)) || new Set(ring.map(({ id }) => id)).size !== ring.length;
  return hasTwins ? undefined : (ring as [RingKey, ...RingKey[]]);
}

const SAMPLE = Buffer.from('trefoil');

/** Its two halves belong together, and its private half is random. */
function isSigningKey(key: unknown): key is JWK {
  if (!isObject(key) || key['kty'] !== 'EC' || key['crv'] !== 'P-256') return false;
  const { kid, x, y, d } = key;
  if (![kid, x, y, d].every((part) => typeof part === 'string' && part !== '')) return false;
  try {
    const { kty, crv } = key;
    const signature = sign('sha256', SAMPLE, createPrivateKey({ key, format: 'jwk' }));
    const publicKey = createPublicKey({ key: { kty, crv, x, y } as JWK, format: 'jwk' });
    return verify('sha256', SAMPLE, publicKey, signature) && !isWeakKey(privateBytes(key));
  } catch {
    return false;
  }
}

export const privateBytes = ({ d }: JWK) => Buffer.from(String(d), 'base64url');

export function parseSigningKeys(text: string): readonly [JWK, ...JWK[]] | undefined {
  const keys = parseJson(text);
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isSigningKey)) return undefined;
  const hasTwins = hasRepeats(keys.map(privateBytes)) || new Set(keys.map(({ kid }) => kid)).size !== keys.length;
  return hasTwins ? undefined : (keys as [JWK, ...JWK[]]);
}

/** A list of one key, in the form that `parseSigningKeys` reads. Its id begins with the day, so that its age is known. */
export function newSigningKeys(now = new Date()): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = `${now.toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`;
  return JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), kid }]);
}
