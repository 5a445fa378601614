// Judges a code from an authenticator app or a recovery code. Both share one count of wrong guesses.

import type { RingHash } from '../../lib/crypto/hash-ring.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { type FactorVerdict, judgeGuess } from './count-guesses.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import type { SecretSeal } from './seal-secret.ts';
import { isTotpCode } from './totp.ts';

export type FactorCode = { readonly kind: 'totp' | 'recovery'; readonly text: string };

export type SecondFactorOptions = {
  readonly database: Database;
  readonly seal: SecretSeal;
  readonly hashRecoveryCode: RingHash;
};

export async function checkSecondFactor(
  { database, seal, hashRecoveryCode }: SecondFactorOptions,
  userId: string,
  { kind, text }: FactorCode,
): Promise<FactorVerdict> {
  return database.asSystem((tx) =>
    judgeGuess(tx, userId, (now) =>
      kind === 'totp'
        ? isTotpCode(tx, seal, { userId, code: text, now })
        : takeRecoveryCode(tx, hashRecoveryCode, userId, text),
    ),
  );
}
