// The ring of keys that sign evidence: read from the configuration, published without their private halves. The first key
// signs; the others only verify what they signed before (docs/decisions/0221-evidence-keys.md).
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { hasRepeats, isWeakKey } from '../lib/crypto/secret-keys.ts';
import { isObject } from '../lib/settings.ts';
import { parseInstant } from '../lib/values/instant.ts';
import { readRestricted } from './rules/canonical-json.ts';
import type { PublishedKey } from './verification/published-keys.ts';

/** A key of the ring. Only the first needs its private half. */
export type EvidenceKey = PublishedKey & { readonly d: string | undefined };

export type EvidenceRing = readonly [EvidenceKey & { readonly d: string }, ...EvidenceKey[]];

type PublicHalf = Pick<PublishedKey, 'kty' | 'crv' | 'x'>;

/** RFC 7638: of the required members in the order of the alphabet, which for such a key is their canonical JSON. */
export function thumbprint({ crv, kty, x }: PublicHalf): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

export const privateKeyOf = ({ kty, crv, x, d }: EvidenceKey & { readonly d: string }): KeyObject =>
  createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' });

export const publicKeyOf = ({ kty, crv, x }: PublicHalf): KeyObject =>
  createPublicKey({ key: { kty, crv, x }, format: 'jwk' });

const MEMBERS = ['kty', 'crv', 'x', 'd', 'kid', 'validFrom', 'validUntil', 'revokedAt'];
const HALF_LENGTH = 43;

const isHalf = (value: unknown): value is string =>
  typeof value === 'string' && value.length === HALF_LENGTH && /^[\w-]+$/.test(value);

/** Null where it is not given; undefined where it is no instant. */
function instantOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? parseInstant(value)?.toISOString() : undefined;
}

const SAMPLE = Buffer.from('trefoil');

/** Its two halves belong together, and the private one is random. */
function isPair(key: EvidenceKey & { readonly d: string }): boolean {
  const isSigned = verify(null, SAMPLE, publicKeyOf(key), sign(null, SAMPLE, privateKeyOf(key)));
  return isSigned && !isWeakKey(Buffer.from(key.d, 'base64url'));
}

function parseEvidenceKey(given: unknown): EvidenceKey | undefined {
  if (!isObject(given) || given['kty'] !== 'OKP' || given['crv'] !== 'Ed25519') return undefined;
  // A misspelt revokedAt must not publish a revoked key as good.
  if (!Object.keys(given).every((member) => MEMBERS.includes(member))) return undefined;
  const { x, d } = given;
  const [validFrom, validUntil, revokedAt] = [given['validFrom'], given['validUntil'], given['revokedAt']].map(
    instantOf,
  );
  if (!isHalf(x) || !validFrom || validUntil === undefined || revokedAt === undefined) return undefined;
  if (validUntil !== null && validUntil <= validFrom) return undefined;
  if (d !== undefined && !isHalf(d)) return undefined;
  const half = { kty: 'OKP', crv: 'Ed25519', x } as const;
  const key = { ...half, kid: thumbprint(half), validFrom, validUntil, revokedAt, d };
  if ((given['kid'] ?? key.kid) !== key.kid) return undefined;
  try {
    publicKeyOf(key);
    return d === undefined || isPair({ ...key, d }) ? key : undefined;
  } catch {
    return undefined;
  }
}

export function parseEvidenceKeys(text: string, now = new Date()): EvidenceRing | undefined {
  let given: unknown;
  try {
    given = readRestricted(text);
  } catch {
    return undefined;
  }
  const keys = Array.isArray(given) ? given.map(parseEvidenceKey) : [];
  const [first] = keys;
  // What signs must be able to, and its signatures must be worth something.
  if (!first?.d || first.revokedAt !== null || first.validUntil !== null) return undefined;
  if (first.validFrom > now.toISOString()) return undefined;
  const ring = keys.filter((key) => key !== undefined);
  const isWhole = ring.length === keys.length && !hasRepeats(ring.map(({ x }) => Buffer.from(x)));
  return isWhole ? (ring as unknown as EvidenceRing) : undefined;
}

/** A list of one key, in the form that `parseEvidenceKeys` reads. It is valid from the beginning of its day. */
export function newEvidenceKeys(now = new Date()): string {
  const { crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const half = { kty: 'OKP', crv: crv as 'Ed25519', x: String(x) } as const;
  const validFrom = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
  return JSON.stringify([{ ...half, d, kid: thumbprint(half), validFrom }]);
}

/** Without private halves. */
export const publish = (ring: readonly EvidenceKey[]): PublishedKey[] => ring.map(({ d: _private, ...key }) => key);

export const pemOf = (key: PublicHalf): string => publicKeyOf(key).export({ type: 'spki', format: 'pem' }) as string;
