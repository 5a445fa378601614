// A signed-in person changes how they sign in. Each change ends their other sign-ins and queues a mail to them in the same
// transaction, and goes to the audit log.
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { hasFollowedLink, lockPerson, updateLinksUsed } from '../first-factor/factor-link-store.ts';
import { tellOwners } from '../first-factor/factor-links.ts';
import { auditPerson } from '../people/audit-person.ts';
import { findUser } from '../people/people-store.ts';
import { findPasswordFault, type PasswordFault } from '../rules/password.ts';
import { neededFactor } from '../rules/step-up.ts';
import type { PersonSession } from '../sessions/person-session.ts';
import { endOtherSignIns } from '../sessions/sign-in-store.ts';
import type { IsBreached } from './breached-passwords.ts';
import { hashPassword, setPasswordHash } from './change-password.ts';
import type { CheckPassword } from './check-password.ts';
import type { SecondFactorOptions } from './check-second-factor.ts';
import { confirmPassword } from './confirm-password.ts';
import { deleteTotp, getFactorSummary, getNow, getRecoveryMark, replaceRecoveryCodes } from './factor-store.ts';
import { deletePasskey } from './passkey-store.ts';
import { addPasskey, type RelyingParty } from './passkeys.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { addTotp } from './totp.ts';

export type FactorDependencies = SecondFactorOptions & {
  readonly checkPassword: CheckPassword;
  readonly isBreached: IsBreached;
};

type Change = 'password-changed' | 'factor-changed';

/** The sign-in that made the change continues; `undefined` ends all of them. */
export async function finishChange(
  tx: Tx,
  person: { readonly userId: string; readonly signInId: string | undefined },
  kind: Change,
): Promise<void> {
  await endOtherSignIns(tx, person.userId, person.signInId);
  const user = await findUser(tx, person.userId);
  if (user) await queueMail(tx, { kind, subjectId: person.userId, recipient: user.email });
}

export type ChosenPasswordFault = PasswordFault | 'breached';

export async function judgeNewPassword(
  isBreached: IsBreached,
  password: string,
  email: string,
): Promise<ChosenPasswordFault | undefined> {
  return findPasswordFault(password, email) ?? ((await isBreached(password)) ? 'breached' : undefined);
}

export type PasswordChange = { readonly current: string; readonly chosen: string; readonly ip: string };

export type PasswordOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number }
  | { readonly kind: 'refused'; readonly fault: ChosenPasswordFault };

export async function changePassword(
  dependencies: FactorDependencies,
  session: PersonSession,
  { current, chosen, ip }: PasswordChange,
): Promise<PasswordOutcome> {
  const { database, isBreached } = dependencies;
  const user = await database.asSystem((tx) => findUser(tx, session.userId));
  if (!user) throw new Error('the person of a sign-in does not exist');
  const verdict = await confirmPassword(dependencies, user.id, { email: user.email, password: current, ip });
  if (verdict.kind === 'locked') return verdict;
  if (verdict.kind === 'wrong') return { kind: 'wrong' };
  const fault = await judgeNewPassword(isBreached, chosen, user.email);
  if (fault) return { kind: 'refused', fault };
  const passwordHash = await hashPassword(chosen);
  await database.asSystem(async (tx) => {
    await setPasswordHash(tx, user.id, passwordHash);
    await finishChange(tx, session, 'password-changed');
  });
  await auditPerson(database, user.id, 'password.changed');
  return { kind: 'changed' };
}

export type FactorAdded =
  | { readonly kind: 'added'; readonly recoveryCodes: readonly string[] }
  /** The code or the passkey was not right. */
  | { readonly kind: 'wrong' }
  /** The person has no factor, and this sign-in has followed no link; or they have one, and this sign-in has not just proved it. */
  | { readonly kind: 'unproved' };

/** Judged under the lock on the person: of two first factors at once, the later one is a second one and needs the first. */
async function mayAdd(tx: Tx, session: PersonSession, isFirst: boolean): Promise<boolean> {
  if (isFirst) return hasFollowedLink(tx, session);
  return neededFactor({ ...session, hasFactor: true, hasLink: false }, await getNow(tx)) === 'none';
}

