// Refresh tokens are derived, never stored: the sign-in's id, the count, and a keyed hash of both. A reader of the
// database learns no token; one row says which token is live (docs/decisions/0127-refresh-tokens.md).
import { isOneOf, type RingHash } from '../../lib/crypto/hash-ring.ts';

export interface RefreshTokens {
  make(signInId: string, count: number): string;
  /** Undefined for every text that we did not make. */
  read(token: string): { readonly signInId: string; readonly count: number } | undefined;
}

const SHAPE = /^([\w-]{1,64})\.(0|[1-9]\d{0,8})\.([\w-]{43})$/;

export function createRefreshTokens(hash: RingHash): RefreshTokens {
  return {
    make: (signInId, count) => `${signInId}.${count}.${hash(signInId, String(count)).toString('base64url')}`,
    read(token) {
      const [, signInId = '', count = '', proof = ''] = SHAPE.exec(token) ?? [];
      const given = Buffer.from(proof, 'base64url');
      if (!isOneOf(given, hash.every(signInId, count))) return undefined;
      return { signInId, count: Number(count) };
    },
  };
}
