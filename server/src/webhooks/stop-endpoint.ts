// The operator stops an endpoint, as its tenant could. What waits for it stays, and its tenant can enable it again.
import { appendAudit } from '../audit/append-audit.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { disableEndpoint } from './enable-endpoint.ts';
import { type EndpointState, findTenantOfEndpoint, listEndpointStates } from './endpoint-store.ts';
import { wakeEndpoints } from './turn-store.ts';

export { listEndpointStates } from './endpoint-store.ts';

/** As the system role, in the transaction that enables the tenant: what waits for its endpoints is sent. Returns what waited. */
export async function wakeEndpointsOf(tx: Tx, tenantId: string): Promise<EndpointState[]> {
  const endpoints = await listEndpointStates(tx, tenantId);
  await wakeEndpoints(
    tx,
    endpoints.map(({ id }) => id),
  );
  return endpoints;
}

/** The endpoint's tenant; undefined when there is no such endpoint. */
export async function stopEndpoint(database: Database, id: string): Promise<string | undefined> {
  const tenantId = await database.asSystem((tx) => findTenantOfEndpoint(tx, id));
  if (tenantId === undefined) return undefined;
  const details = { reason: 'requested' };
  await database.forTenants([tenantId], async (tx) => {
    const isChanged = await disableEndpoint(tx, tenantId, id, 'requested');
    if (!isChanged) return;
    await appendAudit(tx, [{ tenantId, actor: 'operator', action: 'webhook.disabled', subjectId: id, details }]);
  });
  return tenantId;
}
