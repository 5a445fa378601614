// Reads the public keys of a client that signs its own assertions. A private key in the file is refused: it would
// have left the one place where it belongs.
import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Refusal } from './command.ts';

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const KEYS_MAX = 10;
const RSA_BITS_MIN = 2_048;

type Jwk = Readonly<Record<string, unknown>>;

/** What the token endpoint verifies, and which members make such a key; no other member is kept. */
const KINDS = [
  { kty: 'EC', crv: 'P-256', alg: 'ES256', members: ['kty', 'crv', 'x', 'y'] },
  { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', members: ['kty', 'crv', 'x'] },
  { kty: 'RSA', crv: undefined, alg: 'PS256', members: ['kty', 'n', 'e'] },
];

const isObject = (value: unknown): value is Jwk => typeof value === 'object' && value !== null && !Array.isArray(value);

export async function readPublicKeys(path: string): Promise<object[]> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`The file of --public-keys cannot be read (${error.code}).`);
  });
  return parsePublicKeys(content);
}

export function parsePublicKeys(content: string): object[] {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    // The parser's own message quotes the text, which could be a private key in another form.
    throw new Refusal('The file of --public-keys is not JSON; it must hold a JSON Web Key Set.');
  }
  if (hasPrivateMember(document)) {
    throw new Refusal(
      `The file of --public-keys holds a private key (a member ${PRIVATE_MEMBERS.slice(0, 3).join(', ')} or k). ` +
        'Nothing was stored; give the public keys only, and replace this key if the file has travelled.',
    );
  }
  const keys = isObject(document) ? document['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length < 1 || keys.length > KEYS_MAX) {
    throw new Refusal(`The file of --public-keys must hold {"keys": [...]} with 1 to ${KEYS_MAX} keys.`);
  }
  const checked = keys.map((key: unknown, index) => checkKey(key, `Key ${index + 1} of --public-keys`));
  const names = checked.map((key) => key['kid']);
  if (checked.length > 1 && (names.includes(undefined) || new Set(names).size < names.length)) {
    throw new Refusal('With several keys in --public-keys, each needs a "kid" of its own.');
  }
  return checked;
}

/** Wherever it stands: a lone key or a list without a set around it counts as well. */
function hasPrivateMember(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPrivateMember);
  if (!isObject(value)) return false;
  return PRIVATE_MEMBERS.some((member) => member in value) || Object.values(value).some(hasPrivateMember);
}

function checkKey(key: unknown, label: string): Jwk {
  const kind = isObject(key)
    ? KINDS.find(({ kty, crv }) => kty === key['kty'] && (crv === undefined || crv === key['crv']))
    : undefined;
  if (!isObject(key) || !kind) throw new Refusal(`${label} must be EC P-256, Ed25519 or RSA.`);
  if ((key['alg'] ?? kind.alg) !== kind.alg) throw new Refusal(`${label} must have "alg": "${kind.alg}" or none.`);
  if ((key['use'] ?? 'sig') !== 'sig') throw new Refusal(`${label} must have "use": "sig" or none.`);
  const kid = key['kid'];
  if (kid !== undefined && (typeof kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(kid))) {
    throw new Refusal(`${label} has a "kid" that is not 1 to 200 printable characters.`);
  }
  const members = Object.fromEntries(kind.members.map((member) => [member, key[member]]));
  if (!isUsable(members)) {
    throw new Refusal(`${label} is not a valid key${kind.kty === 'RSA' ? ` of ${RSA_BITS_MIN} bits or more` : ''}.`);
  }
  return { ...members, alg: kind.alg, use: 'sig', ...(kid !== undefined && { kid }) };
}

function isUsable(members: Jwk): boolean {
  try {
    const key = createPublicKey({ key: members, format: 'jwk' });
    return (key.asymmetricKeyDetails?.modulusLength ?? RSA_BITS_MIN) >= RSA_BITS_MIN;
  } catch {
    return false;
  }
}
