// API credentials as their tenant manages them: create, list, change, add secrets and keys. Only the response that
// creates a secret contains it (docs/decisions/0134-credentials-by-their-tenant.md).
import { type Static, Type } from 'typebox';
import * as examples from './credential-examples.ts';
import { pageOf, unmetered } from './envelope.ts';
import type { Operation } from './operation.ts';
import { cursor, limit } from './queries.ts';
import { GivenId, Instant, NO_CONTROL, oneOf, orNull, text, Uuid } from './schema.ts';
import { SCOPES } from './scopes.ts';

export const GRACE_SECONDS_DEFAULT = 86_400;
export const GRACE_SECONDS_MAX = 2_592_000;
const NETWORKS_MAX = 50;
const NAME_MAX = 200;

const name = Type.String({ ...text('What it is for.', NAME_MAX), pattern: NO_CONTROL });
const networks = Type.Array(Type.String({ format: 'network', maxLength: 50 }), {
  minItems: 1,
  maxItems: NETWORKS_MAX,
  uniqueItems: true,
  description: 'The only networks it may be used from: IPv4 or IPv6, as an address or with a prefix length.',
});
const publicKeys = Type.Object(
  // Said, or generators take an object without fields for one that may have none.
  { keys: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: 10 }) },
  { description: 'A JSON Web Key Set of public keys: EC P-256, Ed25519 or RSA from 2,048 bits.' },
);

export const CreateCredentialRequest = Type.Object({
  name,
  scopes: Type.Array(oneOf(SCOPES), {
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    description: "What it may do: no more than your token and its owner's role may.",
  }),
  ownerUserId: Type.Optional(GivenId('The member who is accountable for it; you, if left out.')),
  publicKeys: Type.Optional(publicKeys),
  allowedNetworks: Type.Optional(networks),
  isTestOnly: Type.Optional(
    Type.Boolean({ description: 'True: the credential works only in test mode. This can never be changed.' }),
  ),
});

export const ChangeCredentialRequest = Type.Object(
  {
    name: Type.Optional(name),
    isEnabled: Type.Optional(
      Type.Boolean({ description: 'False: the credential and its tokens stop within seconds.' }),
    ),
    allowedNetworks: Type.Optional(
      orNull(networks, {
        description: 'The only networks it may be used from; null for anywhere.',
        'x-message': `Give 1 to ${NETWORKS_MAX} different networks such as 192.0.2.0/24 or 2001:db8::/48, or null.`,
      }),
    ),
    ownerUserId: Type.Optional(GivenId('The member who is accountable for it from now on.')),
  },
  { minProperties: 1 },
);

export const AddSecretRequest = Type.Object({
  graceSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: GRACE_SECONDS_MAX,
      description: `How long the older secret keeps working: ${GRACE_SECONDS_DEFAULT} (a day) if left out; 0 ends it now.`,
    }),
  ),
});

export const ReplaceKeysRequest = Type.Object({ publicKeys });

const madeBy = orNull(Uuid('The member who made it: it ends when they are removed.'), {
  description: 'Null when the operator of the service made it, or when it is older than this record.',
});

export const CredentialSecret = Type.Object({
  id: Uuid('The secret. Use this id to end it.'),
  createdAt: Instant('When it was made.'),
  endsAt: orNull(Instant('When it stops working.'), { description: 'Null while no end is set.' }),
  madeBy,
});

export const CredentialKey = Type.Object({
  keyId: orNull(Type.String(), { description: 'Its `kid`; null where it has none.' }),
  madeBy,
});

export const CredentialItem = Type.Object({
  id: Uuid('The client id.'),
  name: Type.String(),
  authMethod: oneOf(['client_secret', 'private_key_jwt'] as const, {
    description: 'How it authenticates at the token endpoint.',
  }),
  scopes: Type.Array(oneOf(SCOPES), { description: 'What it was given.' }),
  ownerUserId: Uuid('The member who is accountable for it.'),
  isOwnerActive: Type.Boolean({
    description: 'False when the owner was disabled or has left: it does not work until it has another owner.',
  }),
  isEnabled: Type.Boolean(),
  isTestOnly: Type.Boolean(),
  allowedNetworks: orNull(Type.Array(Type.String()), { description: 'Null: any network.' }),
  secrets: Type.Array(CredentialSecret, { description: 'The secrets that work now, newest first; at most two.' }),
  keyIds: Type.Array(orNull(Type.String()), { description: 'The `kid` of each public key; null where it has none.' }),
  keys: Type.Array(CredentialKey, {
    description: 'The public keys in the same order, with the member who added each.',
  }),
  isRefused: Type.Boolean({
    description: 'True when its owner refused it: it stays disabled until it has another owner.',
  }),
  createdAt: Instant('When it was made.'),
  lastUsedAt: orNull(Instant('When it was last used, to the minute.'), { description: 'Null when it was never used.' }),
});

