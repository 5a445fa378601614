// Tenants: create, list, disable and enable them, change their share of requests. Disabling says what stopped with it.
import { auditOperator } from '../audit/audit-operator.ts';
import { rateOf } from '../http/rate-limit.ts';
import type { Database } from '../lib/postgres/database.ts';
import { printable } from '../lib/values/plain-text.ts';
import { changeRate, createTenant, enableTenant, listAllTenants } from '../tenants/change-tenant.ts';
import { createWallet } from '../wallet/create-wallet.ts';
import { listEndpointStates, wakeEndpointsOf } from '../webhooks/stop-endpoint.ts';
import { type Answer, defineCommand } from './command.ts';
import { flag, integer, optional, required, tenantRef, text, UsageError } from './options.ts';
import { day, state, table } from './print.ts';
import { missing } from './require-found.ts';

const RATE_MAX = 100_000;
const BURST_MAX = 1_000_000;
const tenant = required(tenantRef, 'The tenant, by its id or its name.');

async function setEnabled(database: Database, tenantId: string, isEnabled: boolean): Promise<Answer> {
  const { isFound, woken } = await database.asSystem(async (tx) => ({
    // Counted here: after the commit, what waits is being sent.
    woken: isEnabled ? await wakeEndpointsOf(tx, tenantId) : undefined,
    isFound: await enableTenant(tx, tenantId, isEnabled),
  }));
  if (!isFound) throw missing('tenant', tenantId);
  await auditOperator(database, [tenantId], { action: 'tenant.changed', details: { isEnabled } });
  // After the change: a queue too long to count must not keep its tenant enabled.
  const endpoints = woken ?? (await database.asSystem((tx) => listEndpointStates(tx, tenantId)));
  const stopped = endpoints.filter(({ status }) => status === 'enabled');
  const webhooks = {
    endpoints: stopped.length,
    deliveriesWaiting: stopped.reduce((sum, { waiting }) => sum + waiting, 0),
  };
  const effect = isEnabled
    ? 'Its credentials work again within seconds, and what waits for its webhook endpoints is sent.'
    : 'Within seconds its credentials get no tokens, and running tokens, including those of people, get 403. ' +
      'No webhook is sent; what waits is sent when the tenant is enabled.';
  const counts = `Webhook endpoints: ${webhooks.endpoints}; deliveries that wait: ${webhooks.deliveriesWaiting}.`;
  return {
    text: `Tenant ${tenantId} is ${state(isEnabled)}. ${effect} ${counts}`,
    data: { tenantId, isEnabled, webhooks },
  };
}

export const TENANT_COMMANDS = [
  defineCommand({
    noun: 'tenant',
    verb: 'create',
    summary: 'Create a tenant and its wallet.',
    notes: 'The wallet starts with a balance of 0. Two tenants may have the same name: only the id tells them apart.',
    options: { name: required(text, 'The name of the tenant.') },
    example: "tenant create --name 'Example Claims'",
    async run(database, { name }) {
      const tenantId = await database.asSystem(async (tx) => {
        const created = await createTenant(tx, name);
        await createWallet(tx, created);
        return created;
      });
      return { text: `Created tenant ${tenantId} (${printable(name)}) and its wallet.`, data: { tenantId, name } };
    },
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'list',
    summary: 'Show all tenants, with their limits.',
    options: {},
    example: 'tenant list',
    async run(database) {
      const tenants = (await database.asSystem(listAllTenants)).map((each) => ({
        ...each,
        effectiveRate: rateOf(each),
      }));
      const lines = tenants.map((each) => [
        each.id,
        each.name,
        state(each.isEnabled),
        `${each.effectiveRate.perSecond}/s, burst ${each.effectiveRate.burst}`,
        each.ratePerSecond === null && each.rateBurst === null ? 'default' : 'own',
        day(each.createdAt),
      ]);
      const headings = ['TENANT', 'NAME', 'STATE', 'RATE', 'LIMIT', 'CREATED'];
      const none = "There are no tenants yet; 'tenant create' creates one.";
      return { text: lines.length > 0 ? table(headings, lines) : none, data: { tenants } };
    },
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'disable',
    summary: 'Stop a tenant: every credential, every request and every webhook.',
    notes:
      'Nothing is deleted; deliveries wait for up to 30 days. To stop one credential only, see credential disable; one\n' +
      'webhook endpoint, see webhook disable.',
    options: { tenant },
    example: 'tenant disable --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
    run: (database, values) => setEnabled(database, values.tenant, false),
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'enable',
    summary: 'Let a disabled tenant work again.',
    options: { tenant },
    example: 'tenant enable --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
    run: (database, values) => setEnabled(database, values.tenant, true),
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'rate',
    summary: 'Give a tenant its own request limit, or the default again.',
    notes:
      'The default is 50 requests a second with a burst of 100, over all nodes together. The new limit replaces the\n' +
      'old one whole: what you leave out follows the default, and a burst is never below one second of requests\n' +
      'unless you say so. It takes effect within seconds on all nodes; nothing is restarted.',
    options: {
      tenant,
      'per-second': optional(integer(1, RATE_MAX), 'Requests a second.'),
      burst: optional(integer(1, BURST_MAX), 'Requests that may come at once.'),
      default: flag('Return to the default limit.'),
    },
    example: 'tenant rate --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --per-second 200 --burst 400',
    async run(database, values) {
      const { tenant: tenantId, 'per-second': perSecond, burst, default: isDefault } = values;
      const isOwn = perSecond !== undefined || burst !== undefined;
      if (isOwn === isDefault) throw new UsageError('Give --per-second, --burst or both, or else --default alone.');
      const override = { ratePerSecond: perSecond ?? null, rateBurst: burst ?? null };
      const { ratePerSecond, rateBurst } = override;
      if (!(await database.asSystem((tx) => changeRate(tx, tenantId, ratePerSecond, rateBurst)))) {
        throw missing('tenant', tenantId);
      }
      await auditOperator(database, [tenantId], { action: 'settings.changed', details: override });
      const effectiveRate = rateOf(override);
      const limit = `${effectiveRate.perSecond} requests a second with a burst of ${effectiveRate.burst}`;
      return {
        text:
          `Tenant ${tenantId} may make ${limit}${isDefault ? ', the default' : ''}. ` +
          'This takes effect within seconds on all nodes.',
        data: { tenantId, ...override, effectiveRate },
      };
    },
  }),
];
