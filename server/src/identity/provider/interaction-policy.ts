// When a person must act before an application gets its code: sign in, prove a second factor, consent.
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { REFRESH_ABSOLUTE_MS } from '../rules/refresh.ts';

export const ONE_FACTOR = 'urn:trefoil:1fa';
export const TWO_FACTORS = 'urn:trefoil:2fa';

const { Check } = interactionPolicy;

/**
 * In the standard `acr_values` is a preference; here a page uses it to require a second factor
 * (docs/decisions/0130-step-up.md).
 */
function lacksSecondFactor({ oidc }: KoaContextWithOIDC): boolean {
  const wanted = String(oidc.params?.['acr_values'] ?? '').split(' ');
  return wanted.includes(TWO_FACTORS) && oidc.session?.acr !== TWO_FACTORS;
}

/** A session ends after a day, however often it is used. */
function isTooOld({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.session?.accountId !== undefined && oidc.session.past(REFRESH_ABSOLUTE_MS / 1_000);
}

export function createInteractionPolicy() {
  const policy = interactionPolicy.base();
  const login = policy.get('login');
  login?.checks.add(new Check('second_factor', 'a second factor is required', lacksSecondFactor));
  login?.checks.add(new Check('session_age', 'the session is too old', isTooOld));
  login?.checks.add(
    // A person who was disabled in the meantime has a session and no account.
    new Check('no_account', 'End-User authentication is required', ({ oidc }) => {
      return oidc.session?.accountId !== undefined && oidc.account === undefined;
    }),
  );
  return policy;
}
