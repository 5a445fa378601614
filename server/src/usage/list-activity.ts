// What happened last in a company: outcomes of reports and news of the wallet from events, and what people changed from the audit
// log, as far as the reader may see each. Ids, credits and times only.
import type { ActivityData, ActivityItem, ActivityQuery } from '@trefoil/contract';
import { listRecentAudit } from '../audit/list-recent-audit.ts';
import { listRecentEvents } from '../events/list-recent-events.ts';
import type { Caller } from '../http/authenticate.ts';
import type { Database } from '../lib/postgres/database.ts';

const LIMIT_DEFAULT = 50;
const REPORT_EVENTS = ['credit-report'] as const;
const WALLET_EVENTS = ['wallet.topped-up', 'wallet.low'] as const;
/** The parts before the dot of the actions that people take; what requests do to reports is in the events. */
const ACTIONS = ['member', 'invitation', 'credential', 'webhook', 'settings', 'tenant', 'price'] as const;

type Reader = Pick<Caller, 'tenantId' | 'scopes' | 'isTestOnly'>;

export async function listActivity(
  database: Database,
  { tenantId, scopes, isTestOnly }: Reader,
  { limit = LIMIT_DEFAULT, test = false }: ActivityQuery,
): Promise<ActivityData> {
  // A test-only credential sees test mode and nothing else.
  const isTest = test || isTestOnly;
  // The test wallet is for rehearsals: what happens to it is no news of the company.
  const types = [...REPORT_EVENTS, ...(scopes.has('wallet:read') && !isTest ? WALLET_EVENTS : [])];
  const [events, actions] = await database.forTenants([tenantId], (tx) =>
    Promise.all([
      listRecentEvents(tx, tenantId, { types, isTest }, limit),
      scopes.has('audit:read') && !isTest ? listRecentAudit(tx, tenantId, ACTIONS, limit) : [],
    ]),
  );
  const items: ActivityItem[] = [
    ...events.map(({ id, type, createdAt, data }) => ({
      ...{ id, kind: type, occurredAt: createdAt, creditReportId: data.creditReportId ?? null },
      ...{ subjectId: null, actor: null, amount: data.amount ?? null },
    })),
    ...actions.map(({ seq, action, actor, subjectId, occurredAt }) => ({
      ...{ id: `audit-${seq}`, kind: action, occurredAt: occurredAt.toISOString(), creditReportId: null },
      ...{ subjectId, actor, amount: null },
    })),
  ];
  return { items: items.toSorted((a, b) => b.occurredAt.localeCompare(a.occurredAt)).slice(0, limit) };
}
