// The operations of the transit engine on one named key.
import { randomBytes } from 'node:crypto';
import { type Bound, decrypt, encrypt } from './ciphertext.ts';
import { permissionDenied, type Result, VaultError } from './errors.ts';
import { decode, type Fields, flag, illegalBase64, text, whole } from './fields.ts';
import { describe, type KeyRing, type TransitKey } from './key-ring.ts';

export type Operation = {
  /** The parameters the endpoint knows; Vault ignores the others with a warning. */
  readonly known: readonly string[];
  /** Undefined for "no content". */
  run(ring: KeyRing, name: string, fields: Fields): Omit<Result, 'mount'> | undefined;
};

const NOTHING = Buffer.alloc(0);
const KEY_SETTINGS = ['exportable', 'allow_plaintext_backup', 'auto_rotate_period'];

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: {
    known: ['type', 'derived', 'convergent_encryption', 'key_size', ...KEY_SETTINGS],
    run(ring, name, fields) {
      const type = text(fields, 'type') || 'aes256-gcm96';
      if (type !== 'aes256-gcm96') throw new VaultError(400, `unknown key type ${type}`);
      if (flag(fields, 'convergent_encryption'))
        throw new VaultError(400, 'convergent encryption requires derivation to be enabled');
      const existing = ring.find(name);
      const key = existing ?? ring.create(name, flag(fields, 'derived') ?? false);
      return { data: describe(key), ...(existing && { warnings: [`key ${name} already existed`] }) };
    },
  },
  config: {
    known: ['min_decryption_version', 'min_encryption_version', 'deletion_allowed', ...KEY_SETTINGS],
    run(ring, name, fields) {
      const key = ring.find(name);
      if (key === undefined) throw new VaultError(400, `no existing key named ${name} could be found`);
      const warnings = ring.configure(key, fields);
      return { data: describe(key), warnings };
    },
  },
  rotate: {
    known: [],
    run(ring, name) {
      const key = ring.find(name);
      if (key === undefined) throw new VaultError(400, 'key not found');
      ring.rotate(key);
      return { data: describe(key) };
    },
  },
  delete: {
    known: [],
    run(ring, name) {
      ring.delete(name);
      return undefined;
    },
  },
  encrypt: {
    known: ['plaintext', 'context', 'nonce', 'key_version', 'associated_data', 'type', 'batch_input'],
    run(ring, name, fields) {
      if (fields['plaintext'] === undefined) throw new VaultError(400, 'missing plaintext to encrypt');
      refuseUnsimulated(fields);
      const plaintext = bytes(fields, 'plaintext');
      const bound = { context: bytes(fields, 'context'), associatedData: associatedData(fields) };
      // Vault would make the key for a caller whose policy allows `create` here. This caller's allows `update` alone.
      const key = ring.find(name);
      if (key === undefined) throw permissionDenied();
      return { data: encrypt(key, whole(fields, 'key_version') ?? 0, plaintext, bound) };
    },
  },
  decrypt: {
    known: ['ciphertext', 'context', 'nonce', 'associated_data', 'batch_input'],
    run(ring, name, fields) {
      const ciphertext = ciphertextOf(fields);
      const bound = { context: bytes(fields, 'context'), associatedData: associatedData(fields) };
      return { data: { plaintext: decrypt(getKey(ring, name), ciphertext, bound).toString('base64') } };
    },
  },
  // Neither of the two below takes associated data: a ciphertext with some can be neither made nor rewrapped by them.
  rewrap: {
    known: ['ciphertext', 'context', 'nonce', 'key_version', 'batch_input'],
    run(ring, name, fields) {
      const ciphertext = ciphertextOf(fields);
      const bound: Bound = { context: bytes(fields, 'context'), associatedData: NOTHING };
      const key = getKey(ring, name);
      return { data: encrypt(key, whole(fields, 'key_version') ?? 0, decrypt(key, ciphertext, bound), bound) };
    },
  },
  'datakey/plaintext': {
    known: ['context', 'nonce', 'bits', 'key_version'],
    run: (ring, name, fields) => ({ data: makeDataKey(getKey(ring, name), fields) }),
  },
  'datakey/wrapped': {
    known: ['context', 'nonce', 'bits', 'key_version'],
    run(ring, name, fields) {
      const { plaintext: _, ...data } = makeDataKey(getKey(ring, name), fields);
      return { data };
    },
  },
};

function makeDataKey(key: TransitKey, fields: Fields) {
  refuseUnsimulated(fields);
  const bits = whole(fields, 'bits') ?? 256;
  if (![128, 256, 512].includes(bits)) throw new VaultError(400, 'invalid bit length');
  const context = decode(text(fields, 'context'));
  if (context === undefined) throw new VaultError(400, 'failed to base64-decode context');
  const plaintext = randomBytes(bits / 8);
  const sealed = encrypt(key, whole(fields, 'key_version') ?? 0, plaintext, { context, associatedData: NOTHING });
  return { ...sealed, plaintext: plaintext.toString('base64') };
}

function getKey(ring: KeyRing, name: string): TransitKey {
  const key = ring.find(name);
  if (key === undefined) throw new VaultError(400, 'encryption key not found');
  return key;
}

function ciphertextOf(fields: Fields): string {
  refuseUnsimulated(fields);
  const ciphertext = text(fields, 'ciphertext');
  if (ciphertext === '') throw new VaultError(400, 'missing ciphertext to decrypt');
  return ciphertext;
}

/** Empty when it is absent. */
function bytes(fields: Fields, name: string): Buffer {
  const encoded = text(fields, name);
  const decoded = decode(encoded);
  if (decoded === undefined) throw new VaultError(400, illegalBase64(encoded));
  return decoded;
}

function associatedData(fields: Fields): Buffer {
  const encoded = text(fields, 'associated_data');
  const decoded = decode(encoded);
  // Vault takes this one for its own failure.
  if (decoded === undefined)
    throw new VaultError(
      500,
      `unable to get associated_data/additional_data from factory[0]: ${illegalBase64(encoded)}`,
    );
  return decoded;
}

function refuseUnsimulated(fields: Fields): void {
  if (fields['batch_input'] !== undefined) throw new VaultError(400, 'the simulator does not know batch_input');
  if (text(fields, 'nonce') !== '') throw new VaultError(400, 'provided nonce not allowed for this key');
}
