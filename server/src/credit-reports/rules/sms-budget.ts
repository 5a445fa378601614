// How many messages a tenant may send: by count and by credits per day, and by count per minute
// (docs/decisions/0152-budgets-of-messages.md). Pure. It limits counts as well as credits, since free messages would
// otherwise be unlimited.
import { DEFAULT_LIMITS } from '../../tenants/rules/own-settings.ts';

/** Null: use the default. */
export type SmsBudget = {
  readonly dailyCredits: number | null;
  readonly dailyMessages: number | null;
  readonly minuteMessages: number | null;
};

/** Used in the current day and the current minute. */
export type SmsUses = { readonly dayCredits: number; readonly dayMessages: number; readonly minuteMessages: number };

/** The maximum of each. */
export function maxUses({ dailyCredits, dailyMessages, minuteMessages }: SmsBudget): SmsUses {
  return {
    dayCredits: dailyCredits ?? DEFAULT_LIMITS.smsDailyCredits,
    dayMessages: dailyMessages ?? DEFAULT_LIMITS.smsDailyMessages,
    minuteMessages: minuteMessages ?? DEFAULT_LIMITS.smsMinuteMessages,
  };
}

export type Budget = 'company-day' | 'company-minute';

export const UNUSED: SmsUses = { dayCredits: 0, dayMessages: 0, minuteMessages: 0 };

/** The budget without room for one more message; the day's if both are full, because it lasts longer. */
export function budgetInTheWay(budget: SmsBudget, used: SmsUses, priceCredits: number): Budget | undefined {
  const max = maxUses(budget);
  if (used.dayCredits + priceCredits > max.dayCredits || used.dayMessages >= max.dayMessages) return 'company-day';
  return used.minuteMessages >= max.minuteMessages ? 'company-minute' : undefined;
}

/** Whether waiting helps: a budget that is too small even when unused never has room. */
export function resetsBudget(which: Budget, budget: SmsBudget, priceCredits: number): boolean {
  return budgetInTheWay(budget, UNUSED, priceCredits) !== which;
}
