// The keys and aliases of one account in one region. States of a key: Enabled, Disabled, PendingDeletion; after that it is
// gone. A key has one material for each rotation, and old ones decrypt for ever.
import { randomBytes, randomUUID } from 'node:crypto';
import { type KeptState, keptState } from '../key-wire/kept-state.ts';
import { KmsError } from './errors.ts';

export type KeyState = 'Enabled' | 'Disabled' | 'PendingDeletion';

export type KmsKey = {
  readonly id: string;
  readonly description: string;
  readonly createdAt: number;
  state: KeyState;
  deletionAt: number | null;
  /** 64 hexadecimal digits and 32 bytes in Base64; the newest is last. */
  readonly materials: { readonly id: string; readonly secret: string }[];
  rotationPeriodDays: number | null;
  onDemandRotations: number;
};

export type Alias = { readonly name: string; readonly keyId: string; readonly createdAt: number };

export type Place = { readonly region: string; readonly account: string };

type State = { readonly keys: readonly KmsKey[]; readonly aliases: readonly Alias[] };

export class KmsKeys {
  readonly place: Place;
  #keys = new Map<string, KmsKey>();
  #aliases = new Map<string, Alias>();
  #kept: KeptState<State>;

  constructor(place: Place, stateFile: string | undefined) {
    this.place = place;
    this.#kept = keptState(stateFile);
    const { keys = [], aliases = [] } = this.#kept.load() ?? {};
    for (const key of keys) this.#keys.set(key.id, key);
    for (const alias of aliases) this.#aliases.set(alias.name, alias);
  }

  create(description: string): KmsKey {
    const key: KmsKey = {
      ...{ id: randomUUID(), description, createdAt: Date.now(), state: 'Enabled', deletionAt: null },
      ...{ materials: [newMaterial()], rotationPeriodDays: null, onDemandRotations: 0 },
    };
    this.#keys.set(key.id, key);
    this.save();
    return key;
  }

  rotate(key: KmsKey): void {
    key.materials.push(newMaterial());
    this.save();
  }

  /** By key id or key ARN. */
  getById(identifier: string): KmsKey {
    this.#deleteDue();
    const id = this.#local(identifier, 'key/') ?? identifier;
    if (!/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(id))
      throw new KmsError('NotFoundException', `Invalid keyId '${identifier}'`);
    const key = this.#keys.get(id);
    if (key === undefined) throw new KmsError('NotFoundException', `Key '${this.arnOf(id)}' does not exist`);
    return key;
  }

  /** By key id, key ARN, alias name or alias ARN. */
  get(identifier: string): KmsKey {
    const inArn = this.#local(identifier, 'alias/');
    const alias = inArn === undefined ? identifier : `alias/${inArn}`;
    if (!alias.startsWith('alias/')) return this.getById(identifier);
    this.#deleteDue();
    const keyId = this.#aliases.get(alias)?.keyId;
    if (keyId === undefined) throw new KmsError('NotFoundException', `Alias ${this.aliasArnOf(alias)} is not found.`);
    return this.getById(keyId);
  }

  /** Undefined when it was deleted or never existed. */
  find(id: string): KmsKey | undefined {
    this.#deleteDue();
    return this.#keys.get(id);
  }

  addAlias(name: string, key: KmsKey): void {
    if (this.#aliases.has(name))
      throw new KmsError('AlreadyExistsException', `An alias with the name ${this.aliasArnOf(name)} already exists`);
    this.#aliases.set(name, { name, keyId: key.id, createdAt: Date.now() });
    this.save();
  }

  deleteAlias(name: string): void {
    if (!this.#aliases.delete(name))
      throw new KmsError('NotFoundException', `Alias ${this.aliasArnOf(name)} is not found.`);
    this.save();
  }

  aliases(): readonly Alias[] {
    this.#deleteDue();
    return [...this.#aliases.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  list(): readonly KmsKey[] {
    this.#deleteDue();
    return [...this.#keys.values()];
  }

  /** The waiting period of these keys is over now. The ids of those that were waiting. */
  finishDeletions(wanted: (key: KmsKey) => boolean): readonly string[] {
    const gone = [...this.#keys.values()].filter((key) => key.state === 'PendingDeletion' && wanted(key));
    for (const { id } of gone) {
      this.#keys.delete(id);
      for (const alias of this.#aliases.values()) if (alias.keyId === id) this.#aliases.delete(alias.name);
    }
    if (gone.length > 0) this.save();
    return gone.map(({ id }) => id);
  }

  save(): void {
    this.#kept.save({ keys: [...this.#keys.values()], aliases: [...this.#aliases.values()] });
  }

  arnOf(id: string): string {
    return `arn:aws:kms:${this.place.region}:${this.place.account}:key/${id}`;
  }

  aliasArnOf(name: string): string {
    return `arn:aws:kms:${this.place.region}:${this.place.account}:${name}`;
  }

  #deleteDue(): void {
    const now = Date.now();
    this.finishDeletions(({ deletionAt }) => deletionAt !== null && deletionAt <= now);
  }

  /** The end of an ARN of this kind; undefined when the text is no such ARN. */
  #local(identifier: string, kind: 'key/' | 'alias/'): string | undefined {
    if (!identifier.startsWith('arn:')) return undefined;
    const [, , service, region, account, resource = ''] = identifier.split(':');
    if (service !== 'kms' || region !== this.place.region || account !== this.place.account)
      throw new KmsError('NotFoundException', `Invalid arn ${region ?? ''}`);
    return resource.startsWith(kind) ? resource.slice(kind.length) : undefined;
  }
}

const newMaterial = () => ({ id: randomBytes(32).toString('hex'), secret: randomBytes(32).toString('base64') });
