// A tenant's own people make and change its credentials. Each change is one transaction within the tenant's wall, with
// its audit row; locks are taken in the order membership, credential, audit head (docs/decisions/0120, 0134).
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
import type { Database } from '../../lib/database.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { judgeKeySet } from '../../lib/public-keys.ts';
import type { Tx } from '../../lib/sql.ts';
import { hasRoomForSecret, onlyStops, scopesBeyond } from '../rules/credential.ts';
import { createCredential, rotateSecret } from './change-credential.ts';
import {
  countLiveSecrets,
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
 * What every change begins with: what the one who asks may do now, and the role of an owner to be. Read under the lock on
 * their memberships, since the token may be some seconds behind: whoever has just lost their role must not leave a
 * credential in somebody else's name.
 */
async function holdRoles(tx: Tx, { tenantId, userId, scopes }: Caller, ownerUserId = userId): Promise<Runner> {
  const roles = await lockRoles(tx, tenantId, [userId, ownerUserId]);
  const held = scopesOf(roles.get(userId));
  if (!held.has('credentials:write')) {
    throw new ServiceError('forbidden', 'Your role here may not run credentials any more.');
  }
  return { scopes: new Set([...held].filter((scope) => scopes.has(scope))), roleOf: (id) => roles.get(id) };
}

function requireScopes({ scopes }: Runner, asked: readonly Scope[]): void {
  const beyond = scopesBeyond(asked, scopes);
  if (beyond.length === 0) return;
  throw new ServiceError('forbidden', `You cannot give or change what you do not hold yourself: ${beyond.join(', ')}.`);
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

type Change = Pick<AuditEntry, 'action' | 'details'>;

/** What every change ends with: its audit row, last of the locks, and the credential as it is now. */
async function finish(tx: Tx, { tenantId, id: actor }: Caller, credentialId: string, change: Change) {
  await appendAudit(tx, [{ tenantId, actor, subjectId: credentialId, ...change }]);
  return showCredential(tx, tenantId, credentialId);
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
    const order = { tenantId, name, ownerUserId, scopes, publicKeys, isTestOnly };
    const { clientId, clientSecret } = await createCredential(tx, order);
    if (allowedNetworks) await updateCredential(tx, tenantId, clientId, { allowedNetworks });
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
    const { scopes } = await requireCredential(tx, tenantId, credentialId);
    if (!onlyStops(change)) requireScopes(runner, scopes);
    if (ownerUserId !== undefined) requireOwner(runner, ownerUserId, scopes);
    await updateCredential(tx, tenantId, credentialId, { name, isEnabled, ownerUserId, allowedNetworks });
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
      throw new ServiceError('conflict', 'Two secrets live already: end one of them, or send graceSeconds 0.');
    }
    const clientSecret = await rotateSecret(tx, { tenantId, credentialId }, graceSeconds);
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
      throw new ServiceError('conflict', 'This credential proves itself with a secret and has no keys.');
    }
    await updatePublicKeys(tx, tenantId, credentialId, keys);
    const details = { keys: keys.length };
    return finish(tx, caller, credentialId, { action: 'credential.keys-replaced', details });
  });
}
