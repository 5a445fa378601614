// What a person must prove before they change how they sign in (docs/decisions/0129-second-factors.md): a fresh second
// factor or, without one, a fresh sign-in or their password again.
const FRESH_MS = 10 * 60_000;

export type Standing = {
  readonly hasFactor: boolean;
  readonly authenticatedAt: Date;
  readonly secondFactorAt: Date | undefined;
};

export type NeededFactor = 'none' | 'password' | 'second-factor';

export function neededFactor({ hasFactor, authenticatedAt, secondFactorAt }: Standing, now: Date): NeededFactor {
  const isFresh = (at: Date | undefined) => at !== undefined && now.getTime() - at.getTime() <= FRESH_MS;
  if (hasFactor) return isFresh(secondFactorAt) ? 'none' : 'second-factor';
  return isFresh(authenticatedAt) ? 'none' : 'password';
}
