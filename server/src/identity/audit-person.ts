// What a person does belongs to no one tenant: it is written to the chain of every tenant they are a member of.
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import type { Database } from '../lib/database.ts';
import { listTenantIdsOf } from './sign-in/sign-in-store.ts';

export type PersonAction =
  | 'person.signed-in'
  | 'person.sign-in-failed'
  | 'person.signed-out'
  | 'person.enabled'
  | 'person.disabled'
  | 'token.issued'
  | 'factor.added'
  | 'factor.removed'
  | 'password.changed'
  | 'password.reset-link-made';

/** Opens transactions of its own, so it is called after the change has been committed and before it is answered. */
export async function auditPerson(
  database: Database,
  userId: string,
  action: PersonAction,
  details: AuditEntry['details'] = {},
): Promise<void> {
  // Whoever failed to prove to be this person may be somebody else.
  const actor = action === 'person.sign-in-failed' ? 'system' : userId;
  await auditAs(database, actor, { userId, action, details });
}

/** The same for what somebody else did to the person, such as the operator. */
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
