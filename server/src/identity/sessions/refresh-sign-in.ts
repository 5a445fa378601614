// Exchanges a refresh token for its successor. The lock on the sign-in's row serializes parallel requests, so that all
// requests with the same token get the same successor (docs/decisions/0127-refresh-tokens.md).
import type { Database } from '../../lib/postgres/database.ts';
import { judgeRefresh } from '../rules/refresh.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { endSignIn, findPerson, lockSignIn, updateRefreshCount } from './sign-in-store.ts';

export type Refreshed = {
  readonly signInId: string;
  readonly userId: string;
  readonly scope: string;
  readonly refreshToken: string;
};

export type RefreshRequest = {
  readonly token: string;
  readonly clientId: string;
  /** Maps the sign-in's scope to the new token's; throws to refuse, and the refresh token stays valid. */
  readonly narrowScope: (granted: string) => string;
};

/** Undefined for every invalid token; one that was replaced long ago also ends its sign-in. */
export async function refreshSignIn(
  database: Database,
  tokens: RefreshTokens,
  { token, clientId, narrowScope }: RefreshRequest,
): Promise<Refreshed | undefined> {
  const presented = tokens.read(token);
  if (!presented) return undefined;
  return database.asSystem(async (tx) => {
    const signIn = await lockSignIn(tx, presented.signInId);
    // A token sent by another client does not end the sign-in: it only shows that the sender is not its client.
    if (!signIn || signIn.clientId !== clientId) return undefined;
    const outcome = judgeRefresh(signIn, presented.count, signIn.now);
    if (outcome.kind === 'reuse') await endSignIn(tx, signIn.id);
    if (outcome.kind === 'reuse' || outcome.kind === 'over') return undefined;
    // A disabled person or application gets no more tokens.
    if (!(await findPerson(tx, signIn.id))) return undefined;
    const scope = narrowScope(signIn.scope);
    if (outcome.kind === 'advance') await updateRefreshCount(tx, signIn.id, outcome.count);
    const refreshToken = tokens.make(signIn.id, outcome.count);
    return { signInId: signIn.id, userId: signIn.userId, scope, refreshToken };
  });
}
