// The wallet as a tenant sees it: what is there, every line that moved it, and what things cost. All amounts are whole
// credits; 1,000 credits are one pound.
import { type Static, Type } from 'typebox';
import { pageOf, unmetered } from './envelope.ts';
import { Instant, oneOf, orNull, Uuid } from './schema.ts';
import { ENTRY_KINDS, PRICE_SOURCES } from './vocabulary.ts';

export const CREDITS_PER_POUND = 1_000;

export const WalletResponse = unmetered(
  Type.Object({
    balance: Type.Integer({ description: 'Top-ups less charges plus refunds, in credits.' }),
    held: Type.Integer({ minimum: 0, description: 'Set aside for operations that are still running or on their way.' }),
    available: Type.Integer({ minimum: 0, description: 'What a new operation can use: `balance` less `held`.' }),
    creditsPerPound: Type.Integer({ description: 'How many credits are one pound sterling.' }),
  }),
);

export const WalletEntry = Type.Object({
  id: Type.String({ description: 'Place in the journal. Later lines have higher numbers; there may be gaps.' }),
  kind: oneOf(ENTRY_KINDS, { description: 'What moved the credits.' }),
  amount: Type.Integer({ description: 'Effect on the wallet in credits: negative for a charge.' }),
  balanceAfter: Type.Integer({ description: 'The balance once this line was posted, in credits.' }),
  creditReportId: orNull(Uuid('The report.'), { description: 'The report it belongs to; null for top-ups and such.' }),
  reversesId: orNull(Type.String(), { description: 'On a refund: `id` of the charge that it takes back.' }),
  note: orNull(Type.String(), { description: 'Reference of a top-up, or reason of an adjustment.' }),
  createdAt: Instant('When it was posted.'),
});

export const WalletEntriesResponse = pageOf(WalletEntry);

const Price = Type.Object({
  credits: Type.Integer({ minimum: 0 }),
  source: oneOf(PRICE_SOURCES, { description: 'The price list, or a price agreed with this tenant.' }),
  effectiveFrom: Instant('Since when, or from when on, it holds.'),
});

export const PriceChange = Type.Object({ item: oneOf(['report', 'bureau', 'sms']), ...Price.properties });

export const PricesResponse = unmetered(
  Type.Object({
    report: Type.Object(Price.properties, { description: 'For a report, however many bureaus answer.' }),
    bureau: Type.Object(Price.properties, { description: 'For each bureau that answers, on top of the report.' }),
    sms: Type.Object(Price.properties, { description: 'For each message that is delivered.' }),
    changes: Type.Array(PriceChange, {
      description: 'Prices already known to change, soonest first. An operation that has begun keeps its price.',
    }),
  }),
);

export type WalletData = Static<typeof WalletResponse>['data'];
export type WalletEntry = Static<typeof WalletEntry>;
export type WalletEntriesPage = Static<typeof WalletEntriesResponse>['data'];
export type PricesData = Static<typeof PricesResponse>['data'];
export type PriceChange = Static<typeof PriceChange>;
