// A person's actions belong to no single tenant: each is written to the chain of every tenant they are a member of.
import { type AuditEntry, appendAudit } from '../../audit/append-audit.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listTenantIdsOf } from '../../tenants/list-tenants.ts';

export type PersonAction =
  | 'person.signed-in'
  | 'person.sign-in-failed'
  | 'person.proof-failed'
  | 'person.signed-out'
  | 'person.enabled'
  | 'person.disabled'
  | 'token.issued'
  | 'factor.added'
  | 'factor.removed'
  | 'factor.link-made'
  | 'factor.link-asked-for'
  | 'password.changed'
  | 'password.reset-link-made';

/** Opens its own transactions, so callers call it after they commit the change and before they respond. */
export async function auditPerson(
  database: Database,
  userId: string,
  action: PersonAction,
  details: AuditEntry['details'] = {},
): Promise<void> {
  // A failed proof may come from another person.
  const actor = action === 'person.sign-in-failed' || action === 'person.proof-failed' ? 'system' : userId;
  await auditAs(database, actor, { userId, action, details });
}

/** The same for another actor's action on the person, such as the operator's. */
export async function auditAs(
  database: Database,
  actor: string,
  { userId, action, details }: { userId: string; action: PersonAction; details: AuditEntry['details'] },
): Promise<void> {
  const tenantIds = await database.asSystem((tx) => listTenantIdsOf(tx, userId));
  if (tenantIds.length === 0) return;
  await database.forTenants(tenantIds, (tx) =>
    appendAudit(
      tx,
      tenantIds.map((tenantId) => ({ tenantId, actor, action, subjectId: userId, details })),
    ),
  );
}
