// The provenance as the bytes that are sealed: JSON text, deflated, because its records are much alike. Reading
// gives back the exact text, whose digest is in the audit log.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Provenance } from '../../merge/provenance.ts';
import { readProvenance } from '../../merge/provenance-text.ts';

/**
 * Level 3 is hardly slower than 1, and smaller; 6 is a fifth slower. The sizes fit a text of ten kilobytes, which leaves two: with
 * zlib's own, each call takes and frees a quarter of a megabyte (docs/decisions/0219-provenance.md).
 */
export const DEFLATE = { level: 3, memLevel: 6, windowBits: 13, chunkSize: 4_096 } as const;
/** Three files of two thousand accounts each need a few megabytes. */
const TEXT_BYTES_MAX = 32 * 1024 * 1024;

const HEAD = /^\{"reportSalt":"([0-9a-f]{32})","provenance":/;

export type KeptProvenance = {
  readonly provenance: Provenance;
  /** The provenance exactly as it was stored. */
  readonly provenanceText: string;
  /** Salt of the file `report.json`. */
  readonly reportSalt: string;
};

/** `provenanceBytes` are those of the text in UTF-8: they are also a part of `packed`, so they are encoded only once. */
export function packProvenance({ reportSalt, provenanceText }: Omit<KeptProvenance, 'provenance'>): {
  readonly packed: Uint8Array;
  readonly provenanceBytes: Uint8Array;
} {
  const head = `{"reportSalt":"${reportSalt}","provenance":`;
  const bytes = Buffer.from(`${head}${provenanceText}}`);
  return { packed: deflateRawSync(bytes, DEFLATE), provenanceBytes: bytes.subarray(head.length, -1) };
}

/** Throws on anything that `packProvenance` did not make. */
export function unpackProvenance(packed: Uint8Array): KeptProvenance {
  const text = inflateRawSync(packed, { maxOutputLength: TEXT_BYTES_MAX }).toString();
  const [head, reportSalt] = HEAD.exec(text) ?? [];
  if (head === undefined || reportSalt === undefined) throw new Error('a stored provenance has an unknown form');
  const provenanceText = text.slice(head.length, -1);
  return { reportSalt, provenanceText, provenance: readProvenance(provenanceText) };
}
