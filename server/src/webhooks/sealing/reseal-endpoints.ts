// Seals the addresses and secrets of webhook endpoints anew under the first key of the ring, for a rotation. An endpoint whose
// key is lost stays as it is (docs/decisions/0214-an-endpoint-whose-key-is-lost.md). What receivers answered is not sealed
// anew: it is deleted after 30 days.
import { createSecretSeal } from '../../lib/crypto/secret-seal.ts';
import type { RingKey } from '../../lib/crypto/vault.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listEndpointsBehind, lockSealedTexts, updateSealedTexts } from './sealed-text-store.ts';
import { sealText, tryOpenText } from './sealed-texts.ts';

export async function resealEndpoints(database: Database, ring: readonly [RingKey, ...RingKey[]]): Promise<number> {
  const seal = createSecretSeal(ring);
  let count = 0;
  for (const place of await database.asSystem((tx) => listEndpointsBehind(tx, ring[0].id))) {
    count += await database.forTenants([place.tenantId], async (tx) => {
      const sealed = await lockSealedTexts(tx, place);
      if (!sealed) return 0;
      const anew = (purpose: 'url' | 'secret', bytes: Buffer | null) => {
        const text = bytes === null ? undefined : tryOpenText(seal, purpose, place, bytes);
        return text === undefined ? bytes : sealText(seal, purpose, place, text);
      };
      const { sealedUrl, sealedSecret, sealedOldSecret } = sealed;
      await updateSealedTexts(tx, place, {
        sealedUrl: anew('url', sealedUrl) ?? sealedUrl,
        sealedSecret: anew('secret', sealedSecret) ?? sealedSecret,
        sealedOldSecret: anew('secret', sealedOldSecret),
      });
      return 1;
    });
  }
  return count;
}
