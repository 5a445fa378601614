// Answers of the API for events and settings, by path without the company.
import type { EventsResponse, Event as FeedEvent, Settings } from '@trefoil/sdk';
import { type Answer, REPORT, TENANT } from './answers.ts';

const meta = { request: { timeTakenMs: 1 } };
const at = (minutes: number) => new Date(Date.UTC(2026, 8, 17, 13, 31) - minutes * 60_000).toISOString();

type Told = Pick<FeedEvent, 'type' | 'data'>;
const common = (number: number) => ({
  ...{ id: `evt_${String(number).padStart(16, '0')}`, createdAt: at(number * 3), sequence: 10_000 - number },
  ...{ tenantId: TENANT, test: false },
});
const TOLD = [
  { type: 'wallet.low', data: { balance: 48_600, threshold: 50_000 } },
  { type: 'wallet.charged', data: { creditReportId: REPORT, amount: -1_400 } },
  { type: 'credit-report.completed', data: { creditReportId: REPORT, status: 'complete', cost: 1_400 } },
  { type: 'challenge.verified', data: { creditReportId: REPORT, challengeId: REPORT } },
  { type: 'challenge.delivered', data: { creditReportId: REPORT, challengeId: REPORT, messageId: REPORT } },
  { type: 'wallet.topped-up', data: { amount: 4_000_000 } },
] as const satisfies readonly Told[];

const page = (items: readonly FeedEvent[], hasMore: boolean): Answer => ({
  json: { meta, data: { items: [...items], nextCursor: 'pTq1oB3hWd0mUe7LrX2cQg', hasMore } } satisfies EventsResponse,
});
/** Nothing fits, and there is nothing older. */
export const NO_EVENTS = page([], false);
/** One that happened while the page was looked at. */
export const newEvent = page([{ ...common(99), createdAt: at(0), ...TOLD[2] }], false);

export const manyEvents = (count: number) =>
  page(
    Array.from({ length: count }, (_, index) => ({ ...common(1_000 + index), createdAt: at(0), ...TOLD[2] })),
    false,
  );

/** A request that waits for an event waits. */
export const EVENTS: Readonly<Record<string, Answer | 'hang'>> = {
  events: page(
    TOLD.map((told, index) => ({ ...common(index), ...told })),
    true,
  ),
  'events?wait': 'hang',
};

export const settings = (changes: Partial<Settings> = {}): Settings => ({
  name: 'Northgate Claims Ltd',
  displayName: 'Northgate Claims',
  retentionDays: 30,
  smsCountries: ['GB'],
  smsDailyMessages: 200,
  smsDailyCredits: null,
  smsMinuteMessages: null,
  otpHost: 'claims.northgate.example',
  lowBalanceCredits: 50_000,
  requireSecondFactor: true,
  agreed: { smsCountries: ['GB', 'IE'], smsDailyMessages: 1_000, smsDailyCredits: 40_000, smsMinuteMessages: 60 },
  ...changes,
});
export const settingsAnswer = (changes: Partial<Settings> = {}): Answer => ({
  json: { meta, data: settings(changes) },
});
const preview = {
  ...{ retentionDays: 7, currentDays: 30, reports: 1_284 },
  ...{ oldestSettledAt: '2026-02-01T10:15:00.123Z', newestSettledAt: '2026-02-23T09:02:11.480Z' },
};
export const SETTINGS: Readonly<Record<string, Answer>> = {
  settings: settingsAnswer(),
  'settings/retention-preview': { json: { meta, data: preview } },
};
