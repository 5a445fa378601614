// What the hash of an audit row covers: every field of the row and the hash of the row before it, so that a row that is
// edited, moved, inserted or removed breaks the chain from there on. The hashing itself is handed in.
export type AuditRow = {
  readonly tenantId: string;
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly subjectId: string;
  /** As stored, to the letter. */
  readonly details: string;
  /** ISO 8601 with milliseconds. */
  readonly occurredAt: string;
};

/** A list in JSON: no two rows read alike, whatever stands in their fields. */
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
