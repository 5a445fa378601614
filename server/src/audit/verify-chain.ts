// Verifies the tenants' audit chains from their first row to their heads, in short transactions, while the service
// runs. It only reads.
import { createHash } from 'node:crypto';
import type { Database } from '../lib/postgres/database.ts';
import {
  type ChainEnds,
  type ChainHead,
  countChainEnds,
  listChainTenants,
  listHeads,
  readStretch,
} from './audit-read-store.ts';
import { type AuditRow, linkText } from './rules/chain.ts';
import { createChainCheck, type Finding } from './rules/verify.ts';

export type Anchor = ChainHead;
export type Verified = {
  readonly rows: number;
  readonly tenants: number;
  readonly findings: readonly (Finding & { readonly tenantId: string })[];
};

const BATCH = 5_000;
const PROGRESS_EVERY = 100_000;

function hashOf(row: AuditRow, previousHash: string): string {
  return createHash('sha256')
    .update(linkText(row, Buffer.from(previousHash, 'hex')))
    .digest('hex');
}

async function verifyTenant(
  database: Database,
  tenantId: string,
  anchors: readonly Anchor[],
  onRows: (count: number) => void,
): Promise<readonly Finding[]> {
  const check = createChainCheck(
    hashOf,
    anchors.filter((anchor) => anchor.tenantId === tenantId),
  );
  let afterSeq = 0;
  for (;;) {
    const from = afterSeq;
    const { rows, head } = await database.asSystem((tx) => readStretch(tx, tenantId, from, BATCH));
    check.add(rows);
    onRows(rows.length);
    afterSeq = rows.at(-1)?.seq ?? afterSeq;
    if (rows.length < BATCH || check.isFull) return check.end(head);
  }
}

export type VerifyOptions = {
  readonly tenantId: string | undefined;
  readonly anchors: readonly Anchor[];
  readonly onProgress: (sentence: string) => void;
};

export async function verifyChains(
  database: Database,
  { tenantId, anchors, onProgress }: VerifyOptions,
): Promise<Verified> {
  const known = tenantId === undefined ? await database.asSystem(listChainTenants) : [tenantId];
  // If a tenant's whole chain is gone, only its anchor shows that it existed.
  const anchored = tenantId === undefined ? anchors.map((anchor) => anchor.tenantId) : [];
  const tenantIds = [...new Set([...known, ...anchored])];
  const findings: Verified['findings'][number][] = [];
  let rows = 0;
  for (const [index, each] of tenantIds.entries()) {
    const found = await verifyTenant(database, each, anchors, (count) => {
      const before = rows;
      rows += count;
      if (Math.floor(before / PROGRESS_EVERY) === Math.floor(rows / PROGRESS_EVERY)) return;
      onProgress(`${rows.toLocaleString('en-GB')} rows, tenant ${index + 1} of ${tenantIds.length} …`);
    });
    findings.push(...found.map((finding) => ({ tenantId: each, ...finding })));
  }
  return { rows, tenants: tenantIds.length, findings };
}

/** The current end of every chain. Kept elsewhere, they later show that nothing before them was rewritten or cut off. */
export function readAnchors(database: Database): Promise<Anchor[]> {
  return database.asSystem(listHeads);
}

/** A quick look at the end of every chain; it says nothing about the rows before. */
export const checkChainEnds = (database: Database): Promise<ChainEnds> => database.asSystem(countChainEnds);
