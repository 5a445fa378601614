// A company's limits and its usage of each (docs/decisions/0169-a-company-sees-its-limits.md). It reads only the company's
// own counts: counts across all companies would reveal something about others.
import type { Limit, LimitName, LimitsData } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import type { Quota } from '../../http/rate-limit.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { listSmsSettings } from '../../tenants/find-settings.ts';
import { readMailLimit } from '../../tenants/invite-member.ts';
import { readSmsUses } from '../../wallet/read-wallet.ts';
import { readWebhookLimits } from '../../webhooks/read-limits.ts';
import { maxUses, type SmsUses, UNUSED } from '../rules/sms-budget.ts';

/** How much the company's messages may use per day and per minute. */
export async function findSmsBudget(tx: Tx, tenantId: string): Promise<SmsUses> {
  const [settings] = await listSmsSettings(tx, [tenantId]);
  if (!settings) throw new Error('the tenant does not exist');
  return maxUses(settings);
}

const toLimit = (name: LimitName, max: number, used: number, resetsAt: Date | null): Limit => ({
  name,
  max,
  used,
  resetsAt: resetsAt?.toISOString() ?? null,
});

export type LimitsDependencies = { readonly database: Database; readonly now: () => Date };

/** `quota` is the result of this request's own rate-limit check. */
export async function readLimits(
  { database, now }: LimitsDependencies,
  { tenantId, isTestOnly }: Pick<Caller, 'tenantId' | 'isTestOnly'>,
  quota: Quota,
): Promise<LimitsData> {
  const [budget, liveUses, mails, webhooks] = await database.forTenants([tenantId], (tx) =>
    Promise.all([
      findSmsBudget(tx, tenantId),
      readSmsUses(tx, tenantId),
      readMailLimit(tx, tenantId),
      readWebhookLimits(tx, tenantId),
    ]),
  );
  // Messages of test mode are not counted.
  const uses = isTestOnly ? { ...liveUses, ...UNUSED } : liveUses;
  const { attempts, replays, creations } = webhooks;
  const bucketFullAt = new Date(now().getTime() + quota.resetUs / 1_000);
  return {
    items: [
      toLimit('requests', quota.max, quota.used, bucketFullAt),
      toLimit('sms-messages-day', budget.dayMessages, uses.dayMessages, uses.dayEndsAt),
      toLimit('sms-credits-day', budget.dayCredits, uses.dayCredits, uses.dayEndsAt),
      toLimit('sms-messages-minute', budget.minuteMessages, uses.minuteMessages, uses.minuteEndsAt),
      toLimit('invitations-day', mails.max, mails.used, mails.resetsAt),
      toLimit('webhook-attempts-minute', attempts.max, attempts.used, attempts.resetsAt),
      toLimit('webhook-replays-day', replays.max, replays.used, replays.resetsAt),
      toLimit('webhook-endpoints-day', creations.max, creations.used, creations.resetsAt),
    ],
  };
}
