// Fresh secrets for a server on a developer's machine, in the form the configuration takes.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

export function createSecrets(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(8).toString('hex');
  return {
    TREFOIL_VAULT_KEYS: `local-1:${randomBytes(32).toString('base64')}`,
    TREFOIL_HASH_KEY: randomBytes(32).toString('base64'),
    TREFOIL_SIGNING_KEYS: JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), kid }]),
  };
}
