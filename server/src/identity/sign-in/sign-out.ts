// Ends a person's sign-in and the provider's session: otherwise the next sign-in would ask for nothing.
import type Provider from 'oidc-provider';
import type { Database } from '../../lib/postgres/database.ts';
import { auditPerson } from '../people/audit-person.ts';
import { endSignIn } from '../sessions/sign-in-store.ts';

export type Leaving = {
  readonly person: { readonly userId: string; readonly signInId: string } | undefined;
  /** The value of the provider's session cookie. */
  readonly sessionId: string | undefined;
};

export async function signOut(database: Database, provider: Provider, { person, sessionId }: Leaving): Promise<void> {
  const session = sessionId === undefined ? undefined : await provider.Session.find(sessionId);
  await session?.destroy();
  if (!person) return;
  const wasRunning = await database.asSystem((tx) => endSignIn(tx, person.signInId));
  if (wasRunning) await auditPerson(database, person.userId, 'person.signed-out', {});
}
