// What the hash of an audit row covers: every field of the row and the hash of the row before it. So if a row is edited,
// moved, inserted or removed, the hashes of the later rows no longer fit. The caller computes the hash.
export type AuditRow = {
  readonly tenantId: string;
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly subjectId: string;
  /** Exactly as stored. */
  readonly details: string;
  /** ISO 8601 with milliseconds. */
  readonly occurredAt: string;
};

/** A JSON list: two different rows never give the same text, whatever their fields contain. */
export function linkText(row: AuditRow, previousHash: Buffer): string {
  return JSON.stringify([
    'trefoil/audit/1',
    previousHash.toString('hex'),
    row.tenantId,
    row.seq,
    row.actor,
    row.action,
    row.subjectId,
    row.occurredAt,
    row.details,
  ]);
}
