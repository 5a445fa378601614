// Reads and changes a tenant's settings, in an open system transaction.
import type { Tx } from '../lib/postgres/sql.ts';
import {
  findSettings,
  lockTenant,
  type StoredSettings,
  type TenantSettings,
  updateSettings,
} from './settings-store.ts';

export { findSettings, type StoredSettings, type TenantSettings } from './settings-store.ts';

export type ChangedSettings = {
  readonly settings: StoredSettings;
  /** The requested changes that differ from the previous settings. */
  readonly changed: Partial<TenantSettings>;
};

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The settings after the change; undefined when the tenant does not exist. */
export async function changeSettings(
  tx: Tx,
  tenantId: string,
  changes: Partial<TenantSettings>,
): Promise<ChangedSettings | undefined> {
  // The company's own people change some of them meanwhile: what they chose must not be written back.
  await lockTenant(tx, tenantId);
  const current = await findSettings(tx, tenantId);
  if (!current) return undefined;
  const settings = { ...current, ...changes };
  if (!(await updateSettings(tx, tenantId, settings))) return undefined;
  const news = Object.entries(changes).filter(([name, value]) => !isSame(current[name as keyof TenantSettings], value));
  return { settings, changed: Object.fromEntries(news) };
}
