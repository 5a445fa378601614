// What may be done to a credential, and by whom: nobody gives, or takes over, more than they hold themselves
// (docs/decisions/0026, 0027, 0134). Pure.
import type { ChangeCredentialRequest, Scope } from '@trefoil/contract';

/** Two, so that a running client can be given the new one before the old one ends. */
export const LIVE_SECRETS_MAX = 2;

/** The scopes that `held` lacks. */
export function scopesBeyond(asked: readonly Scope[], held: ReadonlySet<Scope>): Scope[] {
  return asked.filter((scope) => !held.has(scope));
}

/** Without a grace time the older ones end with this very change. */
export function hasRoomForSecret(liveSecrets: number, graceSeconds: number): boolean {
  return graceSeconds === 0 || liveSecrets < LIVE_SECRETS_MAX;
}

/** To stop a credential is open to whoever runs credentials; all else could bring its power to the one who changes it. */
export function onlyStops(change: ChangeCredentialRequest): boolean {
  return change.isEnabled === false && Object.keys(change).length === 1;
}
