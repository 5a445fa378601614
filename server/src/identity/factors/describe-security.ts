// What the security page shows about a person, and how a person ends one of their own sign-ins.

import type { Database } from '../../lib/postgres/database.ts';
import type { FindAppName } from '../apps/find-app-name.ts';
import { hasFollowedLink } from '../first-factor/factor-link-store.ts';
import { auditPerson } from '../people/audit-person.ts';
import { findUser } from '../people/people-store.ts';
import { neededFactor } from '../rules/step-up.ts';
import type { PersonSession } from '../sessions/person-session.ts';
import { endSignIn, listRunningSignIns } from '../sessions/sign-in-store.ts';
import { findPasswordHash, getFactorSummary, getNow } from './factor-store.ts';
import { listPasskeys } from './passkey-store.ts';
import { passkeyCreation, type RelyingParty } from './passkeys.ts';
import { type SecretSeal, writeNote } from './seal-secret.ts';

export type SecurityOptions = {
  readonly database: Database;
  readonly seal: SecretSeal;
  /** Undefined where the server's address is an IP address. */
  readonly party: RelyingParty | undefined;
  readonly findAppName: FindAppName;
};

/** A note can be opened only in the sign-in it was written for. */
export const noteBinding = (kind: 'totp' | 'passkey', { userId, signInId }: PersonSession) =>
  `${kind}/${userId}/${signInId}`;

const OWN_PAGES = 'Trefoil in a browser';

export async function describeSecurity(options: SecurityOptions, session: PersonSession) {
  const { database, seal, party, findAppName } = options;
  const { userId } = session;
  const found = await database.asSystem(async (tx) => {
    const user = await findUser(tx, userId);
    if (!user) throw new Error('the person of a sign-in does not exist');
    const factors = await getFactorSummary(tx, userId);
    const hasFactor = factors.hasTotp || factors.passkeys > 0;
    const hasLink = !hasFactor && (await hasFollowedLink(tx, session));
    const needed = neededFactor({ ...session, hasFactor, hasLink }, await getNow(tx));
    const person = { userId, email: user.email, name: `${user.firstName} ${user.lastName}` };
    return {
      email: user.email,
      needed,
      hasPassword: (await findPasswordHash(tx, userId)) !== undefined,
      hasTotp: factors.hasTotp,
      recoveryCodes: factors.recoveryCodes,
      passkeys: await listPasskeys(tx, userId),
      signIns: await listRunningSignIns(tx, userId),
      creation:
        party && needed !== 'second-factor' && needed !== 'link' ? await passkeyCreation(tx, party, person) : undefined,
    };
  });
  const { creation, passkeys, signIns, ...rest } = found;
  return {
    ...rest,
    isRequired: session.lacksFactorIn.length > 0,
    passkeys: passkeys.map(({ credentialId, ...passkey }) => ({ ...passkey, id: credentialId.toString('base64url') })),
    signIns: await Promise.all(
      signIns.map(async (signIn) => ({
        ...signIn,
        appName: (await findAppName(signIn.clientId)) ?? OWN_PAGES,
        isThis: signIn.id === session.signInId,
      })),
    ),
    passkey: creation && {
      options: creation,
      note: writeNote(seal, noteBinding('passkey', session), creation.challenge, new Date()),
    },
  };
}

/** Leaves another person's sign-in unchanged, and does not reveal whether it exists. */
export async function endOwnSignIn(database: Database, { userId }: PersonSession, signInId: string): Promise<void> {
  const isEnded = await database.asSystem(async (tx) => {
    const own = await listRunningSignIns(tx, userId);
    return own.some(({ id }) => id === signInId) && endSignIn(tx, signInId);
  });
  if (isEnded) await auditPerson(database, userId, 'person.signed-out', { by: 'security-page' });
}
