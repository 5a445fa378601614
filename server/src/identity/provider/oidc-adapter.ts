// Stores the library's state in our database. It stores only hashed ids: with the ids in clear, a reader of the table could
// take over sessions and codes (docs/decisions/0126-provider.md).
import { createHash } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../lib/postgres/database.ts';
import type { RefreshTokens } from '../sessions/refresh-tokens.ts';
import { endSignIn, findSignIn } from '../sessions/sign-in-store.ts';
import { isNobodys, refuseLongState } from './nobody-signs-out.ts';
import type { FindMetadata } from './oauth-clients.ts';
import {
  consumePayload,
  deletePayload,
  endSession,
  findPayload,
  findPayloadByUid,
  insertPayload,
  type Payload,
  upsertPayload,
} from './payload-store.ts';
import { orUnavailable } from './token-errors.ts';

export type AdapterOptions = {
  readonly database: Database;
  readonly findMetadata: FindMetadata;
  readonly refreshTokens: RefreshTokens;
};

/** On another node, whose clock is behind, a used assertion is valid for longer (docs/decisions/0149-the-clock.md). */
const CLOCKS_APART_SECONDS = 60;

const hashId = (id: string) => createHash('sha256').update(id).digest('base64url');

/** The library's payload without the ids that are secrets. */
function withoutSecrets({ jti = '', ...payload }: AdapterPayload): AdapterPayload {
  const { returnTo, session } = payload;
  return {
    ...payload,
    // The address where an interaction continues ends in its id.
    ...(returnTo !== undefined && { returnTo: returnTo.slice(0, returnTo.length - jti.length) }),
    // An interaction also contains the id of the session it arose in, which the library never reads again.
    ...(session && { session: { ...session, cookie: '' } }),
  };
}

/** PostgreSQL stores no text with a NUL; only a client that probes for faults sends one. */
function refuseNul(payload: AdapterPayload): void {
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(payload))) throw new errors.InvalidRequest('invalid characters');
}

/** The sign-in a row ends with. An interaction has none: the person may go on after the sign-in it arose in has ended. */
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

export function createAdapter({ database, findMetadata, refreshTokens }: AdapterOptions) {
  const asSystem: Database['asSystem'] = (work) => orUnavailable(() => database.asSystem(work));

  async function findClient(id: string): Promise<AdapterPayload | undefined> {
    const metadata = await orUnavailable(() => findMetadata(id));
    return metadata as AdapterPayload | undefined;
  }

  /** Our refresh token in the library's form: for a client that revokes it. */
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
      refuseLongState(this.#model, payload);
      if (isNobodys(this.#model, payload)) return;
      const [kept, grantId] = [withoutSecrets(payload), grantOf(this.#model, payload)];
      const added = { model: this.#model, id: hashId(id), payload: kept, uid: payload.uid, grantId, ttlSeconds };
      if (this.#model !== 'ReplayDetection') return asSystem((tx) => upsertPayload(tx, added));
      // Two copies of one assertion at the same moment: the library checked before either was stored.
      const used = { ...added, ttlSeconds: ttlSeconds + CLOCKS_APART_SECONDS };
      const isFirst = await asSystem((tx) => insertPayload(tx, used));
      if (!isFirst) throw new errors.InvalidClientAuth('client assertion has already been used');
    }

    async consume(id: string): Promise<void> {
      const isFirst = await asSystem((tx) => consumePayload(tx, this.#model, hashId(id)));
      // Two exchanges of one code at the same moment: the library checked before either was stored.
      if (!isFirst) throw new errors.InvalidGrant('authorization code already consumed');
    }

    async destroy(id: string): Promise<void> {
      const hashed = hashId(id);
      await asSystem((tx) =>
        this.#model === 'Session' ? endSession(tx, hashed) : deletePayload(tx, this.#model, hashed),
      );
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await asSystem((tx) => endSignIn(tx, grantId));
    }

    async findByUserCode(): Promise<undefined> {
      return undefined;
    }
  };
}
