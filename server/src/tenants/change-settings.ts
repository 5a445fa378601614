// Reads and changes a tenant's settings, in an open system transaction.
import type { Tx } from '../lib/sql.ts';
import { findSettings, type TenantSettings, updateSettings } from './settings-store.ts';

export { findSettings, type TenantSettings } from './settings-store.ts';

/** The settings after the change; undefined when there is no such tenant. */
export async function changeSettings(
  tx: Tx,
  tenantId: string,
  changes: Partial<TenantSettings>,
): Promise<TenantSettings | undefined> {
  const current = await findSettings(tx, tenantId);
  if (!current) return undefined;
  const settings = { ...current, ...changes };
  return (await updateSettings(tx, tenantId, settings)) ? settings : undefined;
}
