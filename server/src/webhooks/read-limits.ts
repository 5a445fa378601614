// What a company may use of webhooks, and what it uses now.
import type { Tx } from '../lib/postgres/sql.ts';
import { readOwn } from './budgets/count-own.ts';
import { readMinuteUse } from './budgets/host-store.ts';
import { BUDGETS } from './rules/budgets.ts';

export async function readWebhookLimits(tx: Tx, tenantId: string) {
  const [minute, replays, creations] = await Promise.all([
    readMinuteUse(tx, tenantId),
    readOwn(tx, tenantId, 'replay'),
    readOwn(tx, tenantId, 'creation'),
  ]);
  return {
    attempts: { max: BUDGETS.perMinuteMax, used: minute.sent, resetsAt: minute.endsAt },
    replays: { max: BUDGETS.replaysPerDay, ...replays },
    creations: { max: BUDGETS.creationsPerDay, ...creations },
  };
}
