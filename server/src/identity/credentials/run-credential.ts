// Members create and change their tenant's credentials. Each change is one transaction under row-level security, with its
// audit row. Locks are taken in the order membership, credential, audit head (docs/decisions/0120-lock-order.md,
// 0134-credentials-by-their-tenant.md).
import {
  type ChangeCredentialRequest,
  type CreateCredentialRequest,
  type CredentialItem,
  GRACE_SECONDS_DEFAULT,
  ROLE_SCOPES,
  type Role,
  type Scope,
} from '@trefoil/contract';
import { type AuditEntry, appendAudit } from '../../audit/append-audit.ts';
import type { Caller } from '../../http/authenticate.ts';
import { judgeKeySet } from '../../lib/crypto/public-keys.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { queueTold } from '../../mail/queue-mail.ts';
import { claimKeys, hasRoomForSecret, isAgainstRefusal, onlyStops, scopesBeyond } from '../rules/credential.ts';
import { createCredential, rotateSecret } from './change-credential.ts';
import {
  countLiveSecrets,
  findOwnerEmail,
  type LockedCredential,
  lockCredential,
  lockRoles,
  updateCredential,
  updatePublicKeys,
  updateSecretEnded,
} from './credential-store.ts';
import { noCredential, showCredential } from './list-credentials.ts';

type WithSecret<Secret> = CredentialItem & { clientSecret: Secret };

function readKeys(document: object): readonly object[] {
  const judged = judgeKeySet(document, { whole: 'The set', one: 'the set' });
  if ('keys' in judged) return judged.keys;
  throw new ServiceError('validation-error', 'The request body is not valid; details lists what to correct.', {
    details: [{ path: '/publicKeys', message: judged.fault }],
  });
}

type Runner = {
  /** The caller's own scopes, which a token may have narrowed below the role. */
  readonly scopes: ReadonlySet<Scope>;
  readonly roleOf: (userId: string) => Role | undefined;
};

const scopesOf = (role: Role | undefined) => new Set<Scope>(role ? ROLE_SCOPES[role] : []);

/**
 * Every change begins here: it reads the caller's current scopes and the role of the intended owner. Both are read under the
 * lock on their memberships, since the token may be some seconds old: a member who has just lost their role must not leave
 * behind a credential in another member's name.
 */
async function holdRoles(tx: Tx, { tenantId, userId, scopes }: Caller, ownerUserId = userId): Promise<Runner> {
  const roles = await lockRoles(tx, tenantId, [userId, ownerUserId]);
  const held = scopesOf(roles.get(userId));
  if (!held.has('credentials:write')) {
    throw new ServiceError('forbidden', 'Your role no longer allows you to manage credentials.');
  }
  return { scopes: new Set([...held].filter((scope) => scopes.has(scope))), roleOf: (id) => roles.get(id) };
}

function requireScopes({ scopes }: Runner, asked: readonly Scope[]): void {
  const beyond = scopesBeyond(asked, scopes);
  if (beyond.length === 0) return;
  throw new ServiceError('forbidden', `You cannot grant or change scopes that you do not hold: ${beyond.join(', ')}.`);
}

function requireOwner({ roleOf }: Runner, userId: string, scopes: readonly Scope[]): void {
  const role = roleOf(userId);
  if (!role) throw new ServiceError('conflict', 'The owner must be an active member of this tenant.');
  const beyond = scopesBeyond(scopes, scopesOf(role));
  if (beyond.length === 0) return;
  throw new ServiceError('conflict', `The role ${role} of the owner does not include ${beyond.join(', ')}.`);
}

async function requireCredential(tx: Tx, tenantId: string, id: string): Promise<LockedCredential> {
  const credential = isUuid(id) ? await lockCredential(tx, tenantId, id) : undefined;
  if (!credential) throw noCredential();
  return credential;
}

type Notice = { readonly kind: 'credential-named' | 'credential-proof'; readonly ownerUserId: string };

/**
 * A mail informs the owner of what other members do in their name, and how to refuse it, at most 20 times a day
 * (docs/decisions/0151-what-a-member-made.md, 0271-mails-in-turn.md).
 */
async function tellOwner(tx: Tx, caller: Caller, credentialId: string, { kind, ownerUserId }: Notice): Promise<void> {
  if (ownerUserId === caller.userId) return;
  const recipient = await findOwnerEmail(tx, ownerUserId);
  if (recipient === undefined) return;
  await queueTold(tx, { kind, subjectId: credentialId, recipient, tenantId: caller.tenantId }, ownerUserId);
}

type Change = Pick<AuditEntry, 'action' | 'details'>;

/** Every change ends here: with its audit row, which is the last lock, and with the credential's current state. */
async function finish(tx: Tx, caller: Caller, credentialId: string, change: Change) {
  await appendAudit(tx, [{ tenantId: caller.tenantId, actor: caller.id, subjectId: credentialId, ...change }]);
  return showCredential(tx, caller, credentialId);
}

