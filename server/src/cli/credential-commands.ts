// Credentials: the client ids and secrets with which a tenant's servers get tokens. Only the output of the command that
// makes a secret contains it.
import { ROLE_SCOPES, type Role, type Scope } from '@trefoil/contract';
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import {
  countLiveSecrets,
  createCredential,
  enableCredential,
  findCredential,
  hasRoomForSecret,
  holdCredential,
  listCredentialStates,
  rotateSecret,
} from '../identity/credentials/change-credential.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { findRole } from '../tenants/change-tenant.ts';
import { type Answer, defineCommand, Refusal } from './command.ts';
import { file, flag, id, integer, optional, required, scopes, tenantRef, text } from './options.ts';
import { day, inWords, state, table } from './print.ts';
import { readPublicKeys } from './public-keys.ts';
import { missing, requireTenant, requireUser } from './require-found.ts';

const GRACE_HOURS_DEFAULT = 24;
const GRACE_HOURS_MAX = 720;
const SHOWN_ONCE = 'The secret is shown only once: store it now.';
const credential = required(id, 'The credential, by its client id.');

/**
 * A credential must not be able to do more than the person who answers for it
 * (docs/decisions/0026-account-calls-with-credentials.md, 0027-scopes-and-roles.md).
 */
function scopesWithin(ownerRole: Role, asked: readonly Scope[] | undefined): readonly Scope[] {
  const held: readonly Scope[] = ROLE_SCOPES[ownerRole];
  const beyond = (asked ?? []).filter((scope) => !held.includes(scope));
  if (beyond.length === 0) return asked ?? held;
  throw new Refusal(`The owner's role ${ownerRole} does not include ${inWords(beyond)}; it has ${inWords(held)}.`);
}

async function requireOwnerRole(tx: Tx, tenantId: string, userId: string): Promise<Role> {
  await requireTenant(tx, tenantId);
  const owner = await requireUser(tx, userId);
  const ownerRole = await findRole(tx, tenantId, userId);
  if (!ownerRole) {
    throw new Refusal(`User ${userId} is not a member of tenant ${tenantId}; 'membership create' makes them one.`);
  }
  if (!owner.isEnabled) {
    throw new Refusal(`User ${userId} is disabled, so the credential would not work; choose another owner.`);
  }
  return ownerRole;
}

/** Why an enabled credential would still get no token. */
function obstacle(isTenantEnabled: boolean, isOwnerActive: boolean): string | undefined {
  if (!isTenantEnabled) return 'tenant disabled';
  return isOwnerActive ? undefined : 'owner disabled or gone';
}

/** A change and its audit row, in one transaction under the tenant's row-level security. */
function change<T>(database: Database, entry: Omit<AuditEntry, 'actor'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.forTenants([entry.tenantId], async (tx) => {
    const result = await work(tx);
    await appendAudit(tx, [{ ...entry, actor: 'operator' }]);
    return result;
  });
}

async function requireCredential(database: Database, credentialId: string) {
  const client = await database.asSystem((tx) => findCredential(tx, credentialId));
  if (!client) throw missing('credential', credentialId);
  return client;
}

async function setEnabled(database: Database, credentialId: string, isEnabled: boolean): Promise<Answer> {
  const { tenantId } = await requireCredential(database, credentialId);
  const details = { fields: ['isEnabled'], isEnabled };
  await change(database, { tenantId, action: 'credential.changed', subjectId: credentialId, details }, (tx) =>
    enableCredential(tx, credentialId, isEnabled),
  );
  const client = await requireCredential(database, credentialId);
  // Here the client's flag includes its owner's, and the credential itself has just been enabled.
  const blockedBy = isEnabled ? obstacle(client.isTenantEnabled, client.isEnabled) : undefined;
  const works = blockedBy ? `It still gets no token: ${blockedBy}.` : 'It works again within seconds.';
  const effect = isEnabled ? works : 'It gets no new token, and its running tokens stop within seconds.';
  return {
    text: `Credential ${credentialId} is ${state(isEnabled)}. ${effect}`,
    data: { credentialId, isEnabled, ...(blockedBy && { blockedBy }) },
  };
}

const createCommand = defineCommand({
  noun: 'credential',
  verb: 'create',
  summary: 'Create a credential for a tenant and show its secret once.',
  notes:
    'The owner is the person responsible for the credential; they must be a member of the tenant. With --public-keys\n' +
    'the client signs assertions with its own key (private_key_jwt) and there is no secret.',
  options: {
    tenant: required(tenantRef, 'The tenant it works in.'),
    owner: required(id, 'The user responsible for it.'),
    name: required(text, 'What it is for.'),
    scopes: optional(scopes, "What it may do (default: all scopes of the owner's role)."),
    'test-only': flag('It works only in test mode. This cannot be changed later.'),
    'public-keys': optional(file, 'A JSON Web Key Set with public keys (EC P-256, Ed25519 or RSA).'),
  },
  example:
    'credential create --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 ' +
    "--owner 01997c2f-03b4-7e52-8a1d-6c9f40e2b718 --name 'Claims portal'",
  async run(database, values) {
    const { tenant: tenantId, owner: ownerUserId, name, 'public-keys': path } = values;
    const publicKeys = path === undefined ? undefined : await readPublicKeys(path);
    const isTestOnly = values['test-only'];
    const ownerRole = await database.asSystem((tx) => requireOwnerRole(tx, tenantId, ownerUserId));
    const granted = scopesWithin(ownerRole, values.scopes);
    const order = { tenantId, ownerUserId, name, scopes: granted, publicKeys, isTestOnly };
    const { clientId, clientSecret } = await database.forTenants([tenantId], async (tx) => {
      const created = await createCredential(tx, order);
      const details = { ownerUserId, scopes: granted, isTestOnly, networks: 0 };
      const subject = { actor: 'operator', action: 'credential.created' as const, subjectId: created.clientId };
      await appendAudit(tx, [{ tenantId, ...subject, details }]);
      return created;
    });
    const proof = clientSecret
      ? [`  Client secret   ${clientSecret}`, '', SHOWN_ONCE]
      : ['', 'It has no secret: the client signs with its own key.'];
    return {
      text: [
        'Created a credential.',
        '',
        `  Tenant          ${tenantId}`,
        `  Client id       ${clientId}`,
        `  Scopes          ${granted.join(' ')}`,
        ...proof,
      ].join('\n'),
      data: { tenantId, clientId, ...(clientSecret && { clientSecret }), scopes: granted },
    };
  },
});

