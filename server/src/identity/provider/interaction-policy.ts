// When the person must do something before an application gets its code: sign in, prove a second factor, agree.
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { REFRESH_ABSOLUTE_MS } from '../rules/refresh.ts';

export const ONE_FACTOR = 'urn:trefoil:1fa';
export const TWO_FACTORS = 'urn:trefoil:2fa';

const { Check } = interactionPolicy;

/** By the standard `acr_values` is a wish; here it is how a page asks for a second factor (docs/decisions/0130). */
function lacksSecondFactor({ oidc }: KoaContextWithOIDC): boolean {
  const wanted = String(oidc.params?.['acr_values'] ?? '').split(' ');
  return wanted.includes(TWO_FACTORS) && oidc.session?.acr !== TWO_FACTORS;
}

/** A session that is used again and again is still over after a day. */
function isTooOld({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.session?.accountId !== undefined && oidc.session.past(REFRESH_ABSOLUTE_MS / 1_000);
}

export function createInteractionPolicy() {
  const policy = interactionPolicy.base();
  const login = policy.get('login');
  login?.checks.add(new Check('second_factor', 'a second factor is required', lacksSecondFactor));
  login?.checks.add(new Check('session_age', 'the session is too old', isTooOld));
  login?.checks.add(
    // Somebody who was disabled meanwhile has a session and no account.
    new Check('no_account', 'End-User authentication is required', ({ oidc }) => {
      return oidc.session?.accountId !== undefined && oidc.account === undefined;
    }),
  );
  return policy;
}
