// The webhook endpoints of tenants: what an operator looks at and stops. An address is never shown: it may have a token in it.
import { listEndpointStates, stopEndpoint } from '../webhooks/stop-endpoint.ts';
import { defineCommand } from './command.ts';
import { id, required, tenantRef } from './options.ts';
import { day, table } from './print.ts';
import { missing, requireTenant } from './require-found.ts';

export const WEBHOOK_COMMANDS = [
  defineCommand({
    noun: 'webhook',
    verb: 'list',
    summary: "Show a tenant's webhook endpoints, by host.",
    notes:
      'WAITING counts the deliveries that are neither accepted nor given up. Nothing is sent for a disabled tenant.',
    options: { tenant: required(tenantRef, 'The tenant, by its id or its name.') },
    example: 'webhook list --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
    async run(database, { tenant: tenantId }) {
      const [{ isEnabled }, endpoints] = await database.asSystem(async (tx) => [
        await requireTenant(tx, tenantId),
        await listEndpointStates(tx, tenantId),
      ]);
      const lines = endpoints.map((each) => [
        each.id,
        each.host,
        each.isTest ? 'test' : 'live',
        each.disabledReason ? `disabled (${each.disabledReason})` : isEnabled ? 'enabled' : 'tenant disabled',
        String(each.waiting),
        day(each.createdAt),
      ]);
      const headings = ['ENDPOINT', 'HOST', 'MODE', 'STATE', 'WAITING', 'CREATED'];
      const none = 'The tenant has no webhook endpoints.';
      return {
        text: lines.length > 0 ? table(headings, lines) : none,
        data: { isTenantEnabled: isEnabled, endpoints },
      };
    },
  }),
  defineCommand({
    noun: 'webhook',
    verb: 'disable',
    summary: 'Stop a webhook endpoint.',
    notes:
      'What waits for it is kept for up to 30 days and sent once its tenant enables it again. The tenant may do that at any\n' +
      'time, or make another endpoint: to stop one that does, see tenant disable.',
    options: { endpoint: required(id, 'The endpoint, by its id.') },
    example: 'webhook disable --endpoint 01997c33-1c5e-7a90-8d21-4be07f62c913',
    async run(database, { endpoint: endpointId }) {
      const tenantId = await stopEndpoint(database, endpointId);
      if (tenantId === undefined) throw missing('webhook endpoint', endpointId);
      return {
        text: `Webhook endpoint ${endpointId} of tenant ${tenantId} is disabled. Nothing more is sent to it.`,
        data: { endpointId, tenantId, status: 'disabled' },
      };
    },
  }),
];
