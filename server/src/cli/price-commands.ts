// Prices: the list for all tenants, and the prices of single tenants. Every price has a start; a price that has started
// is never changed.
import type { PricesData } from '@trefoil/contract';
import { auditEveryTenant, auditOperator } from '../audit/audit-operator.ts';
import type { Database } from '../lib/postgres/database.ts';
import { findPrices, listListPrices } from '../wallet/read-prices.ts';
import { PRICE_ITEMS, type PriceItem } from '../wallet/rules/price-list.ts';
import { setListPrice, setTenantPrice } from '../wallet/set-price.ts';
import { type Answer, defineCommand, Refusal } from './command.ts';
import { CREDITS_MAX, instant, integer, optional, required, tenantRef, word } from './options.ts';
import { inCredits, minute, table } from './print.ts';
import { requireTenant } from './require-found.ts';

const item = required(word(PRICE_ITEMS), `What is priced: ${PRICE_ITEMS.join(', ')}.`);
const from = optional(instant, 'When the price takes effect (default: now).');

type Shown = { readonly item: PriceItem; readonly credits: number; readonly effectiveFrom: string; note: string };

function toTable(prices: readonly Shown[]): string {
  const lines = prices.map((each) => [
    each.item,
    inCredits(each.credits),
    minute(new Date(each.effectiveFrom)),
    each.note,
  ]);
  return table(['ITEM', 'PRICE', 'FROM', ''], lines);
}

async function listForAll(database: Database): Promise<Answer> {
  const rows = await database.asSystem(listListPrices);
  const prices = PRICE_ITEMS.flatMap((each) => {
    const ofItem = rows.filter((row) => row.item === each);
    const current = ofItem.findLast(({ hasBegun }) => hasBegun);
    return ofItem
      .filter((row) => row === current || !row.hasBegun)
      .map(({ item, credits, effectiveFrom, hasBegun }) => ({
        item,
        credits,
        effectiveFrom: effectiveFrom.toISOString(),
        note: hasBegun ? 'now' : 'to come',
      }));
  });
  return { text: toTable(prices), data: { prices: prices.map(({ note: _, ...price }) => price) } };
}

function toAnswer({ changes, ...current }: PricesData): Answer {
  const now = PRICE_ITEMS.map((each) => ({ item: each, ...current[each] }));
  const shown = [
    ...now.map((each) => ({ ...each, note: each.source === 'tenant' ? 'now, own price' : 'now, list price' })),
    ...changes.map((each) => ({
      ...each,
      note: each.source === 'tenant' ? 'to come, own price' : 'to come, list price',
    })),
  ];
  return { text: toTable(shown), data: { prices: now, changes } };
}

/** An instant in the past arrives as undefined. */
function begun(effectiveFrom: Date | undefined): Date {
  if (effectiveFrom) return effectiveFrom;
  throw new Refusal('--from is in the past; a price takes effect now or later. Nothing was changed.');
}

/** A tenant's price goes to that tenant's audit log; a list price goes to every tenant's. */
async function auditPrice(
  database: Database,
  tenantId: string | undefined,
  { item: priced, credits, since }: { item: PriceItem; credits: number | null; since: Date },
): Promise<void> {
  const source = tenantId === undefined ? 'list' : 'tenant';
  const details = { item: priced, credits, source, effectiveFrom: since.toISOString() };
  const change = { action: 'price.changed' as const, details };
  if (tenantId === undefined) await auditEveryTenant(database, change);
  else await auditOperator(database, [tenantId], change);
}

async function setPrice(
  database: Database,
  tenantId: string | undefined,
  order: { readonly item: PriceItem; readonly credits: number; readonly from: Date | undefined },
): Promise<Answer> {
  const effectiveFrom = await database.asSystem(async (tx) => {
    if (tenantId === undefined) return setListPrice(tx, order);
    await requireTenant(tx, tenantId);
    return setTenantPrice(tx, tenantId, order);
  });
  const since = begun(effectiveFrom);
  await auditPrice(database, tenantId, { ...order, since });
  const who = tenantId === undefined ? 'Every tenant without its own price pays' : `Tenant ${tenantId} pays`;
  return {
    text: `${who} ${inCredits(order.credits)} for ${order.item} from ${minute(since)} on. Operations that have begun keep their price.`,
    data: { tenantId: tenantId ?? null, item: order.item, credits: order.credits, effectiveFrom: since.toISOString() },
  };
}

export const PRICE_COMMANDS = [
  defineCommand({
    noun: 'price',
    verb: 'list',
    summary: 'Show the price list, or what a tenant pays, with the changes to come.',
    notes: 'A report costs the report price and, for each bureau that answers, the bureau price.',
    options: { tenant: optional(tenantRef, 'The tenant (default: show the price list).') },
    example: 'price list --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
    async run(database, { tenant: tenantId }): Promise<Answer> {
      if (tenantId === undefined) return listForAll(database);
      const prices = await database.asSystem(async (tx) => {
        await requireTenant(tx, tenantId);
        return findPrices(tx, tenantId);
      });
      return toAnswer(prices);
    },
  }),
  defineCommand({
    noun: 'price',
    verb: 'set',
    summary: 'Set a price for all tenants, or for one.',
    notes:
      'Operations that have begun keep the price they began with. A price that has been set cannot be taken back: set\n' +
      'another one from the same moment or later. 10 credits are one penny.',
    options: {
      item,
      credits: required(integer(0, CREDITS_MAX), 'The price in credits; 0 is free.'),
      tenant: optional(tenantRef, 'The tenant that pays it (default: every tenant without its own price).'),
      from,
    },
    example: 'price set --item bureau --credits 650 --from 2027-01-01',
    run: (database, { item: priced, credits, tenant: tenantId, from: at }) =>
      setPrice(database, tenantId, { item: priced, credits, from: at }),
  }),
  defineCommand({
    noun: 'price',
    verb: 'unset',
    summary: 'Let a tenant pay the list price again.',
    options: { tenant: required(tenantRef, 'The tenant, by its id or its name.'), item, from },
    example: 'price unset --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --item sms',
    async run(database, { tenant: tenantId, item: priced, from: at }): Promise<Answer> {
      const since = begun(
        await database.asSystem(async (tx) => {
          await requireTenant(tx, tenantId);
          return setTenantPrice(tx, tenantId, { item: priced, credits: null, from: at });
        }),
      );
      await auditPrice(database, tenantId, { item: priced, credits: null, since });
      return {
        text: `Tenant ${tenantId} pays the list price for ${priced} from ${minute(since)} on.`,
        data: { tenantId, item: priced, credits: null, effectiveFrom: since.toISOString() },
      };
    },
  }),
];