const clientSecret = Type.String({ description: 'Shown only in this answer.' });

export const CredentialsResponse = pageOf(CredentialItem);
export const CredentialResponse = unmetered(CredentialItem);
export const CreatedCredentialResponse = unmetered(
  Type.Object({ ...CredentialItem.properties, clientSecret: Type.Optional(clientSecret) }),
);
export const AddedSecretResponse = unmetered(Type.Object({ ...CredentialItem.properties, clientSecret }));

export const CredentialsQuery = Type.Object({ limit, cursor });

export type CreateCredentialRequest = Static<typeof CreateCredentialRequest>;
export type ChangeCredentialRequest = Static<typeof ChangeCredentialRequest>;
export type CredentialItem = Static<typeof CredentialItem>;
export type CredentialsPage = Static<typeof CredentialsResponse>['data'];
export type CredentialsQuery = Static<typeof CredentialsQuery>;

const shared = { tag: 'Credentials', scope: 'credentials:write', idempotent: false } as const;
const one = '/:tenantId/v1/credentials/:credentialId';

export const credentialOperations = {
  listCredentials: {
    ...shared,
    method: 'GET',
    path: '/:tenantId/v1/credentials',
    summary: 'List the API credentials',
    description:
      'All credentials of the tenant, newest first. Live secrets appear by their ids, never by their values. A credential for test ' +
      'mode alone finds those for test mode alone.',
    query: CredentialsQuery,
    response: CredentialsResponse,
    responseExamples: examples.credentialsExamples,
    errors: [],
  },
  createCredential: {
    ...shared,
    method: 'POST',
    path: '/:tenantId/v1/credentials',
    summary: 'Create an API credential',
    description:
      'Creates a credential for one of your servers. With `publicKeys` it signs assertions (private_key_jwt) and has no ' +
      'secret. Without them, this answer holds its first secret, and no later answer does. This operation takes no ' +
      '`Idempotency-Key`: the same request sent twice creates two credentials.',
    needsStepUp: true,
    body: CreateCredentialRequest,
    bodyExamples: examples.createCredentialExamples,
    response: CreatedCredentialResponse,
    responseExamples: examples.createdCredentialExamples,
    errors: ['step-up-required', 'conflict'],
  },
  getCredential: {
    ...shared,
    method: 'GET',
    path: one,
    summary: 'Read an API credential',
    description: 'One credential as in the list.',
    response: CredentialResponse,
    responseExamples: examples.credentialExamples,
    errors: ['not-found'],
  },
  changeCredential: {
    ...shared,
    method: 'PATCH',
    path: one,
    summary: 'Change an API credential',
    description:
      'Changes the fields that are sent and leaves the others. The caller must hold all scopes of the credential, except ' +
      'to disable it. A change takes effect within seconds.',
    needsStepUp: true,
    body: ChangeCredentialRequest,
    bodyExamples: examples.changeCredentialExamples,
    response: CredentialResponse,
    responseExamples: examples.credentialExamples,
    errors: ['step-up-required', 'not-found', 'conflict'],
  },
  addCredentialSecret: {
    ...shared,
    method: 'POST',
    path: `${one}/secrets`,
    summary: 'Add a secret',
    description:
      'The new secret works at once, and the older one ends after the grace time. A credential has two secrets at most: ' +
      'while two work, another is 409, unless `graceSeconds` is 0, which ends both older ones.',
    needsStepUp: true,
    body: AddSecretRequest,
    bodyExamples: examples.addSecretExamples,
    response: AddedSecretResponse,
    responseExamples: examples.addedSecretExamples,
    errors: ['step-up-required', 'not-found', 'conflict'],
  },
  endCredentialSecret: {
    ...shared,
    method: 'DELETE',
    path: `${one}/secrets/:secretId`,
    summary: 'End a secret now',
    description:
      'The secret gets no more tokens. Tokens that it already got expire within 15 minutes; disable the credential to ' +
      'stop them at once.',
    needsStepUp: true,
    response: CredentialResponse,
    responseExamples: examples.credentialExamples,
    errors: ['step-up-required', 'not-found'],
  },
  replaceCredentialKeys: {
    ...shared,
    method: 'POST',
    path: `${one}/public-keys`,
    summary: 'Replace the public keys',
    description:
      'Replaces all keys of a credential that signs assertions. Send the old key with the new one while both are in use.',
    needsStepUp: true,
    body: ReplaceKeysRequest,
    bodyExamples: examples.replaceKeysExamples,
    response: CredentialResponse,
    responseExamples: examples.signingCredentialExamples,
    errors: ['step-up-required', 'not-found', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
