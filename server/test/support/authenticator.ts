// A passkey device in software, which can also do what no honest device does: sign for another site, without verifying
// its person, with a count that stands still, or vouched for by certificates that nobody asked for.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.of(type | value);
  if (value < 256) return Buffer.of(type | 24, value);
  return Buffer.of(type | 25, value >> 8, value & 0xff);
}

/** As much of CBOR as an attestation needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, inner]) => [cbor(key), cbor(inner)])]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

export type Behaviour = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly signCount?: number;
  /** None unless told. */
  readonly attestation?: { readonly format: string; state(made: Made): Map<string, Cbor> };
};

/** What an attestation is about. */
export type Made = { readonly authData: Buffer; readonly clientDataHash: Buffer; readonly privateKey: KeyObject };

type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

/** As COSE writes it: EC P-256 or RSA. */
function coseKey(publicKey: KeyObject): Map<number, Cbor> {
  const { x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (member: string) => Buffer.from(member, 'base64url');
  if (publicKey.asymmetricKeyType === 'rsa') {
    return new Map<number, Cbor>([
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ]);
  }
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]);
}

export class SoftAuthenticator {
  readonly id = randomBytes(16);
  readonly #baseUrl: string;
  readonly keys: KeyPair;
  #count = 0;

  constructor(baseUrl: string, keys: KeyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })) {
    this.#baseUrl = baseUrl;
    this.keys = keys;
  }

  /** As the service stores it. */
  get publicKey(): Buffer {
    return cbor(coseKey(this.keys.publicKey));
  }

  #clientData(type: string, challenge: string, { origin = this.#baseUrl }: Behaviour): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authData(flags: number, behaviour: Behaviour): Buffer {
    const { rpId = new URL(this.#baseUrl).hostname, isVerified = true, signCount = ++this.#count } = behaviour;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    return Buffer.concat([sha256(rpId), Buffer.of(PRESENT | flags | (isVerified ? VERIFIED : 0)), count]);
  }

  #answer(response: Readonly<Record<string, string>>): string {
    const id = this.id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }

  register(challenge: string, behaviour: Behaviour = {}): string {
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.id.length), this.id, this.publicKey]);
    const authData = Buffer.concat([this.#authData(ATTESTED, behaviour), attested]);
    const clientData = this.#clientData('webauthn.create', challenge, behaviour);
    const { attestation } = behaviour;
    const made = { authData, clientDataHash: sha256(clientData), privateKey: this.keys.privateKey };
    const object = cbor(
      new Map<string, Cbor>([
        ['fmt', attestation?.format ?? 'none'],
        ['attStmt', attestation?.state(made) ?? new Map()],
        ['authData', authData],
      ]),
    );
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: object.toString('base64url'),
    });
  }

  answer(challenge: string, behaviour: Behaviour = {}): string {
    const authenticatorData = this.#authData(0, behaviour);
    const clientData = this.#clientData('webauthn.get', challenge, behaviour);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.keys.privateKey);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }
}
