// The operator stops an endpoint, as its tenant could. What waits for it stays, and its tenant can enable it again.
import { appendAudit } from '../audit/append-audit.ts';
import type { Database } from '../lib/postgres/database.ts';
import { disableEndpoint } from './enable-endpoint.ts';
import { findTenantOfEndpoint } from './endpoint-store.ts';

export { listEndpointStates } from './endpoint-store.ts';

/** The endpoint's tenant; undefined when there is no such endpoint. */
export async function stopEndpoint(database: Database, id: string): Promise<string | undefined> {
  const tenantId = await database.asSystem((tx) => findTenantOfEndpoint(tx, id));
  if (tenantId === undefined) return undefined;
  const details = { reason: 'requested' };
  await database.forTenants([tenantId], async (tx) => {
    await disableEndpoint(tx, tenantId, id, 'requested');
    await appendAudit(tx, [{ tenantId, actor: 'operator', action: 'webhook.disabled', subjectId: id, details }]);
  });
  return tenantId;
}
