// What each role may do: a courtesy that spares people dead ends. The server decides. A test compares it with the contract.

export type Scope =
  | 'reports:write'
  | 'reports:read'
  | 'wallet:read'
  | 'wallet:write'
  | 'credentials:write'
  | 'webhooks:write'
  | 'events:read'
  | 'members:write'
  | 'audit:read'
  | 'settings:write'
  | 'subjects:write';

const EVERYTHING: readonly Scope[] = [
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
];

export const ROLE_SCOPES = {
  owner: EVERYTHING,
  admin: EVERYTHING.filter((scope) => scope !== 'wallet:write'),
  finance: ['wallet:read', 'wallet:write', 'reports:read', 'audit:read'],
  developer: ['reports:write', 'reports:read', 'credentials:write', 'webhooks:write', 'events:read', 'wallet:read'],
  analyst: ['reports:read', 'wallet:read'],
  caseworker: ['reports:write', 'reports:read'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;

export const may = (role: Role, scope: Scope) => (ROLE_SCOPES[role] as readonly Scope[]).includes(scope);