export async function makeCredential(
  database: Database,
  caller: Caller,
  request: CreateCredentialRequest,
): Promise<WithSecret<string | undefined>> {
  const { tenantId } = caller;
  const { name, scopes, ownerUserId = caller.userId, isTestOnly = false, allowedNetworks } = request;
  const publicKeys = request.publicKeys && readKeys(request.publicKeys);
  return database.forTenants([tenantId], async (tx) => {
    const runner = await holdRoles(tx, caller, ownerUserId);
    requireScopes(runner, scopes);
    requireOwner(runner, ownerUserId, scopes);
    const order = { tenantId, name, ownerUserId, scopes, publicKeys, isTestOnly, madeBy: caller.userId };
    const { clientId, clientSecret } = await createCredential(tx, order);
    if (allowedNetworks) await updateCredential(tx, tenantId, clientId, { allowedNetworks });
    await tellOwner(tx, caller, clientId, { kind: 'credential-named', ownerUserId });
    const details = { ownerUserId, scopes, isTestOnly, networks: allowedNetworks?.length ?? 0 };
    const item = await finish(tx, caller, clientId, { action: 'credential.created', details });
    return { ...item, clientSecret };
  });
}

export async function changeCredential(
  database: Database,
  caller: Caller,
  credentialId: string,
  change: ChangeCredentialRequest,
): Promise<CredentialItem> {
  const { tenantId } = caller;
  const { name, isEnabled, allowedNetworks, ownerUserId } = change;
  return database.forTenants([tenantId], async (tx) => {
    const runner = await holdRoles(tx, caller, ownerUserId);
    const credential = await requireCredential(tx, tenantId, credentialId);
    const { scopes } = credential;
    if (!onlyStops(change)) requireScopes(runner, scopes);
    if (ownerUserId !== undefined) requireOwner(runner, ownerUserId, scopes);
    if (isAgainstRefusal(change, { ...credential, callerUserId: caller.userId })) {
      throw new ServiceError('conflict', 'The owner refused this credential: name another owner.');
    }
    const takesBack = credential.refusedBy === caller.userId && !onlyStops(change) && { refusedBy: null };
    const next = { name, isEnabled, ownerUserId, allowedNetworks, ...takesBack };
    await updateCredential(tx, tenantId, credentialId, next);
    if (ownerUserId !== undefined && ownerUserId !== credential.ownerUserId) {
      await tellOwner(tx, caller, credentialId, { kind: 'credential-named', ownerUserId });
    }
    const fields = Object.keys({ name, isEnabled, allowedNetworks, ownerUserId }).filter((field) => field in change);
    const details = {
      fields,
      ...(isEnabled !== undefined && { isEnabled }),
      ...(ownerUserId !== undefined && { ownerUserId }),
      ...(allowedNetworks !== undefined && { networks: allowedNetworks?.length ?? 0 }),
    };
    return finish(tx, caller, credentialId, { action: 'credential.changed', details });
  });
}

export async function addSecret(
  database: Database,
  caller: Caller,
  credentialId: string,
  graceSeconds: number = GRACE_SECONDS_DEFAULT,
): Promise<WithSecret<string>> {
  const { tenantId } = caller;
  return database.forTenants([tenantId], async (tx) => {
    const runner = await holdRoles(tx, caller);
    const credential = await requireCredential(tx, tenantId, credentialId);
    requireScopes(runner, credential.scopes);
    if (credential.authMethod === 'private_key_jwt') {
      throw new ServiceError('conflict', 'This credential signs with its own keys and has no secret.');
    }
    if (!hasRoomForSecret(await countLiveSecrets(tx, tenantId, credentialId), graceSeconds)) {
      const words = 'A credential has two secrets at most: end one of them, or send graceSeconds 0, which ends both.';
      throw new ServiceError('conflict', words);
    }
    const order = { tenantId, credentialId, madeBy: caller.userId };
    const clientSecret = await rotateSecret(tx, order, graceSeconds);
    await tellOwner(tx, caller, credentialId, { kind: 'credential-proof', ownerUserId: credential.ownerUserId });
    const details = { graceSeconds };
    const item = await finish(tx, caller, credentialId, { action: 'credential.secret-added', details });
    return { ...item, clientSecret };
  });
}

export async function endSecret(
  database: Database,
  caller: Caller,
  credentialId: string,
  secretId: string,
): Promise<CredentialItem> {
  const { tenantId } = caller;
  return database.forTenants([tenantId], async (tx) => {
    await holdRoles(tx, caller);
    await requireCredential(tx, tenantId, credentialId);
    const isEnded = isUuid(secretId) && (await updateSecretEnded(tx, tenantId, credentialId, secretId));
    if (!isEnded) throw new ServiceError('not-found', 'The credential has no live secret with this id.');
    return finish(tx, caller, credentialId, { action: 'credential.secret-ended', details: { secretId } });
  });
}

export async function replaceKeys(
  database: Database,
  caller: Caller,
  credentialId: string,
  document: object,
): Promise<CredentialItem> {
  const { tenantId } = caller;
  const keys = readKeys(document);
  return database.forTenants([tenantId], async (tx) => {
    const runner = await holdRoles(tx, caller);
    const credential = await requireCredential(tx, tenantId, credentialId);
    requireScopes(runner, credential.scopes);
    if (credential.authMethod !== 'private_key_jwt') {
      throw new ServiceError('conflict', 'This credential authenticates with a secret and has no keys.');
    }
    const claimed = claimKeys(keys, credential.publicKeys ?? [], caller.userId);
    await updatePublicKeys(tx, tenantId, credentialId, claimed);
    await tellOwner(tx, caller, credentialId, { kind: 'credential-proof', ownerUserId: credential.ownerUserId });
    const details = { keys: keys.length };
    return finish(tx, caller, credentialId, { action: 'credential.keys-replaced', details });
  });
}
