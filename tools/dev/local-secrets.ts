// Fresh secrets for a server on a developer's machine, in the configuration's form.
import { newEvidenceKeys } from '../../server/src/evidence/evidence-keys.ts';
import { newKey, newSigningKeys } from '../../server/src/lib/crypto/secret-keys.ts';

/** Rows written by hand must name a key of the ring: a server does not start without a key that rows need. */
export const LOCAL_RING_KEY = 'local-1';

export function createSecrets(): Record<string, string> {
  return {
    TREFOIL_VAULT_KEYS: `${LOCAL_RING_KEY}:${newKey()}`,
    TREFOIL_HASH_KEY: newKey(),
    TREFOIL_SIGNING_KEYS: newSigningKeys(),
    TREFOIL_EVIDENCE_KEYS: newEvidenceKeys(),
  };
}
