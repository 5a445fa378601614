// A tenant reads its audit log, newest first, in pages.
import type { AuditItem, AuditPage, AuditQuery } from '@trefoil/contract';
import type { Database } from '../lib/postgres/database.ts';
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../lib/values/cursor.ts';
import { parseInstant } from '../lib/values/instant.ts';
import {
  type AuditFilter,
  findAuditPlace,
  findLastPlace,
  type ListedAudit,
  listAuditRows,
} from './audit-read-store.ts';
import { FIRST_HASH } from './rules/verify.ts';

const PAGE_FALLBACK = 50;
/** Positions scanned for one page. If a filter matches few of them, the page is short and its cursor continues. */
const WINDOW = 50_000;
/** The timestamps decide; this allows for rows out of order where the clocks of two nodes differ. */
const DISORDER_MARGIN = 10_000;
const isPlace = (text: string) => /^[1-9]\d{0,14}$/.test(text);

function toItem({ occurredAt, previousHash, ...row }: ListedAudit): AuditItem {
  return { ...row, occurredAt: occurredAt.toISOString(), previousHash: previousHash ?? FIRST_HASH };
}

async function toFilter(tx: Tx, tenantId: string, query: AuditQuery): Promise<AuditFilter> {
  const from = query.from && parseInstant(query.from)?.toISOString();
  const to = query.to && parseInstant(query.to)?.toISOString();
  const last = await findLastPlace(tx, tenantId);
  const before = query.cursor === undefined ? last + 1 : Number(readCursor(query.cursor, isPlace));
  const seqFrom = from ? (await findAuditPlace(tx, tenantId, from, last)).low - DISORDER_MARGIN : 1;
  const seqTo = to ? (await findAuditPlace(tx, tenantId, to, last)).high + DISORDER_MARGIN : last + 1;
  return {
    action: query.action ?? null,
    actor: query.actor ?? null,
    subjectId: query.subjectId ?? null,
    from: from ?? '-infinity',
    to: to ?? 'infinity',
    seqFrom: Math.max(1, seqFrom),
    seqTo: Math.min(before, seqTo, last + 1),
  };
}

export async function listAudit(database: Database, tenantId: string, query: AuditQuery): Promise<AuditPage> {
  const limit = query.limit ?? PAGE_FALLBACK;
  return database.forTenants([tenantId], async (tx) => {
    const whole = await toFilter(tx, tenantId, query);
    const page = { ...whole, seqFrom: Math.max(whole.seqFrom, whole.seqTo - WINDOW) };
    await walkInKeyOrder(tx);
    const found = await listAuditRows(tx, tenantId, page, limit + 1);
    const items = found.slice(0, limit).map(toItem);
    const last = items.at(-1);
    if (found.length > limit && last) return { items, nextCursor: writeCursor(String(last.seq)) };
    const isCut = page.seqFrom > whole.seqFrom;
    return { items, nextCursor: isCut ? writeCursor(String(page.seqFrom)) : null };
  });
}