const listCommand = defineCommand({
  noun: 'credential',
  verb: 'list',
  summary: 'Show the credentials of a tenant, without their secrets.',
  notes: 'SECRETS counts the secrets that work now: two during the grace time of a rotation.',
  options: { tenant: required(tenantRef, 'The tenant, by its id or its name.') },
  example: 'credential list --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
  async run(database, { tenant: tenantId }) {
    const credentials = await database.asSystem(async (tx) => {
      await requireTenant(tx, tenantId);
      return listCredentialStates(tx, tenantId);
    });
    const lines = credentials.map((each) => [
      each.id,
      each.name,
      each.isEnabled ? (obstacle(each.isTenantEnabled, each.isOwnerActive) ?? 'enabled') : 'disabled',
      each.authMethod === 'private_key_jwt' ? 'own keys' : String(each.liveSecrets),
      each.ownerEmail,
      day(each.createdAt),
      each.scopes.join(' '),
    ]);
    const headings = ['CLIENT ID', 'NAME', 'STATE', 'SECRETS', 'OWNER', 'CREATED', 'SCOPES'];
    const none = "The tenant has no credentials yet; 'credential create' makes one.";
    return { text: lines.length > 0 ? table(headings, lines) : none, data: { credentials } };
  },
});

const rotateCommand = defineCommand({
  noun: 'credential',
  verb: 'rotate',
  summary: 'Give a credential a new secret and let the old ones end.',
  notes:
    'The new secret works at once. A token lives up to 15 minutes, even if its secret ends sooner: when a secret has\n' +
    'leaked, disable the credential, rotate with --grace-hours 0 and enable it 15 minutes later.',
  options: {
    credential,
    'grace-hours': optional(
      integer(0, GRACE_HOURS_MAX),
      `How long the old secrets keep working (default ${GRACE_HOURS_DEFAULT}); 0 ends them now.`,
    ),
  },
  example: 'credential rotate --credential 01997c30-7d21-7f08-b6e5-91a2c4d8e03f --grace-hours 48',
  async preview(database, { credential: credentialId, 'grace-hours': graceHours }) {
    await requireCredential(database, credentialId);
    return graceHours === 0
      ? `All secrets of credential ${credentialId} would end now: clients get no token until they have the new secret.`
      : undefined;
  },
  async run(database, { credential: credentialId, 'grace-hours': asked }) {
    const graceHours = asked ?? GRACE_HOURS_DEFAULT;
    const graceSeconds = graceHours * 3_600;
    const client = await requireCredential(database, credentialId);
    if (client.authMethod === 'private_key_jwt') {
      throw new Refusal(
        `Credential ${credentialId} signs with its own keys and has no secret; ` +
          "make another with 'credential create --public-keys', then disable this one.",
      );
    }
    const { tenantId } = client;
    const entry = {
      tenantId,
      action: 'credential.secret-added' as const,
      subjectId: credentialId,
      details: { graceSeconds },
    };
    const clientSecret = await change(database, entry, async (tx) => {
      await holdCredential(tx, tenantId, credentialId);
      if (!hasRoomForSecret(await countLiveSecrets(tx, tenantId, credentialId), graceSeconds)) {
        throw new Refusal(
          'The credential already has two live secrets, the maximum: wait until the older one ends, or end both with --grace-hours 0.',
        );
      }
      return rotateSecret(tx, { tenantId, credentialId }, graceSeconds);
    });
    const canWork = client.isEnabled && client.isTenantEnabled;
    const old =
      graceHours === 0
        ? 'The old secrets no longer work. Tokens that they got expire within 15 minutes.'
        : `The old secrets keep working for ${graceHours} ${graceHours === 1 ? 'hour' : 'hours'} at most.`;
    return {
      text: [
        `Credential ${credentialId} has a new secret.`,
        '',
        `  Client secret   ${clientSecret}`,
        '',
        `${SHOWN_ONCE} ${old}`,
        ...(canWork ? [] : ["It gets no token yet: 'credential list' says what is disabled."]),
      ].join('\n'),
      data: { clientId: credentialId, clientSecret, graceHours },
    };
  },
});

export const CREDENTIAL_COMMANDS = [
  createCommand,
  listCommand,
  defineCommand({
    noun: 'credential',
    verb: 'disable',
    summary: 'Stop a credential and its running tokens.',
    notes: 'Nothing is deleted; credential enable undoes it.',
    options: { credential },
    example: 'credential disable --credential 01997c30-7d21-7f08-b6e5-91a2c4d8e03f',
    run: (database, values) => setEnabled(database, values.credential, false),
  }),
  defineCommand({
    noun: 'credential',
    verb: 'enable',
    summary: 'Let a disabled credential work again.',
    options: { credential },
    example: 'credential enable --credential 01997c30-7d21-7f08-b6e5-91a2c4d8e03f',
    run: (database, values) => setEnabled(database, values.credential, true),
  }),
  rotateCommand,
];
