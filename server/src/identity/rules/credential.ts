// What a member may do to a credential: no member grants, or takes over, more than they hold themselves
// (docs/decisions/0026-account-calls-with-credentials.md, 0027-scopes-and-roles.md, 0134-credentials-by-their-tenant.md).
// Pure.
import type { ChangeCredentialRequest, Scope } from '@trefoil/contract';

/** Two, so that a running client can be given the new one before the old one ends. */
export const LIVE_SECRETS_MAX = 2;

/** The scopes that `held` lacks. */
export function scopesBeyond(asked: readonly Scope[], held: ReadonlySet<Scope>): Scope[] {
  return asked.filter((scope) => !held.has(scope));
}

type Key = Readonly<Record<string, unknown>> & { readonly kid?: string; readonly made_by?: string };

/** Identifies a key by its material, regardless of its name. */
function materialOf(key: object): string {
  const { kty, crv, x, y, n, e } = key as Key;
  return JSON.stringify([kty, crv, x, y, n, e]);
}

/**
 * Records the member who added each key. A key that is already stored keeps its maker, the only person who may hold its
 * private half: otherwise a member who sends the whole set again would take over another member's key.
 */
export function claimKeys(keys: readonly object[], kept: readonly object[], madeBy: string | undefined): Key[] {
  const makers = new Map(kept.map((key): [string, string | undefined] => [materialOf(key), (key as Key).made_by]));
  return keys.map((key) => {
    const material = materialOf(key);
    const maker = makers.has(material) ? makers.get(material) : madeBy;
    return { ...key, ...(maker !== undefined && { made_by: maker }) };
  });
}

/** Only the owner can undo their own refusal. Any member may make a change that only stops the credential. */
export function isAgainstRefusal(
  change: ChangeCredentialRequest,
  now: { readonly refusedBy: string | null; readonly ownerUserId: string; readonly callerUserId: string },
): boolean {
  const owner = change.ownerUserId ?? now.ownerUserId;
  return now.refusedBy === owner && now.callerUserId !== owner && !onlyStops(change);
}

/** Without a grace period, this change ends the older secrets. */
export function hasRoomForSecret(liveSecrets: number, graceSeconds: number): boolean {
  return graceSeconds === 0 || liveSecrets < LIVE_SECRETS_MAX;
}

/** Every member who manages credentials may stop one. Any other change could give its power to the member who makes it. */
export function onlyStops(change: ChangeCredentialRequest): boolean {
  return change.isEnabled === false && Object.keys(change).length === 1;
}
