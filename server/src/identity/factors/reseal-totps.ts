// Seals the secrets of authenticator apps anew under the first key of the ring, for a rotation. Safe beside sign-ins: each row
// is locked for its own short transaction, and a row that is used meanwhile is sealed anew by that use.
import type { RingKey } from '../../lib/crypto/vault.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listTotpsBehind, lockTotp, updateTotpSealed } from './factor-store.ts';
import { createSecretSeal, type SecretSeal } from './seal-secret.ts';
import { totpBinding } from './totp.ts';

const AT_A_TIME = 100;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Undefined where the operator has declared the key lost. */
function tryOpen(seal: SecretSeal, userId: string, sealed: Buffer): Buffer | undefined {
  try {
    return seal.open(totpBinding(userId), sealed);
  } catch {
    return undefined;
  }
}

export async function resealTotps(database: Database, ring: readonly [RingKey, ...RingKey[]]): Promise<number> {
  const seal = createSecretSeal(ring);
  let count = 0;
  for (let afterId = LOWEST_ID; ; ) {
    const userIds = await database.asSystem((tx) => listTotpsBehind(tx, ring[0].id, { afterId, limit: AT_A_TIME }));
    for (const userId of userIds) {
      count += await database.asSystem(async (tx) => {
        const totp = await lockTotp(tx, userId);
        if (!totp) return 0;
        const secret = tryOpen(seal, userId, totp.sealedSecret);
        if (!secret) return 0;
        await updateTotpSealed(tx, userId, seal.seal(totpBinding(userId), secret));
        return 1;
      });
    }
    const last = userIds.at(-1);
    if (last === undefined) return count;
    afterId = last;
  }
}