async function addFactor(
  dependencies: FactorDependencies,
  session: PersonSession,
  factor: string,
  add: (tx: Tx) => Promise<boolean>,
): Promise<FactorAdded> {
  const { database, hashRecoveryCode } = dependencies;
  const { userId } = session;
  const outcome = await database.asSystem(async (tx): Promise<FactorAdded> => {
    await lockPerson(tx, userId);
    const { hasTotp, passkeys, recoveryCodes: left } = await getFactorSummary(tx, userId);
    const isFirst = !hasTotp && passkeys === 0;
    if (!(await mayAdd(tx, session, isFirst))) return { kind: 'unproved' };
    if (!(await add(tx))) return { kind: 'wrong' };
    if (isFirst) {
      await updateLinksUsed(tx, userId);
      await tellOwners(tx, userId);
    }
    await finishChange(tx, session, 'factor-changed');
    // For the day they lose their factor.
    return { kind: 'added', recoveryCodes: left > 0 ? [] : await makeRecoveryCodes(tx, hashRecoveryCode, userId) };
  });
  if (outcome.kind === 'added') await auditPerson(database, userId, 'factor.added', { factor });
  return outcome;
}

export async function enrolTotp(
  dependencies: FactorDependencies,
  session: PersonSession,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<FactorAdded> {
  const { userId } = session;
  return addFactor(dependencies, session, 'totp', async (tx) =>
    addTotp(tx, dependencies.seal, secret, { userId, code, now: await getNow(tx) }),
  );
}

export type PasskeyAnswer = {
  readonly party: RelyingParty;
  readonly challenge: string;
  readonly answer: string;
  readonly name: string;
};

export async function enrolPasskey(
  dependencies: FactorDependencies,
  session: PersonSession,
  { name, ...answered }: PasskeyAnswer,
): Promise<FactorAdded> {
  return addFactor(dependencies, session, 'passkey', (tx) =>
    addPasskey(tx, answered, { userId: session.userId, name }),
  );
}

/** Removing the last factor removes the recovery codes: alone they would be a password the person never remembers. */
async function removeFactor(
  database: Database,
  session: PersonSession,
  factor: string,
  remove: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const { userId } = session;
  const isRemoved = await database.asSystem(async (tx) => {
    await lockPerson(tx, userId);
    if (!(await remove(tx))) return false;
    const { hasTotp, passkeys } = await getFactorSummary(tx, userId);
    if (!hasTotp && passkeys === 0) await replaceRecoveryCodes(tx, userId);
    await finishChange(tx, session, 'factor-changed');
    return true;
  });
  if (isRemoved) await auditPerson(database, userId, 'factor.removed', { factor });
  return isRemoved;
}

export async function removeTotp(database: Database, session: PersonSession): Promise<boolean> {
  return removeFactor(database, session, 'totp', (tx) => deleteTotp(tx, session.userId));
}

export async function removePasskey(database: Database, session: PersonSession, credentialId: Buffer) {
  return removeFactor(database, session, 'passkey', (tx) => deletePasskey(tx, session.userId, credentialId));
}

export type CodesRenewed =
  | { readonly kind: 'renewed'; readonly codes: readonly string[] }
  /** The person has no factor to recover. */
  | { readonly kind: 'no-factor' }
  /** Another request changed the codes at the same moment: those that it showed must not stop working unseen. */
  | { readonly kind: 'overtaken' };

export async function renewRecoveryCodes(
  dependencies: FactorDependencies,
  session: PersonSession,
): Promise<CodesRenewed> {
  const { database, hashRecoveryCode } = dependencies;
  const { userId } = session;
  const outcome = await database.asSystem(async (tx): Promise<CodesRenewed> => {
    const mark = await getRecoveryMark(tx, userId);
    await lockPerson(tx, userId);
    const { hasTotp, passkeys } = await getFactorSummary(tx, userId);
    if (!hasTotp && passkeys === 0) return { kind: 'no-factor' };
    if ((await getRecoveryMark(tx, userId)) !== mark) return { kind: 'overtaken' };
    const codes = await makeRecoveryCodes(tx, hashRecoveryCode, userId);
    await finishChange(tx, session, 'factor-changed');
    return { kind: 'renewed', codes };
  });
  if (outcome.kind === 'renewed') await auditPerson(database, userId, 'factor.added', { factor: 'recovery-codes' });
  return outcome;
}
