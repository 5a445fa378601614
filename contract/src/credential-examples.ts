// Examples for the operations on API credentials.
import type { Examples } from './examples.ts';

const unmetered = (data: object) => ({ meta: { request: { timeTakenMs: 6 } }, data });

const publicKeys = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kid: 'claims-2026',
    },
  ],
};
const madeBy = '01997c2f-03b4-7e52-8a1d-6c9f40e2b718';
const secret = {
  id: '01998a3f-2b10-7d41-8e52-6f708192a3b4',
  createdAt: '2026-03-02T10:15:00.123Z',
  endsAt: null,
  madeBy,
};
const ending = {
  id: '01997c30-91a0-7c22-a7b1-0f1e2d3c4b5a',
  createdAt: '2026-01-05T09:00:00.000Z',
  endsAt: '2026-03-03T10:15:00.123Z',
  madeBy: null,
};
const clientSecret = 'tfs_5xq1mQk0o9ExampleOnlyExampleOnlyExampleOnly';

const credential = {
  id: '01997c30-7d21-7f08-b6e5-91a2c4d8e03f',
  name: 'Claims portal',
  authMethod: 'client_secret',
  scopes: ['reports:write', 'reports:read'],
  ownerUserId: '01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
  isOwnerActive: true,
  isEnabled: true,
  isTestOnly: false,
  allowedNetworks: ['192.0.2.0/24', '2001:db8:7::/48'],
  secrets: [secret],
  keyIds: [],
  keys: [],
  isRefused: false,
  createdAt: '2026-01-05T09:00:00.000Z',
  lastUsedAt: '2026-03-02T10:14:31.000Z',
};
const signing = {
  ...credential,
  id: '01998a40-3c20-7e51-9f62-708192a3b4c5',
  authMethod: 'private_key_jwt',
  isTestOnly: true,
  allowedNetworks: null,
  secrets: [],
  keyIds: ['claims-2026'],
  keys: [{ keyId: 'claims-2026', madeBy }],
  lastUsedAt: null,
};

export const credentialExamples: Examples = { credential: { summary: 'A credential', value: unmetered(credential) } };
export const signingCredentialExamples: Examples = {
  credential: { summary: 'A credential that signs assertions', value: unmetered(signing) },
};
export const credentialsExamples: Examples = {
  page: { summary: 'The last page', value: unmetered({ items: [signing, credential], nextCursor: null }) },
};
export const createCredentialExamples: Examples = {
  secret: {
    summary: 'With a secret, only from two networks',
    value: {
      name: 'Claims portal',
      scopes: ['reports:write', 'reports:read'],
      allowedNetworks: ['192.0.2.0/24', '2001:db8:7::/48'],
    },
  },
  keys: {
    summary: 'With its own key, only for test mode',
    value: { name: 'Test bench', scopes: ['reports:write', 'reports:read'], publicKeys, isTestOnly: true },
  },
};
export const createdCredentialExamples: Examples = {
  secret: { summary: 'With its first secret', value: unmetered({ ...credential, lastUsedAt: null, clientSecret }) },
  keys: { summary: 'With its own key', value: unmetered(signing) },
};
export const changeCredentialExamples: Examples = {
  disable: { summary: 'Disable it', value: { isEnabled: false } },
  networks: { summary: 'Let it be used from anywhere', value: { allowedNetworks: null } },
};
export const addSecretExamples: Examples = {
  default: { summary: 'The older secret works for a day more', value: {} },
  now: { summary: 'The older secret ends now', value: { graceSeconds: 0 } },
};
export const addedSecretExamples: Examples = {
  added: {
    summary: 'The new secret, while the older one still works',
    value: unmetered({ ...credential, secrets: [secret, ending], clientSecret }),
  },
};
export const replaceKeysExamples: Examples = { keys: { summary: 'One key', value: { publicKeys } } };
