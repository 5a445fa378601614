// Adds rows to the tenants' audit chains, in the transaction of what they tell of: one lock and one update of the head
// per tenant, however many rows. Details hold ids, counts and reasons, never a person's data.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Tx } from '../lib/sql.ts';
import { type AuditRow, linkText } from './rules/chain.ts';
import { insertAuditRows, insertHeads, lockHeads, updateHeads } from './store.ts';

export type AuditEntry = {
  readonly tenantId: string;
  /** A credential's or person's id, or `system`, or `operator`. */
  readonly actor: string;
  readonly action: string;
  readonly subjectId: string;
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
};

export async function appendAudit(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const tenantIds = [...new Set(entries.map(({ tenantId }) => tenantId))];
  const heads = new Map((await lockHeads(tx, tenantIds)).map((head) => [head.tenantId, head]));
  const missing = tenantIds.filter((tenantId) => !heads.has(tenantId));
  if (missing.length > 0) {
    // A tenant's first row ever. Whoever made the head meanwhile is waited for by the second look.
    await insertHeads(tx, missing);
    for (const head of await lockHeads(tx, missing)) heads.set(head.tenantId, head);
  }
  const occurredAt = new Date().toISOString();
  const added: (AuditRow & { hash: Buffer })[] = [];
  for (const entry of entries) {
    const head = heads.get(entry.tenantId);
    assert(head, 'a tenant has no audit chain');
    head.seq += 1;
    const row = { ...entry, seq: head.seq, occurredAt, details: JSON.stringify(entry.details) };
    head.hash = createHash('sha256').update(linkText(row, head.hash)).digest();
    added.push({ ...row, hash: head.hash });
  }
  await Promise.all([insertAuditRows(tx, added), updateHeads(tx, [...heads.values()])]);
}
