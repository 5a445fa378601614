// Why a message may not be sent (docs/decisions/0033-challenge-not-deliverable.md, 0041-resend-limit.md,
// 0157-why-a-code-cannot-be-delivered.md). Pure: counts, settings and prices are inputs.
// Reasons that only a correction can fix come first, then the company's own limits. The cap across all companies comes
// last, because it reveals something about others.
import type { Cap } from './mobile-caps.ts';
import { budgetInTheWay, type SmsBudget, type SmsUses } from './sms-budget.ts';

export type Refusal =
  | 'mobile-missing'
  | 'not-a-mobile'
  | 'country-not-allowed'
  | 'company-number'
  | 'company-mistakes'
  | 'company-day'
  | 'company-minute'
  | 'protection';

export type WantedMessage = {
  /** Undefined when the number is not a mobile number. */
  readonly country: string | undefined;
  readonly countries: readonly string[];
  readonly cap: Cap | undefined;
  readonly budget: SmsBudget;
  readonly used: SmsUses;
  readonly priceCredits: number;
};

/** Undefined when the message may be sent. */
export function refusalOfMessage(wanted: WantedMessage): Refusal | undefined {
  const { country, countries, cap, budget, used, priceCredits } = wanted;
  if (country === undefined) return 'not-a-mobile';
  if (!countries.includes(country)) return 'country-not-allowed';
  if (cap !== undefined && cap !== 'protection') return cap;
  return budgetInTheWay(budget, used, priceCredits) ?? cap;
}
