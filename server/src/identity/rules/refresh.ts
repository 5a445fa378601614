// What a presented refresh token means for its family: a pure rule, the time is a parameter
// (docs/decisions/0127-refresh-tokens.md). The numbers are promises of decision 22, so none is configurable.
export const REFRESH_IDLE_MS = 8 * 3_600_000;
export const REFRESH_ABSOLUTE_MS = 24 * 3_600_000;
export const REFRESH_GRACE_MS = 10_000;

/** One sign-in: only the count of the live token is stored; every token is derived from it. */
export type Family = {
  readonly count: number;
  readonly refreshedAt: Date;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

export type RefreshOutcome =
  /** The token of this count becomes the live one. */
  | { readonly kind: 'advance'; readonly count: number }
  /** A parallel request was faster: this one gets the same successor. */
  | { readonly kind: 'repeat'; readonly count: number }
  /** A token that was replaced long ago has two holders, and we cannot tell which one stole it. */
  | { readonly kind: 'reuse' }
  | { readonly kind: 'over' };

export function judgeRefresh(family: Family, presented: number, now: Date): RefreshOutcome {
  const nowMs = now.getTime();
  const idleMs = nowMs - family.refreshedAt.getTime();
  const ageMs = nowMs - family.createdAt.getTime();
  if (family.endedAt || idleMs > REFRESH_IDLE_MS || ageMs > REFRESH_ABSOLUTE_MS) return { kind: 'over' };
  if (presented === family.count) return { kind: 'advance', count: family.count + 1 };
  if (presented === family.count - 1 && idleMs <= REFRESH_GRACE_MS) return { kind: 'repeat', count: family.count };
  // A count from the future can carry a valid signature only if the row was restored: refused like any stale token.
  return { kind: 'reuse' };
}
