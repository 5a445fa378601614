// Refresh tokens are derived, never kept: the sign-in's id, the count, and a keyed hash of both. Whoever reads the
// database learns no token; one row tells which of them is the live one (docs/decisions/0127).
import { timingSafeEqual } from 'node:crypto';
import type { KeyedHash } from '../../lib/keyed-hash.ts';

export interface RefreshTokens {
  make(signInId: string, count: number): string;
  /** Undefined for whatever we did not make. */
  read(token: string): { readonly signInId: string; readonly count: number } | undefined;
}

const SHAPE = /^([\w-]{1,64})\.(0|[1-9]\d{0,8})\.([\w-]{43})$/;

export function createRefreshTokens(hash: KeyedHash): RefreshTokens {
  return {
    make: (signInId, count) => `${signInId}.${count}.${hash(signInId, String(count)).toString('base64url')}`,
    read(token) {
      const [, signInId = '', count = '', proof = ''] = SHAPE.exec(token) ?? [];
      const given = Buffer.from(proof, 'base64url');
      const right = hash(signInId, count);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return { signInId, count: Number(count) };
    },
  };
}
