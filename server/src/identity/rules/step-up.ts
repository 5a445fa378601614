// What a person must prove before they change how they sign in (docs/decisions/0129-second-factors.md): a fresh second
// factor or, without one, a link sent to their address (0275-a-password-alone.md), and a fresh sign-in or their password again.
const FRESH_MS = 10 * 60_000;

export type Standing = {
  readonly hasFactor: boolean;
  /** This sign-in has followed a link that was mailed for a first factor. */
  readonly hasLink: boolean;
  readonly authenticatedAt: Date;
  readonly secondFactorAt: Date | undefined;
};

export type NeededFactor = 'none' | 'link' | 'password' | 'second-factor';

export function neededFactor(
  { hasFactor, hasLink, authenticatedAt, secondFactorAt }: Standing,
  now: Date,
): NeededFactor {
  const isFresh = (at: Date | undefined) => at !== undefined && now.getTime() - at.getTime() <= FRESH_MS;
  if (hasFactor) return isFresh(secondFactorAt) ? 'none' : 'second-factor';
  if (!hasLink) return 'link';
  return isFresh(authenticatedAt) ? 'none' : 'password';
}
