import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../tenants/rules/own-settings.ts';
import { budgetInTheWay, resetsBudget } from './sms-budget.ts';

const { smsDailyCredits, smsDailyMessages, smsMinuteMessages } = DEFAULT_LIMITS;

const DEFAULT = { dailyCredits: null, dailyMessages: null, minuteMessages: null };
const NONE = { dayCredits: 0, dayMessages: 0, minuteMessages: 0 };

test.each([
  // budget, used, price, the budget that refuses
  [{}, {}, 40, undefined],
  [{}, { dayCredits: smsDailyCredits - 40 }, 40, undefined],
  [{}, { dayCredits: smsDailyCredits - 39 }, 40, 'company-day'],
  [{}, { dayMessages: smsDailyMessages - 1 }, 0, undefined],
  [{}, { dayMessages: smsDailyMessages }, 0, 'company-day'],
  [{}, { minuteMessages: smsMinuteMessages - 1 }, 0, undefined],
  [{}, { minuteMessages: smsMinuteMessages }, 0, 'company-minute'],
  [{ dailyMessages: 0 }, {}, 0, 'company-day'],
  [{ minuteMessages: 0 }, {}, 0, 'company-minute'],
  [{ dailyCredits: 0 }, {}, 0, undefined],
  [{ dailyMessages: 2_000, minuteMessages: 500 }, { dayMessages: 1_999, minuteMessages: 499 }, 0, undefined],
  [{ dailyMessages: 2_000, minuteMessages: 500 }, { dayMessages: 1_999, minuteMessages: 500 }, 0, 'company-minute'],
] as const)('budget %j, used %j, a message for %d: %s is in the way', (budget, used, price, expected) => {
  expect(budgetInTheWay({ ...DEFAULT, ...budget }, { ...NONE, ...used }, price)).toBe(expected);
});

test('both used up: the day is told, which lasts longer', () => {
  const used = { ...NONE, dayMessages: smsDailyMessages, minuteMessages: smsMinuteMessages };
  expect(budgetInTheWay(DEFAULT, used, 40)).toBe('company-day');
});

test.each([
  // budget, which, price, whether waiting helps
  [{}, 'company-day', 40, true],
  [{}, 'company-minute', 40, true],
  [{ dailyMessages: 0 }, 'company-day', 0, false],
  [{ dailyCredits: 39 }, 'company-day', 40, false],
  [{ minuteMessages: 0 }, 'company-minute', 0, false],
] as const)('budget %j, %s, a message for %d: waiting helps is %s', (budget, which, price, expected) => {
  expect(resetsBudget(which, { ...DEFAULT, ...budget }, price)).toBe(expected);
});
