// Which of a company's own limits would refuse the first message of a challenge now (docs/decisions/0208-quotes.md). Pure. The
// cap over all companies is no input: a quote must not tell anything about it.
import type { OwnLimit, OwnLimitKind } from '@trefoil/contract';
import { type MobileUses, TENANT_CAPS } from './mobile-caps.ts';
import { maxUses, type SmsBudget, type SmsUses } from './sms-budget.ts';

export type OwnUses = {
  /** Undefined without a number, and for one that is not a mobile number. */
  readonly country: string | undefined;
  readonly countries: readonly string[];
  readonly ofNumber: MobileUses;
  readonly numberFreeAt: Date | null;
  readonly budget: SmsBudget;
  readonly used: SmsUses;
  readonly dayEndsAt: Date;
  readonly minuteEndsAt: Date;
  readonly priceCredits: number;
};

const toLimit = (kind: OwnLimitKind, refuses: boolean, resetsAt: Date | null): OwnLimit => ({
  kind,
  refuses,
  resetsAt: refuses ? (resetsAt?.toISOString() ?? null) : null,
});

export function ownLimits(uses: OwnUses): OwnLimit[] {
  const { country, countries, ofNumber, budget, used, priceCredits } = uses;
  const max = maxUses(budget);
  const isNumberUsed = (['challenges', 'messages', 'mistakes'] as const).some(
    (kind) => ofNumber[kind] >= TENANT_CAPS[kind],
  );
  const isDayFull = (day: Pick<SmsUses, 'dayCredits' | 'dayMessages'>) =>
    day.dayCredits + priceCredits > max.dayCredits || day.dayMessages >= max.dayMessages;
  // A budget that is too small even when unused never has room: no time to wait for.
  const dayResets = !isDayFull({ dayCredits: 0, dayMessages: 0 });
  const minuteResets = max.minuteMessages > 0;
  return [
    toLimit('destination', country === undefined || !countries.includes(country), null),
    toLimit('company-number', isNumberUsed, uses.numberFreeAt),
    toLimit('company-day', isDayFull(used), dayResets ? uses.dayEndsAt : null),
    toLimit('company-minute', used.minuteMessages >= max.minuteMessages, minuteResets ? uses.minuteEndsAt : null),
  ];
}
