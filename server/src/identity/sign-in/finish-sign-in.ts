// The browser returns with a code: this exchanges it and ends the sign-in it replaces. A browser without the cookie of
// the sign-in it began, or without a response made for it, is refused.
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { ServiceError } from '../../lib/errors.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { RefreshTokens } from '../sessions/refresh-tokens.ts';
import { endSignIn } from '../sessions/sign-in-store.ts';
import { readLoginCookie } from './start-sign-in.ts';
import type { SignInTokens, WebClient } from './web-client.ts';

export type FinishDependencies = {
  readonly database: Database;
  readonly webClient: WebClient;
  readonly refreshTokens: RefreshTokens;
};

export type SignInAnswer = {
  readonly answer: URL;
  readonly state: string;
  readonly cookie: string | undefined;
  readonly oldRefreshToken: string | undefined;
};

function refusal(cause: unknown): ServiceError {
  const isCancelled = cause instanceof AuthorizationResponseError && cause.error === 'access_denied';
  const sentence = isCancelled
    ? 'The sign-in was cancelled.'
    : 'The sign-in could not be finished: it took too long, or was started in another browser. Start again.';
  return new ServiceError('validation-error', sentence, { cause });
}

/** The provider's error codes for an unavailable database. */
const AWAY = new Set(['server_error', 'temporarily_unavailable']);
const RETRY_AFTER_SECONDS = 2;

/** Separates an invalid response, which the client library throws, from a failure of the exchange itself. */
function isRefusal(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError) return !AWAY.has(error.error);
  if (error instanceof ResponseBodyError) return error.status < 500;
  return error instanceof ClientError;
}

export async function finishSignIn(
  { database, webClient, refreshTokens }: FinishDependencies,
  { answer, state, cookie, oldRefreshToken }: SignInAnswer,
): Promise<{ tokens: SignInTokens; returnTo: string }> {
  const started = cookie === undefined ? undefined : readLoginCookie(cookie, state);
  if (!started) throw refusal(undefined);
  const tokens = await webClient.exchange(answer, state).catch((error: unknown) => {
    if (isRefusal(error)) throw refusal(error);
    const when = { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS };
    throw new ServiceError('service-unavailable', undefined, when);
  });
  const old = oldRefreshToken === undefined ? undefined : refreshTokens.read(oldRefreshToken);
  // This response makes the browser delete the old tokens, and no other client should have them.
  if (old) await database.asSystem((tx) => endSignIn(tx, old.signInId));
  return { tokens, returnTo: started.returnTo };
}
