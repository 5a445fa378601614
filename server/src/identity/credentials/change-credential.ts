// Creates credentials and rotates their secrets. A secret is 256 random bits, returned once and kept only as its
// SHA-256: at that entropy a slow hash would add nothing but load (docs/decisions/0108).
import { createHash, randomBytes } from 'node:crypto';
import type { Scope } from '@trefoil/contract';
import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/sql.ts';
import { insertCredential, insertSecret, updateSecretsExpiry } from '../store.ts';

export { hasRoomForSecret } from '../rules/credential.ts';
export {
  findClient as findCredential,
  listCredentialStates,
  listCredentials,
  updateCredentialEnabled as enableCredential,
} from '../store.ts';
export { countLiveSecrets, lockCredential as holdCredential } from './credential-store.ts';

export type CredentialOrder = {
  readonly tenantId: string;
  readonly name: string;
  readonly ownerUserId: string;
  readonly scopes: readonly Scope[];
  /** With public keys the client signs assertions and there is no secret. */
  readonly publicKeys?: readonly object[] | undefined;
  readonly isTestOnly?: boolean | undefined;
};

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

async function addSecret(tx: Tx, tenantId: string, credentialId: string): Promise<string> {
  const secret = `tfs_${randomBytes(32).toString('base64url')}`;
  await insertSecret(tx, { tenantId, credentialId, id: newId(), secretHash: hashSecret(secret) });
  return secret;
}

export async function createCredential(
  tx: Tx,
  order: CredentialOrder,
): Promise<{ clientId: string; clientSecret: string | undefined }> {
  const clientId = newId();
  await insertCredential(tx, {
    ...order,
    id: clientId,
    authMethod: order.publicKeys ? 'private_key_jwt' : 'client_secret',
    publicKeys: order.publicKeys,
  });
  const clientSecret = order.publicKeys ? undefined : await addSecret(tx, order.tenantId, clientId);
  return { clientId, clientSecret };
}

/** The old secrets go on working for the grace time, so that a running client can be given the new one. */
export async function rotateSecret(
  tx: Tx,
  credential: { tenantId: string; credentialId: string },
  graceSeconds: number,
): Promise<string> {
  await updateSecretsExpiry(tx, credential.tenantId, credential.credentialId, graceSeconds);
  return addSecret(tx, credential.tenantId, credential.credentialId);
}
