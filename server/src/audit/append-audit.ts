// Adds rows to the tenants' audit chains, in the transaction of the change they record: one lock and one update of the
// head per tenant, however many rows. Details hold ids, counts and reasons, never personal data.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Tx } from '../lib/postgres/sql.ts';
import type { AuditAction } from './rules/audit-action.ts';
import { linkText } from './rules/chain.ts';
import { type Head, insertAuditRows, insertHeads, lockHeads } from './store.ts';

export type AuditEntry = {
  readonly tenantId: string;
  /** A credential's or person's id, or `system`, or `operator`. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
};

export interface Chains {
  /** Appends rows to the chains and writes them. Call it once. */
  append(entries: readonly AuditEntry[]): Promise<void>;
}

/** Locks the heads of these tenants' chains: after the wallets, as the last locks of a transaction. */
export async function openChains(tx: Tx, tenantIds: readonly string[]): Promise<Chains> {
  const asked = [...new Set(tenantIds)];
  const heads = new Map((asked.length > 0 ? await lockHeads(tx, asked) : []).map((head) => [head.tenantId, head]));
  const missing = asked.filter((tenantId) => !heads.has(tenantId));
  if (missing.length > 0) {
    // A tenant's first row. If another transaction creates the head concurrently, the second `lockHeads` waits for it.
    await insertHeads(tx, missing);
    for (const head of await lockHeads(tx, missing)) heads.set(head.tenantId, head);
  }

  return {
    async append(entries) {
      if (entries.length === 0) return;
      const occurredAt = new Date().toISOString();
      const grown = new Set<Head>();
      const added = entries.map((entry) => {
        const head = heads.get(entry.tenantId);
        assert(head, 'a tenant has no audit chain, or it was not opened');
        head.seq += 1;
        const row = { ...entry, seq: head.seq, occurredAt, details: JSON.stringify(entry.details) };
        head.hash = createHash('sha256').update(linkText(row, head.hash)).digest();
        grown.add(head);
        return { ...row, hash: head.hash };
      });
      await insertAuditRows(tx, added, [...grown]);
    },
  };
}

export async function appendAudit(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  const chains = await openChains(
    tx,
    entries.map(({ tenantId }) => tenantId),
  );
  await chains.append(entries);
}
