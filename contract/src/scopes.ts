// What a token may do, and which scopes each human role carries. docs/decisions/0027.
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
] as const;

export type Scope = (typeof SCOPES)[number];

/** `finance` reads reports without their bodies; that limit belongs to the read operations, not to the scope list. */
export const ROLE_SCOPES = {
  owner: SCOPES,
  admin: SCOPES.filter((scope) => scope !== 'wallet:write'),
  finance: ['wallet:read', 'wallet:write', 'reports:read', 'audit:read'],
  developer: ['reports:write', 'reports:read', 'credentials:write', 'webhooks:write', 'events:read', 'wallet:read'],
  analyst: ['reports:read', 'wallet:read'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;

export const ROLES = Object.keys(ROLE_SCOPES) as Role[];
