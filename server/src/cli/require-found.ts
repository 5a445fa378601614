// Refusals that several commands share: the object that a command names must exist.
import { findUser } from '../identity/people/change-user.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { findTenant } from '../tenants/change-tenant.ts';
import { Refusal } from './command.ts';

const MISSING = {
  app: "'app list' shows those there are.",
  tenant: "'tenant list' shows those there are.",
  user: "'user list' shows those there are.",
  'webhook endpoint': "'webhook list --tenant <id>' shows a tenant's.",
  credential: "'credential list --tenant <id>' shows a tenant's.",
};

export function missing(noun: keyof typeof MISSING, id: string): Refusal {
  return new Refusal(`There is no ${noun} ${id}; ${MISSING[noun]}`);
}

export async function requireTenant(tx: Tx, tenantId: string) {
  const tenant = await findTenant(tx, tenantId);
  if (!tenant) throw missing('tenant', tenantId);
  return tenant;
}

export async function requireUser(tx: Tx, userId: string) {
  const user = await findUser(tx, userId);
  if (!user) throw missing('user', userId);
  return user;
}
