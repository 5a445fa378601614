// Prices: the list for everybody, and what single tenants pay instead. Every price has an instant from which it holds;
// what has begun is never changed.
import type { PricesData } from '@trefoil/contract';
import type { Database } from '../lib/database.ts';
import { findPrices, listListPrices } from '../wallet/read-prices.ts';
import { PRICE_ITEMS, type PriceItem } from '../wallet/rules/price-list.ts';
import { setListPrice, setTenantPrice } from '../wallet/set-price.ts';
import { type Answer, defineCommand, Refusal } from './command.ts';
import { CREDITS_MAX, id, instant, integer, optional, required, word } from './options.ts';
import { inCredits, minute, table } from './print.ts';
import { requireTenant } from './require-found.ts';

const item = required(word(PRICE_ITEMS), `What is priced: ${PRICE_ITEMS.join(', ')}.`);
const from = optional(instant, 'From when on; without this from now.');

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
    ...now.map((each) => ({ ...each, note: each.source === 'tenant' ? 'now, its own' : 'now, of the list' })),
    ...changes.map((each) => ({
      ...each,
      note: each.source === 'tenant' ? 'to come, its own' : 'to come, of the list',
    })),
  ];
  return { text: toTable(shown), data: { prices: now, changes } };
}

/** Undefined comes back for an instant that is over. */
function begun(effectiveFrom: Date | undefined): Date {
  if (effectiveFrom) return effectiveFrom;
  throw new Refusal('--from is over; a price holds from now or later. Nothing was changed.');
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
  const who = tenantId === undefined ? 'Everybody without a price of their own pays' : `Tenant ${tenantId} pays`;
  return {
    text: `${who} ${inCredits(order.credits)} for ${order.item} from ${minute(since)} on. What has begun keeps its price.`,
    data: { tenantId: tenantId ?? null, item: order.item, credits: order.credits, effectiveFrom: since.toISOString() },
  };
}

export const PRICE_COMMANDS = [
  defineCommand({
    noun: 'price',
    verb: 'list',
    summary: 'Show the price list, or what a tenant pays, with what is to come.',
    notes: 'A report costs the report price and, for each bureau that answers, the bureau price.',
    options: { tenant: optional(id, 'The tenant; without this the price list.') },
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
    summary: 'Set a price for everybody, or for one tenant.',
    notes:
      'Operations that have begun keep the price they began with. A price that has been set cannot be taken back: set\n' +
      'another one from the same moment or later. 10 credits are one penny.',
    options: {
      item,
      credits: required(integer(0, CREDITS_MAX), 'The price in credits; 0 is free.'),
      tenant: optional(id, 'The tenant that pays it; without this everybody without a price of their own.'),
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
    options: { tenant: required(id, 'The tenant.'), item, from },
    example: 'price unset --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --item sms',
    async run(database, { tenant: tenantId, item: priced, from: at }): Promise<Answer> {
      const since = begun(
        await database.asSystem(async (tx) => {
          await requireTenant(tx, tenantId);
          return setTenantPrice(tx, tenantId, { item: priced, credits: null, from: at });
        }),
      );
      return {
        text: `Tenant ${tenantId} pays the list price for ${priced} from ${minute(since)} on.`,
        data: { tenantId, item: priced, credits: null, effectiveFrom: since.toISOString() },
      };
    },
  }),
];
