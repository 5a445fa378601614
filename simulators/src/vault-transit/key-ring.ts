// The named keys of the transit engine. A key has versions from 1 up; those below min_decryption_version are archived:
// they open nothing, until the minimum is lowered again.
import { randomBytes } from 'node:crypto';
import { type KeptState, keptState } from '../key-wire/kept-state.ts';
import { VaultError } from './errors.ts';
import { type Fields, flag, whole } from './fields.ts';

export type TransitKey = {
  readonly name: string;
  readonly isDerived: boolean;
  /** Version 1 comes first; 32 bytes in Base64. */
  readonly versions: { readonly secret: string; readonly createdAt: number }[];
  minDecryptionVersion: number;
  /** 0 for the latest alone. */
  minEncryptionVersion: number;
  isDeletionAllowed: boolean;
};

export class KeyRing {
  #keys = new Map<string, TransitKey>();
  #kept: KeptState<readonly TransitKey[]>;

  constructor(stateFile: string | undefined) {
    this.#kept = keptState(stateFile);
    for (const key of this.#kept.load() ?? []) this.#keys.set(key.name, key);
  }

  find(name: string): TransitKey | undefined {
    return this.#keys.get(name);
  }

  list(): readonly TransitKey[] {
    return [...this.#keys.values()];
  }

  create(name: string, isDerived: boolean): TransitKey {
    const key: TransitKey = {
      ...{ name, isDerived, versions: [newVersion()], minDecryptionVersion: 1 },
      ...{ minEncryptionVersion: 0, isDeletionAllowed: false },
    };
    this.#keys.set(name, key);
    this.save();
    return key;
  }

  rotate(key: TransitKey): void {
    key.versions.push(newVersion());
    this.save();
  }

  /** All of the wanted settings or none of them. */
  configure(key: TransitKey, fields: Fields): readonly string[] {
    const wishedDecryption = whole(fields, 'min_decryption_version') ?? key.minDecryptionVersion;
    // Zero is taken for one.
    const decryption = wishedDecryption === 0 ? 1 : wishedDecryption;
    const encryption = whole(fields, 'min_encryption_version') ?? key.minEncryptionVersion;
    const isDeletionAllowed = flag(fields, 'deletion_allowed') ?? key.isDeletionAllowed;
    checkMinimum('decryption', decryption, key);
    checkMinimum('encryption', encryption, key);
    if (encryption > 0 && encryption < decryption)
      throw new VaultError(
        400,
        `cannot set min encryption/decryption values; min encryption version of ${encryption} must be greater than or equal to min decryption version of ${decryption}`,
      );
    Object.assign(key, {
      minDecryptionVersion: decryption,
      minEncryptionVersion: encryption,
      isDeletionAllowed,
    } satisfies Partial<TransitKey>);
    this.save();
    return wishedDecryption === 0 ? ['since Vault 0.3, transit key numbering starts at 1; forcing minimum to 1'] : [];
  }

  delete(name: string): void {
    const key = this.#keys.get(name);
    if (key === undefined) throw new VaultError(400, `error deleting policy ${name}: could not delete key; not found`);
    if (!key.isDeletionAllowed)
      throw new VaultError(400, `error deleting policy ${name}: deletion is not allowed for this key`);
    this.#keys.delete(name);
    this.save();
  }

  save(): void {
    this.#kept.save(this.list());
  }
}

const newVersion = () => ({ secret: randomBytes(32).toString('base64'), createdAt: Math.floor(Date.now() / 1000) });

function checkMinimum(kind: 'decryption' | 'encryption', version: number, key: TransitKey): void {
  if (version < 0) throw new VaultError(400, `min ${kind} version cannot be negative`);
  const latest = key.versions.length;
  if (version > latest)
    throw new VaultError(400, `cannot set min ${kind} version of ${version}, latest key version is ${latest}`);
}

export function describe(key: TransitKey): object {
  const inUse = key.versions
    .map(({ createdAt }, place) => [place + 1, createdAt] as const)
    .filter(([version]) => version >= key.minDecryptionVersion);
  return {
    ...{ name: key.name, type: 'aes256-gcm96', derived: key.isDerived, deletion_allowed: key.isDeletionAllowed },
    ...(key.isDerived && { kdf: 'hkdf_sha256', convergent_encryption: false }),
    ...{ min_available_version: 0, min_decryption_version: key.minDecryptionVersion },
    ...{ min_encryption_version: key.minEncryptionVersion, latest_version: key.versions.length },
    ...{ exportable: false, allow_plaintext_backup: false, auto_rotate_period: 0, imported_key: false },
    ...{ supports_encryption: true, supports_decryption: true, supports_signing: false, supports_derivation: true },
    keys: Object.fromEntries(inUse),
  };
}
