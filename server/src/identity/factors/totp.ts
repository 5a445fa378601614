// Authenticator apps (RFC 6238: SHA-1, six digits, thirty seconds, which every app supports). A code of the previous or the
// next step is right too, and no code is accepted twice (docs/decisions/0129-second-factors.md).
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Tx } from '../../lib/postgres/sql.ts';
import { insertTotp, lockTotp, updateTotpUsed } from './factor-store.ts';
import type { SecretSeal } from './seal-secret.ts';

const ISSUER = 'Trefoil';
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
const STEPS_EITHER_SIDE = 1;

export const totpBinding = (userId: string) => `totp/${userId}`;

function generatorOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS });
}

export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What a page shows of a secret: the QR code, and groups of letters for people who type it in. */
export function showTotp(secret: string, email: string): { readonly qrCode: string; readonly letters: string } {
  const address = generatorOf(Secret.fromBase32(secret), email).toString();
  return { qrCode: renderSVG(address, { border: 2 }), letters: secret.replace(/(.{4})(?=.)/g, '$1 ') };
}

/** The time step of a code that is right now; undefined for a wrong code. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const generator = generatorOf(Secret.fromBase32(secret), '');
  const token = code.replace(/[\s-]/g, '');
  // Checked first: the library accepts any six characters as a code and fails on them.
  if (!/^[0-9]{6}$/.test(token)) return undefined;
  const delta = generator.validate({ token, timestamp, window: STEPS_EITHER_SIDE });
  return delta === null ? undefined : generator.counter({ timestamp }) + delta;
}

export type TotpGuess = { readonly userId: string; readonly code: string; readonly now: Date };

/** The first right code makes the app a second factor. False for a wrong code, or when the person already has an app. */
export async function addTotp(tx: Tx, seal: SecretSeal, secret: string, guess: TotpGuess): Promise<boolean> {
  const step = stepOf(secret, guess.code, guess.now);
  if (step === undefined) return false;
  return insertTotp(tx, guess.userId, {
    step,
    sealedSecret: seal.seal(totpBinding(guess.userId), Buffer.from(secret)),
  });
}

export async function isTotpCode(tx: Tx, seal: SecretSeal, guess: TotpGuess): Promise<boolean> {
  const totp = await lockTotp(tx, guess.userId);
  if (!totp) return false;
  const secret = seal.open(totpBinding(guess.userId), totp.sealedSecret);
  const step = stepOf(secret.toString(), guess.code, guess.now);
  // A used step, and every step before it, is refused: another person may have seen the code.
  if (step === undefined || step <= totp.lastStep) return false;
  // Sealed again at each use, so that a ring key that is no longer the first falls out of use by itself.
  await updateTotpUsed(tx, guess.userId, { step, sealedSecret: seal.seal(totpBinding(guess.userId), secret) });
  return true;
}
