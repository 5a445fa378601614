// Exchanges a refresh token for its successor. The sign-in's row lock makes parallel requests take turns, so that all
// who present one token get one and the same successor (docs/decisions/0127).
import type { Database } from '../../lib/database.ts';
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
  /** From the scope of the sign-in to that of the new token; throws to refuse, and the token is as good as before. */
  readonly narrowScope: (granted: string) => string;
};

/** Undefined for every token that is not good; one that was replaced long ago also ends the sign-in it belongs to. */
export async function refreshSignIn(
  database: Database,
  tokens: RefreshTokens,
  { token, clientId, narrowScope }: RefreshRequest,
): Promise<Refreshed | undefined> {
  const presented = tokens.read(token);
  if (!presented) return undefined;
  return database.asSystem(async (tx) => {
    const signIn = await lockSignIn(tx, presented.signInId);
    // Somebody else's token does the family no harm: it only shows that the sender is not its client.
    if (!signIn || signIn.clientId !== clientId) return undefined;
    const outcome = judgeRefresh(signIn, presented.count, signIn.now);
    if (outcome.kind === 'reuse') await endSignIn(tx, signIn.id);
    if (outcome.kind === 'reuse' || outcome.kind === 'over') return undefined;
    // A person or an application that was disabled gets nothing more.
    if (!(await findPerson(tx, signIn.id))) return undefined;
    const scope = narrowScope(signIn.scope);
    if (outcome.kind === 'advance') await updateRefreshCount(tx, signIn.id, outcome.count);
    const refreshToken = tokens.make(signIn.id, outcome.count);
    return { signInId: signIn.id, userId: signIn.userId, scope, refreshToken };
  });
}
