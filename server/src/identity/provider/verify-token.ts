// Verifies our own access tokens with our own keys: no key is ever fetched or taken from the token itself.
// Algorithm, type, issuer and audience are fixed (RFC 8725). A valid token is cached until it expires.
import { createHash } from 'node:crypto';
import { ROLE_SCOPES, ROLES, type Scope } from '@trefoil/contract';
import { importJWK, type JWK, type JWTPayload, jwtVerify } from 'jose';
import type { Principal } from '../../http/authenticate.ts';
import { rateOf } from '../../http/rate-limit.ts';
import type { Client, FindClient } from '../credentials/find-client.ts';
import type { FindPerson, Person } from '../sessions/find-person.ts';

export const TOKEN_AUDIENCE = 'urn:trefoil:api';
export const SIGNING_ALGORITHM = 'ES256' as const;

const REMEMBERED_MAX = 10_000;
const CLOCK_TOLERANCE_SECONDS = 5;

type Remembered = {
  readonly payload: JWTPayload;
  readonly expiresAtMs: number;
  /** The last result for this token; valid as long as the look-up returns the same credential. */
  made?: { readonly client: Client; readonly identified: Identified };
};

/** The public half only; `d` must never leave the configuration. */
export function publicKey({ kty, crv, x, y, kid }: JWK): JWK {
  return { kty, crv, x, y, kid, alg: SIGNING_ALGORITHM, use: 'sig' } as JWK;
}

export type LookUps = { readonly findClient: FindClient; readonly findPerson: FindPerson };

/** The principal of a token and, for a person, the sign-in it came from. */
export type Identified = { readonly principal: Principal; readonly person: Person | undefined };
export type IdentifyToken = (token: string) => Promise<Identified | undefined>;

const ROLE_SETS = new Map(ROLES.map((role) => [role, new Set<Scope>(ROLE_SCOPES[role])]));

function scopesOf(payload: JWTPayload): ReadonlySet<string> {
  return new Set(String(payload['scope'] ?? '').split(' '));
}

function toPerson(person: Person, payload: JWTPayload): Principal {
  const granted = scopesOf(payload);
  return {
    kind: 'person',
    id: person.userId,
    userId: person.userId,
    accesses: person.memberships.map((membership) => ({
      tenantId: membership.tenantId,
      isTenantEnabled: membership.isTenantEnabled,
      role: membership.role,
      // The current role: a changed role applies to issued tokens too.
      scopes: new Set([...(ROLE_SETS.get(membership.role) ?? [])].filter((scope) => granted.has(scope))),
      rate: rateOf(membership),
      lacksSecondFactor: membership.requiresSecondFactor && person.secondFactorAt === null,
    })),
    isTestOnly: false,
    secondFactorAt: person.secondFactorAt ?? undefined,
  };
}

function toCredential(client: Client, payload: JWTPayload): Principal {
  const granted = scopesOf(payload);
  return {
    kind: 'credential',
    id: client.id,
    userId: client.ownerUserId,
    accesses: [
      {
        tenantId: client.tenantId,
        isTenantEnabled: client.isTenantEnabled,
        role: client.ownerRole,
        // A scope withdrawn from the credential is also withdrawn from its issued tokens.
        scopes: new Set<Scope>(client.scopes.filter((scope) => granted.has(scope))),
        rate: rateOf(client),
        lacksSecondFactor: false,
      },
    ],
    isTestOnly: client.isTestOnly,
    allowsAddress: client.allowsAddress,
    secondFactorAt: undefined,
  };
}

export async function createTokenIdentifier(
  issuer: string,
  signingKeys: readonly JWK[],
  { findClient, findPerson }: LookUps,
): Promise<IdentifyToken> {
  const keys = new Map(
    await Promise.all(signingKeys.map(async (jwk) => [jwk.kid, await importJWK(publicKey(jwk))] as const)),
  );
  const remembered = new Map<string, Remembered>();

  async function verify(token: string): Promise<JWTPayload> {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.get(kid);
        if (!key) throw new Error('the token was signed with an unknown key');
        return key;
      },
      {
        issuer,
        audience: TOKEN_AUDIENCE,
        typ: 'at+jwt',
        algorithms: [SIGNING_ALGORITHM],
        requiredClaims: ['exp', 'iat', 'client_id'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      },
    );
    return payload;
  }

  async function remember(token: string): Promise<Remembered | undefined> {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = remembered.get(digest);
    if (known && known.expiresAtMs > Date.now()) return known;
    remembered.delete(digest);
    // Whatever is wrong with a token, the caller learns only that it is not valid.
    const payload = await verify(token).catch(() => undefined);
    if (payload?.exp === undefined) return undefined;
    if (remembered.size >= REMEMBERED_MAX) {
      const [oldest] = remembered.keys();
      if (oldest !== undefined) remembered.delete(oldest);
    }
    const fresh = { payload, expiresAtMs: payload.exp * 1_000 };
    remembered.set(digest, fresh);
    return fresh;
  }

  return async (token) => {
    const known = await remember(token);
    if (!known) return undefined;
    const { payload } = known;
    // Only a person's token names a sign-in.
    if (typeof payload['sid'] === 'string') {
      const person = await findPerson(payload['sid']);
      if (!person || person.userId !== payload.sub || person.clientId !== payload['client_id']) return undefined;
      return { principal: toPerson(person, payload), person };
    }
    const client = await findClient(String(payload['client_id']));
    if (!client?.isEnabled || client.tenantId !== payload['tenant_id']) return undefined;
    // Issued before a member's secrets and keys were ended: the token may come from one of them.
    if (Number(payload['epoch'] ?? 0) < client.tokenEpoch) return undefined;
    if (known.made?.client !== client) {
      known.made = { client, identified: { principal: toCredential(client, payload), person: undefined } };
    }
    return known.made.identified;
  };
}
