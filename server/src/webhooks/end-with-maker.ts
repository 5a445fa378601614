// What becomes of webhook endpoints when the member who made them leaves (docs/decisions/0151-what-a-member-made.md). Works in the
// transaction that removes the member.
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { disableEndpoint } from './enable-endpoint.ts';
import { type MadeEndpoint, updateSecret } from './endpoint-store.ts';
import { GRACE_SECONDS } from './manage-endpoints.ts';
import { sealText } from './sealing/sealed-texts.ts';
import { newSecret } from './sign.ts';

export { lockEndpointsMadeBy } from './endpoint-store.ts';

/** Returns those that were not disabled before. */
export async function disableEndpoints(
  tx: Tx,
  tenantId: string,
  endpoints: readonly MadeEndpoint[],
): Promise<MadeEndpoint[]> {
  const changed: MadeEndpoint[] = [];
  for (const endpoint of endpoints) {
    if (await disableEndpoint(tx, tenantId, endpoint.endpointId, 'requested')) changed.push(endpoint);
  }
  return changed;
}

export type RotatedEndpoint = MadeEndpoint & { readonly secret: string };

/** As any rotation: for a day the secret before signs too, so that receivers can be changed. */
export async function rotateSecrets(
  tx: Tx,
  seal: SecretSeal,
  { tenantId, madeBy }: { readonly tenantId: string; readonly madeBy: string | null },
  endpoints: readonly MadeEndpoint[],
): Promise<RotatedEndpoint[]> {
  const rotated = endpoints.map((endpoint) => ({ ...endpoint, secret: newSecret() }));
  for (const { endpointId: id, secret } of rotated) {
    const sealedSecret = sealText(seal, 'secret', { tenantId, id }, secret);
    await updateSecret(tx, tenantId, id, { sealedSecret, graceSeconds: GRACE_SECONDS, madeBy });
  }
  return rotated;
}
