// What a person must prove before they change how they sign in (docs/decisions/0129): a fresh second factor; whoever has
// none yet, a fresh sign-in or their password once more.
const FRESH_MS = 10 * 60_000;

export type Standing = {
  readonly hasFactor: boolean;
  readonly authenticatedAt: Date;
  readonly secondFactorAt: Date | undefined;
};

export type NeededProof = 'none' | 'password' | 'second-factor';

export function neededProof({ hasFactor, authenticatedAt, secondFactorAt }: Standing, now: Date): NeededProof {
  const isFresh = (at: Date | undefined) => at !== undefined && now.getTime() - at.getTime() <= FRESH_MS;
  if (hasFactor) return isFresh(secondFactorAt) ? 'none' : 'second-factor';
  return isFresh(authenticatedAt) ? 'none' : 'password';
}
