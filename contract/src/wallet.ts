// The wallet as a tenant sees it: its balance, every line that changed it, and the prices. All amounts are whole
// credits; 1,000 credits are one pound.
import { type Static, Type } from 'typebox';
import { pageOf, unmetered } from './envelope.ts';
import { Instant, oneOf, orNull, Uuid } from './schema.ts';
import { ENTRY_KINDS, PRICE_SOURCES } from './vocabulary.ts';

export const WalletResponse = unmetered(
  Type.Object({
    balance: Type.Integer({ description: 'Top-ups less charges plus refunds, in credits.' }),
    held: Type.Integer({
      minimum: 0,
      description: 'Set aside for operations that have not finished, and for messages without a final state.',
    }),
    available: Type.Integer({ minimum: 0, description: 'What a new operation can use: `balance` less `held`.' }),
    creditsPerPound: Type.Integer({ description: 'How many credits are one pound sterling.' }),
    smsDay: Type.Object(
      {
        maxMessages: Type.Integer({ minimum: 0, description: 'Maximum number of messages in a day.' }),
        usedMessages: Type.Integer({
          minimum: 0,
          description: 'Messages of the current day, whatever their outcome.',
        }),
        maxCredits: Type.Integer({ minimum: 0, description: 'Maximum credits for messages in a day.' }),
        usedCredits: Type.Integer({
          minimum: 0,
          description: 'What the messages of the current day cost if delivered.',
        }),
        resetsAt: Instant('When the day ends: at midnight UTC.'),
      },
      { description: 'The message budget of the current day. Beyond either limit no message is sent.' },
    ),
  }),
);

const POUNDS = '^-?\\d+\\.\\d{2,3}$';

export const WalletEntry = Type.Object({
  id: Type.String({ description: 'Place in the journal. Later lines have higher numbers; there may be gaps.' }),
  kind: oneOf(ENTRY_KINDS, { description: 'What moved the credits.' }),
  amount: Type.Integer({ description: 'Effect on the wallet in credits: negative for a charge.' }),
  balanceAfter: Type.Integer({ description: 'The balance once this line was posted, in credits.' }),
  creditReportId: orNull(Uuid('The report.'), {
    description: 'The report it belongs to; null for top-ups and adjustments.',
  }),
  reversesId: orNull(Type.String(), { description: 'On a refund: `id` of the charge that it reverses.' }),
  note: orNull(Type.String(), { description: 'Reference of a top-up, or reason of an adjustment.' }),
  createdAt: Instant('When it was posted.'),
  amountPounds: Type.String({
    pattern: POUNDS,
    description: '`amount` in pounds, exactly: two decimals, or three where it is not a whole penny.',
  }),
  balanceAfterPounds: Type.String({ pattern: POUNDS, description: '`balanceAfter` in pounds, exactly.' }),
  externalReference: orNull(Type.String(), {
    description:
      'The reference that the report was generated with; null without one, once the report is purged, and for readers ' +
      'who may not see reports (no `reports:read`, or the role finance).',
  }),
  bureauCount: orNull(Type.Integer({ minimum: 0 }), {
    description:
      'On a charge or refund of a report: how many bureaus it is for. Null on other lines, and while no bureau was asked.',
  }),
});

export const WalletEntriesResponse = pageOf(WalletEntry);

export const WalletMonth = Type.Object({
  month: Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'The month in London, such as 2026-03.' }),
  startsAt: Instant('Its first instant: `from` for the lines of the month.'),
  endsAt: Instant('The first instant of the next month: `to` for the lines of the month.'),
  opening: Type.Integer({ description: 'The balance when it began, in credits.' }),
  topUps: Type.Integer({ description: 'Top-ups.' }),
  adjustments: Type.Integer({ description: 'Corrections by the operator, of either sign.' }),
  reports: Type.Integer({ description: 'Charges of reports: zero or negative.' }),
  refunds: Type.Integer({ description: 'Refunds of reports: zero or positive.' }),
  messages: Type.Integer({ description: 'Charges of messages: zero or negative.' }),
  closing: Type.Integer({ description: 'The balance at its end, or now: `opening` and all the others together.' }),
  count: Type.Integer({ minimum: 0, description: 'How many lines the statement has for it.' }),
});

export const WalletMonthsResponse = unmetered(
  Type.Object({ items: Type.Array(WalletMonth, { description: 'Newest first, the current month included.' }) }),
);

const Price = Type.Object({
  credits: Type.Integer({ minimum: 0 }),
  source: oneOf(PRICE_SOURCES, { description: 'The price list, or a price agreed with this tenant.' }),
  effectiveFrom: Instant('When the price takes effect, or took effect.'),
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
export type WalletMonth = Static<typeof WalletMonth>;
export type WalletMonthsData = Static<typeof WalletMonthsResponse>['data'];
export type PricesData = Static<typeof PricesResponse>['data'];
export type PriceChange = Static<typeof PriceChange>;
