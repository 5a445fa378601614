// Creates credentials and rotates their secrets. A secret is 256 random bits, returned once and kept only as its
// SHA-256: at that entropy a slow hash would add nothing but load (docs/decisions/0108-tokens.md).
import { createHash, randomBytes } from 'node:crypto';
import type { Scope } from '@trefoil/contract';
import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { claimKeys } from '../rules/credential.ts';
import { insertCredential, insertSecret, updateSecretsExpiry } from './client-store.ts';

export { hasRoomForSecret } from '../rules/credential.ts';
export {
  findClient as findCredential,
  listCredentialStates,
  listCredentials,
  updateCredentialEnabled as enableCredential,
} from './client-store.ts';
export { countLiveSecrets, lockCredential as holdCredential } from './credential-store.ts';

export type CredentialOrder = {
  readonly tenantId: string;
  readonly name: string;
  readonly ownerUserId: string;
  readonly scopes: readonly Scope[];
  /** A client with public keys signs assertions and has no secret. */
  readonly publicKeys?: readonly object[] | undefined;
  readonly isTestOnly?: boolean | undefined;
  /** The member who creates it, and with it its first secret or keys. Undefined for the operator. */
  readonly madeBy?: string;
};

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

type SecretOrder = { readonly tenantId: string; readonly credentialId: string; readonly madeBy?: string };

async function addSecret(tx: Tx, { tenantId, credentialId, madeBy }: SecretOrder): Promise<string> {
  const secret = `tfs_${randomBytes(32).toString('base64url')}`;
  await insertSecret(tx, {
    tenantId,
    credentialId,
    id: newId(),
    secretHash: hashSecret(secret),
    madeBy: madeBy ?? null,
  });
  return secret;
}

export async function createCredential(
  tx: Tx,
  order: CredentialOrder,
): Promise<{ clientId: string; clientSecret: string | undefined }> {
  const clientId = newId();
  const { publicKeys, madeBy, ...credential } = order;
  await insertCredential(tx, {
    ...credential,
    id: clientId,
    authMethod: publicKeys ? 'private_key_jwt' : 'client_secret',
    publicKeys: publicKeys && claimKeys(publicKeys, [], madeBy),
  });
  const secretOrder = { tenantId: order.tenantId, credentialId: clientId, ...(madeBy && { madeBy }) };
  const clientSecret = publicKeys ? undefined : await addSecret(tx, secretOrder);
  return { clientId, clientSecret };
}

/** The old secrets keep working for the grace period, so that a running client can be given the new one. */
export async function rotateSecret(tx: Tx, credential: SecretOrder, graceSeconds: number): Promise<string> {
  await updateSecretsExpiry(tx, credential.tenantId, credential.credentialId, graceSeconds);
  return addSecret(tx, credential);
}
