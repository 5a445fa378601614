// Validates the public keys of a client that signs its own assertions. A private key among them is refused: it must never
// leave its owner.
import { createPublicKey } from 'node:crypto';

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const KEYS_MAX = 10;
const RSA_BITS_MIN = 2_048;
const RSA_BITS_MAX = 4_096;
/**
 * In base64url: a 4,096-bit modulus, a 32-bit exponent. Larger ones cost milliseconds per token
 * (docs/decisions/0184-costly-keys.md).
 */
const MEMBER_LENGTH_MAX = 683;
const EXPONENT_LENGTH_MAX = 6;

type Jwk = Readonly<Record<string, unknown>>;

/** The kinds of key that the token endpoint verifies, with their members; no other member is kept. */
const KINDS = [
  { kty: 'EC', crv: 'P-256', alg: 'ES256', members: ['kty', 'crv', 'x', 'y'] },
  { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', members: ['kty', 'crv', 'x'] },
  { kty: 'RSA', crv: undefined, alg: 'PS256', members: ['kty', 'n', 'e'] },
];

/** The keys to store, or a sentence about the first fault. */
export type JudgedKeys = { readonly keys: readonly object[] } | { readonly fault: string };

/** How the sentences name the input. */
export type KeyWords = { readonly whole: string; readonly one: string };

const isObject = (value: unknown): value is Jwk => typeof value === 'object' && value !== null && !Array.isArray(value);

export function judgeKeySet(document: unknown, words: KeyWords): JudgedKeys {
  if (hasPrivateMember(document)) {
    return {
      fault:
        `${words.whole} holds a private key (a member ${PRIVATE_MEMBERS.slice(0, 3).join(', ')} or k). ` +
        'Nothing was stored. Give only the public keys, and replace this key if it was sent anywhere.',
    };
  }
  const given = isObject(document) ? document['keys'] : undefined;
  if (!Array.isArray(given) || given.length < 1 || given.length > KEYS_MAX) {
    return { fault: `${words.whole} must hold {"keys": [...]} with 1 to ${KEYS_MAX} keys.` };
  }
  const keys: Jwk[] = [];
  for (const [index, key] of given.entries()) {
    const judged = judgeKey(key);
    if ('fault' in judged) return { fault: `Key ${index + 1} of ${words.one} ${judged.fault}` };
    keys.push(judged.key);
  }
  const names = keys.map((key) => key['kid']);
  if (keys.length > 1 && (names.includes(undefined) || new Set(names).size < names.length)) {
    return { fault: `With several keys in ${words.one}, each needs its own "kid".` };
  }
  return { keys };
}

/** At any depth: a lone key or a list without a set counts too. A loop rather than recursion, since nesting has no bound. */
function hasPrivateMember(document: unknown): boolean {
  const waiting = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value) && PRIVATE_MEMBERS.some((member) => member in value)) return true;
    for (const inner of Object.values(value)) waiting.push(inner);
  }
  return false;
}

function judgeKey(key: unknown): { key: Jwk } | { fault: string } {
  const kind = isObject(key)
    ? KINDS.find(({ kty, crv }) => kty === key['kty'] && (crv === undefined || crv === key['crv']))
    : undefined;
  if (!isObject(key) || !kind) return { fault: 'must be EC P-256, Ed25519 or RSA.' };
  if ((key['alg'] ?? kind.alg) !== kind.alg) return { fault: `must have "alg": "${kind.alg}" or none.` };
  if ((key['use'] ?? 'sig') !== 'sig') return { fault: 'must have "use": "sig" or none.' };
  const kid = key['kid'];
  if (kid !== undefined && (typeof kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(kid))) {
    return { fault: 'has a "kid" that is not 1 to 200 printable characters.' };
  }
  const members = Object.fromEntries(kind.members.map((member) => [member, key[member]]));
  if (!isUsable(members)) {
    return { fault: `is not a valid key${kind.kty === 'RSA' ? ` of ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits` : ''}.` };
  }
  return { key: { ...members, alg: kind.alg, use: 'sig', ...(kid !== undefined && { kid }) } };
}

/** Whether verifying with it is cheap; also checked for keys that were stored before there was a bound. */
export function isCheapToVerify(key: Jwk): boolean {
  const isShort = (member: string, max: number) => {
    const value = key[member] ?? '';
    return typeof value === 'string' && value.length <= max;
  };
  return isShort('e', EXPONENT_LENGTH_MAX) && ['n', 'x', 'y'].every((member) => isShort(member, MEMBER_LENGTH_MAX));
}

function isUsable(members: Jwk): boolean {
  // Before the key is parsed: Node blocks the event loop for seconds on an exponent that fills a request.
  if (!Object.values(members).every((member) => typeof member === 'string') || !isCheapToVerify(members)) return false;
  try {
    const key = createPublicKey({ key: members, format: 'jwk' });
    return (key.asymmetricKeyDetails?.modulusLength ?? RSA_BITS_MIN) >= RSA_BITS_MIN;
  } catch {
    return false;
  }
}
