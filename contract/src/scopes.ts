// What a token may do, and which scopes each human role carries. docs/decisions/0027-scopes-and-roles.md.
export const SCOPES = [
  'reports:write',
  'reports:read',
  'wallet:read',
  'wallet:write',
  'credentials:write',
  'webhooks:write',
  'events:read',
  'members:write',
  'audit:read',
  'settings:write',
  'subjects:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scope descriptions in the API reference. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'reports:write': 'Generate reports, submit codes and send them again; reset the test wallet.',
  'reports:read': 'Read and list reports.',
  'wallet:read': 'Read the wallet, its statement, the prices and the limits.',
  'wallet:write': 'Reserved: no operation needs it yet.',
  'credentials:write': 'List API credentials; signed-in people also create, change and disable them.',
  'webhooks:write': 'List, create, change and delete webhook endpoints, read their deliveries and send events again.',
  'events:read': 'Read events.',
  'members:write': 'List members and invitations; signed-in people also invite, change and remove them.',
  'audit:read': 'Read the audit log.',
  'settings:write': 'Read the settings of the company; signed-in people also change them.',
  'subjects:write': 'Find and export what is held of a consumer; signed-in people also erase it.',
};

/** `finance` reads reports without their bodies; the read operations apply that limit, not the scope list. */
export const ROLE_SCOPES = {
  owner: SCOPES,
  admin: SCOPES.filter((scope) => scope !== 'wallet:write'),
  finance: ['wallet:read', 'wallet:write', 'reports:read', 'audit:read'],
  developer: ['reports:write', 'reports:read', 'credentials:write', 'webhooks:write', 'events:read', 'wallet:read'],
  analyst: ['reports:read', 'wallet:read'],
  caseworker: ['reports:write', 'reports:read'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;

export const ROLES = Object.keys(ROLE_SCOPES) as Role[];
