// What a company used in the last days: credits from the wallet's days, the rest from counted events. Only reads.
import { USAGE_DAYS_DEFAULT, type UsageData, type UsageQuery } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { Database } from '../lib/postgres/database.ts';
import { readSpentDays, type SpentDay } from '../wallet/days/read-spent-days.ts';
import { listItems, type UsageItem } from './day-store.ts';
import { medianOf } from './rules/median.ts';

const WEEK_DAYS = 7;
const FAILURE = 'failure:';
const CODE_SECONDS = 'code-seconds:';

const sumOf = (days: readonly SpentDay[]) => ({
  reports: days.reduce((sum, { reports }) => sum + reports, 0),
  messages: days.reduce((sum, { messages }) => sum + messages, 0),
});

function commonestFailure(items: readonly UsageItem[]): UsageData['commonestFailure'] {
  const [first] = items
    .filter(({ item }) => item.startsWith(FAILURE))
    // By name among equals, so that the answer does not change between two readings.
    .toSorted((a, b) => b.count - a.count || a.item.localeCompare(b.item));
  return first ? { reason: first.item.slice(FAILURE.length), count: first.count } : null;
}

function countsOf(items: readonly UsageItem[]): Pick<UsageData, 'outcomes' | 'commonestFailure' | 'codes'> {
  const counts = new Map(items.map(({ item, count }) => [item, count]));
  const of = (item: string) => counts.get(item) ?? 0;
  const seconds = items.flatMap(({ item, count }) =>
    item.startsWith(CODE_SECONDS) ? [{ value: Number(item.slice(CODE_SECONDS.length)), count }] : [],
  );
  return {
    outcomes: {
      complete: of('report.completed'),
      blocked: of('report.blocked'),
      failed: of('report.failed'),
      expired: of('report.expired'),
    },
    commonestFailure: commonestFailure(items),
    codes: {
      sent: of('challenge.sent'),
      delivered: of('challenge.delivered'),
      undelivered: of('challenge.undelivered'),
      verified: of('challenge.verified'),
      medianSeconds: medianOf(seconds),
    },
  };
}

export async function readUsage(
  database: Database,
  { tenantId, isTestOnly }: Pick<Caller, 'tenantId' | 'isTestOnly'>,
  { days = USAGE_DAYS_DEFAULT, test = false }: UsageQuery,
): Promise<UsageData> {
  const isTest = test || isTestOnly;
  const [all, items] = await database.forTenants([tenantId], (tx) =>
    Promise.all([
      readSpentDays(tx, tenantId, { days: Math.max(2 * days, WEEK_DAYS), isTest }),
      listItems(tx, tenantId, { days, isTest }),
    ]),
  );
  const week = sumOf(all.slice(-WEEK_DAYS));
  const shown = all.slice(-days);
  return {
    test: isTest,
    days: shown,
    spent: sumOf(shown),
    previous: sumOf(all.slice(-2 * days, -days)),
    last7DaysCredits: week.reports + week.messages,
    ...countsOf(items),
  };
}
