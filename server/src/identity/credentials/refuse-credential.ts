// The owner of a credential refuses to answer for it. The credential stops, and no other member can enable it in the owner's
// name (docs/decisions/0151-what-a-member-made.md). Open to every owner in any role: no member answers for a credential
// against their will.
import { appendAudit } from '../../audit/append-audit.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { findCredentialOf, findOwned, lockCredential, lockRoles, updateCredential } from './credential-store.ts';

export type OwnCredential = { readonly tenantId: string; readonly credentialId: string; readonly userId: string };

/** The facts for a mail to the owner. Undefined when the address is no longer the owner's. */
export async function describeCredential(database: Database, credentialId: string, ownerEmail: string) {
  const found = await database.asSystem((tx) => findCredentialOf(tx, credentialId, ownerEmail));
  return found && { tenantId: found.tenantId, tenantName: found.tenantName, credentialName: found.name };
}

const isAddress = ({ tenantId, credentialId }: OwnCredential) => isUuid(tenantId) && isUuid(credentialId);

/** Undefined unless the person is an active member and owns the credential now. */
export async function findOwnCredential(database: Database, own: OwnCredential) {
  return isAddress(own) ? database.forTenants([own.tenantId], (tx) => findOwned(tx, own)) : undefined;
}

/** False when the person does not own the credential. */
export async function refuseCredential(database: Database, own: OwnCredential): Promise<boolean> {
  const { tenantId, credentialId, userId } = own;
  if (!isAddress(own)) return false;
  return database.forTenants([tenantId], async (tx) => {
    // The membership is locked before the credential, as in every change to a credential
    // (docs/decisions/0120-lock-order.md).
    const roles = await lockRoles(tx, tenantId, [userId]);
    const credential = roles.has(userId) ? await lockCredential(tx, tenantId, credentialId) : undefined;
    if (credential?.ownerUserId !== userId) return false;
    await updateCredential(tx, tenantId, credentialId, { isEnabled: false, refusedBy: userId });
    const audit = { tenantId, actor: userId, action: 'credential.refused' as const, subjectId: credentialId };
    await appendAudit(tx, [{ ...audit, details: { isEnabled: false } }]);
    return true;
  });
}
