// Access tokens of every kind a test needs: real ones, ones signed with the server's own key, and credentials to match.
import { createPublicKey } from 'node:crypto';
import type { Scope } from '@trefoil/contract';
import { importJWK, type JWK, SignJWT } from 'jose';
import type { DemoTenant } from '../../../tools/dev/seed.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import type { TestServer } from '../harness.ts';

/** Loose on purpose: an attack may put anything into a claim. */
export type Claims = Readonly<Record<string, unknown>>;

/** Each is read and imported once: some files sign a thousand tokens. */
const signingKeys = new WeakMap<TestServer, JWK & { kid: string }>();
const importedKeys = new WeakMap<JWK, Map<string, ReturnType<typeof importJWK>>>();

export function signingKey(server: TestServer): JWK & { kid: string } {
  const known = signingKeys.get(server);
  if (known) return known;
  const [key] = JSON.parse(server.environment['TREFOIL_SIGNING_KEYS'] ?? '[]');
  signingKeys.set(server, key);
  return key;
}

function importOnce(key: JWK, algorithm: string): ReturnType<typeof importJWK> {
  const byAlgorithm = importedKeys.get(key) ?? new Map<string, ReturnType<typeof importJWK>>();
  importedKeys.set(key, byAlgorithm);
  const imported = byAlgorithm.get(algorithm) ?? importJWK(key, algorithm);
  byAlgorithm.set(algorithm, imported);
  return imported;
}

/** The signing key's public half as a PEM text, as anyone can make it from the published key set. */
export function publicPem(server: TestServer): string {
  const { kty, crv, x, y } = signingKey(server);
  const key = createPublicKey({ key: { kty, crv, x, y } as never, format: 'jwk' });
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

export const nowSeconds = () => Math.floor(Date.now() / 1_000);

export function goodClaims(server: TestServer, tenant: DemoTenant): Claims {
  return {
    iss: server.baseUrl,
    aud: 'urn:trefoil:api',
    sub: tenant.clientId,
    client_id: tenant.clientId,
    tenant_id: tenant.tenantId,
    scope: 'reports:write reports:read',
    iat: nowSeconds(),
    exp: nowSeconds() + 600,
    jti: crypto.randomUUID(),
  };
}

/** Signs with the server's real key unless told otherwise; `undefined` claims and header fields are left out. */
export async function signToken(
  server: TestServer,
  claims: Claims,
  header: Record<string, unknown> = {},
  key: JWK = signingKey(server),
): Promise<string> {
  const protectedHeader = { alg: 'ES256', typ: 'at+jwt', kid: signingKey(server).kid, ...header };
  return new SignJWT(withoutUndefined(claims))
    .setProtectedHeader(withoutUndefined(protectedHeader) as { alg: string })
    .sign(await importOnce(key, protectedHeader.alg));
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}

export function encodePart(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export type NewCredential = { readonly scopes?: readonly Scope[]; readonly publicKeys?: readonly object[] };

/** Another credential of the tenant, accountable to the same person as its demo credential. */
export async function addCredential(server: TestServer, tenant: DemoTenant, options: NewCredential = {}) {
  const [owner] = await server.query<{ id: string }>('select owner_user_id as id from credentials where id = $1', [
    tenant.clientId,
  ]);
  const { clientId, clientSecret } = await server.database.asSystem((tx) =>
    createCredential(tx, {
      tenantId: tenant.tenantId,
      name: 'Test credential',
      ownerUserId: owner?.id ?? '',
      scopes: options.scopes ?? ['reports:write', 'reports:read'],
      publicKeys: options.publicKeys,
    }),
  );
  return { tenantId: tenant.tenantId, clientId, clientSecret: clientSecret ?? '' };
}
