// The provider's sign-out for a visitor who is not signed in. There is nothing to confirm and nothing to store: the library
// would store an eight-hour session with the visitor's input, for every anonymous request
// (docs/decisions/0182-signing-nobody-out.md).
import { type AdapterPayload, errors, type KoaContextWithOIDC } from 'oidc-provider';

/** An application's opaque value, by which it recognises its visitor; we return it unchanged. */
const STATE_LENGTH_MAX = 1_024;

type SignOut = { readonly state?: unknown; readonly postLogoutRedirectUri?: string };

/** A session without a person is not stored. */
export const isNobodys = (model: string, { accountId }: AdapterPayload) =>
  model === 'Session' && accountId === undefined;

/** A session holds the state of a requested sign-out. */
export function refuseLongState(model: string, { state }: AdapterPayload): void {
  const told = model === 'Session' ? (state as SignOut | undefined)?.state : undefined;
  if (typeof told === 'string' && told.length > STATE_LENGTH_MAX) throw new errors.InvalidRequest('state is too long');
}

/** Runs after the library, which has validated the request and made a sign-out form for a visitor who is not signed in. */
export async function signNobodyOut(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.path !== '/v1/oauth/logout' || ctx.status !== 200 || ctx.oidc.session?.accountId !== undefined) return;
  const { state, postLogoutRedirectUri } = (ctx.oidc.session?.state ?? {}) as SignOut;
  ctx.remove('set-cookie');
  ctx.status = 303;
  if (postLogoutRedirectUri === undefined) return ctx.redirect('/v1/auth/signed-out');
  const back = new URL(postLogoutRedirectUri);
  if (typeof state === 'string') back.searchParams.set('state', state);
  ctx.redirect(back.href);
}
