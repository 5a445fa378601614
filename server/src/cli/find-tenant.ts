// A command may name a tenant by its name instead of its id. Names are not unique, so a name that several tenants share is
// refused and never guessed (docs/decisions/0176-commands-that-ask.md).

import { isUuid } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import { listTenantsByName } from '../tenants/change-tenant.ts';
import { Refusal } from './command.ts';
import { type AnyOption, tenantRef } from './options.ts';
import { day, inWords, state } from './print.ts';

const SHOWN_MAX = 10;

async function findTenantId(database: Database, name: string): Promise<string> {
  const found = await database.asSystem((tx) => listTenantsByName(tx, name));
  const [first] = found;
  // The name is not repeated: what was pasted in its place may be a secret.
  if (!first) throw new Refusal("There is no tenant with this name; 'tenant list' shows those there are.");
  if (found.length === 1) return first.id;
  const shown = found
    .slice(0, SHOWN_MAX)
    .map((each) => `${each.id} (${state(each.isEnabled)}, created ${day(each.createdAt)})`);
  const more = found.length > SHOWN_MAX ? [`${found.length - SHOWN_MAX} more`] : [];
  throw new Refusal(`${found.length} tenants have this name: ${inWords([...shown, ...more])}. Give the id.`);
}

/** The values with each tenant name replaced by its id. The command checks whether the id exists. */
export async function resolveTenants(
  database: Database,
  options: Readonly<Record<string, AnyOption>>,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const resolved = { ...values };
  for (const [name, { kind }] of Object.entries(options)) {
    const value = values[name];
    if (kind !== tenantRef || typeof value !== 'string' || isUuid(value)) continue;
    resolved[name] = await findTenantId(database, value);
  }
  return resolved;
}
