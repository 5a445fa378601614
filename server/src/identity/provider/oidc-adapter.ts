// The library's memory in our database. It never keeps an id as it is: whoever reads the table could otherwise take over
// sessions and codes (docs/decisions/0126).
import { createHash } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../lib/database.ts';
import { clientKey, type FailureGuard } from '../guard-failures.ts';
import type { RefreshTokens } from '../sign-in/refresh-tokens.ts';
import { endSignIn, findSignIn } from '../sign-in/sign-in-store.ts';
import type { FindMetadata } from './oauth-clients.ts';
import {
  consumePayload,
  deletePayload,
  findPayload,
  findPayloadByUid,
  insertPayload,
  type Payload,
  upsertPayload,
} from './payload-store.ts';
import { orUnavailable, TooManyFailures } from './token-errors.ts';

export type AdapterOptions = {
  readonly database: Database;
  readonly findMetadata: FindMetadata;
  readonly guard: FailureGuard;
  readonly refreshTokens: RefreshTokens;
};

const hashId = (id: string) => createHash('sha256').update(id).digest('base64url');

/** What the library wants to remember, without the ids that are secrets. */
function withoutSecrets({ jti = '', ...payload }: AdapterPayload): AdapterPayload {
  const { returnTo, session } = payload;
  return {
    ...payload,
    // The address an interaction goes on at ends in its id.
    ...(returnTo !== undefined && { returnTo: returnTo.slice(0, returnTo.length - jti.length) }),
    // It also quotes the id of the session it arose in, and never looks at it again.
    ...(session && { session: { ...session, cookie: '' } }),
  };
}

/** A character that the database keeps in no text; only somebody who looks for trouble sends it. */
function refuseNul(payload: AdapterPayload): void {
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(payload))) throw new errors.InvalidRequest('invalid characters');
}

/** With which sign-in a row ends: an interaction with none, since the person may go on after the one it arose in is over. */
const grantOf = (model: string, { grantId }: AdapterPayload) => (model === 'Interaction' ? undefined : grantId);

function restore(found: Payload | undefined, id: string | undefined): AdapterPayload | undefined {
  if (!found) return undefined;
  const payload = found.payload as AdapterPayload;
  return {
    ...payload,
    ...(id !== undefined && { jti: id }),
    ...(payload.returnTo !== undefined && { returnTo: `${payload.returnTo}${id}` }),
    ...(found.consumedAt && { consumed: Math.floor(found.consumedAt.getTime() / 1_000) }),
  };
}

export function createAdapter({ database, findMetadata, guard, refreshTokens }: AdapterOptions) {
  const asSystem: Database['asSystem'] = (work) => orUnavailable(() => database.asSystem(work));

  async function findClient(id: string): Promise<AdapterPayload | undefined> {
    const metadata = await orUnavailable(() => findMetadata(id));
    if (!metadata) return undefined;
    // An application's id is known to everybody: its failures must not lock out the people who sign in with it.
    const isCredential = 'tenant_id' in metadata;
    if (isCredential && (await guard.lockedSeconds(clientKey(id))) > 0) throw new TooManyFailures();
    return metadata as AdapterPayload;
  }

  /** Ours, as the library would have kept it: for whoever wants one revoked. */
  async function findRefreshToken(token: string): Promise<AdapterPayload | undefined> {
    const presented = refreshTokens.read(token);
    const signIn = presented && (await asSystem((tx) => findSignIn(tx, presented.signInId)));
    if (!signIn) return undefined;
    const { clientId, userId: accountId } = signIn;
    const exp = Math.floor(Date.now() / 1_000) + 60;
    return { kind: 'RefreshToken', jti: token, grantId: presented.signInId, clientId, accountId, exp };
  }

  return class StoreAdapter implements Adapter {
    readonly #model: string;
    constructor(model: string) {
      this.#model = model;
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      if (this.#model === 'Client') return findClient(id);
      if (this.#model === 'RefreshToken') return findRefreshToken(id);
      return restore(await asSystem((tx) => findPayload(tx, this.#model, hashId(id))), id);
    }

    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return restore(await asSystem((tx) => findPayloadByUid(tx, this.#model, uid)), undefined);
    }

    async upsert(id: string, payload: AdapterPayload, ttlSeconds: number): Promise<void> {
      refuseNul(payload);
      const [kept, grantId] = [withoutSecrets(payload), grantOf(this.#model, payload)];
      const added = { model: this.#model, id: hashId(id), payload: kept, uid: payload.uid, grantId, ttlSeconds };
      if (this.#model !== 'ReplayDetection') return asSystem((tx) => upsertPayload(tx, added));
      // Two copies of one assertion at the same moment: the library looked before either was stored.
      const isFirst = await asSystem((tx) => insertPayload(tx, added));
      if (!isFirst) throw new errors.InvalidClientAuth('client assertion has already been used');
    }

    async consume(id: string): Promise<void> {
      const isFirst = await asSystem((tx) => consumePayload(tx, this.#model, hashId(id)));
      // Two exchanges of one code at the same moment: the library looked before either was stored.
      if (!isFirst) throw new errors.InvalidGrant('authorization code already consumed');
    }

    async destroy(id: string): Promise<void> {
      await asSystem((tx) => deletePayload(tx, this.#model, hashId(id)));
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await asSystem((tx) => endSignIn(tx, grantId));
    }

    async findByUserCode(): Promise<undefined> {
      return undefined;
    }
  };
}
