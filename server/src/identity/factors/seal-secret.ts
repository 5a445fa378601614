// The sealed secrets of people: which ring keys they need, and notes that go out in a form and come back with it.
import { createSecretSeal, type SecretSeal } from '../../lib/crypto/secret-seal.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listTotpKeys } from './factor-store.ts';

export { createSecretSeal, type SecretSeal };

/** The ring keys that stored authenticator secrets still need. */
export function listSealKeys(database: Database): Promise<readonly string[]> {
  return database.asSystem(listTotpKeys);
}

const NOTE_LIFETIME_MS = 15 * 60_000;

/** A secret that goes out in a form and comes back with it: sealed for one sign-in and a quarter of an hour. */
export function writeNote(seal: SecretSeal, binding: string, text: string, now: Date): string {
  const note = JSON.stringify([now.getTime() + NOTE_LIFETIME_MS, text]);
  return seal.seal(`note/${binding}`, Buffer.from(note)).toString('base64url');
}

export function readNote(seal: SecretSeal, binding: string, note: string, now: Date): string | undefined {
  try {
    const opened = seal.open(`note/${binding}`, Buffer.from(note, 'base64url')).toString();
    const [untilMs, text] = JSON.parse(opened) as [number, string];
    return now.getTime() < untilMs ? text : undefined;
  } catch {
    return undefined;
  }
}
