// The two files of a complete report that its evidence vouches for, byte for byte, and their digests. The digests are fixed
// when the report is completed; the evidence makes the same files again, and the two must agree. Each file has a salt of
// its own: without one, the digest of a report without records could be guessed from the person's details.
import { hash } from 'node:crypto';
import { takeRandom } from '../../lib/crypto/random-pool.ts';

const SALT_BYTES = 16;

/** 128 random bits each, in lower-case hexadecimal digits. */
export type Salts = { readonly report: string; readonly provenance: string };

export function newSalts(): Salts {
  return { report: takeRandom(SALT_BYTES).toString('hex'), provenance: takeRandom(SALT_BYTES).toString('hex') };
}

export type ReportFiles = {
  /** The content of `report.json`. */
  readonly report: string;
  /** The content of `provenance.json`. */
  readonly provenance: string;
};

/** In lower-case hexadecimal digits. */
export type FileDigests = { readonly reportSha256: string; readonly provenanceSha256: string };

export type FileSources = {
  readonly reportSalt: string;
  /** The report exactly as it was stored and sent. */
  readonly reportText: string;
  /** The provenance exactly as it is stored; it contains its own salt. */
  readonly provenanceText: string;
};

/** The bytes are these texts in UTF-8. */
export function reportFiles({ reportSalt, reportText, provenanceText }: FileSources): ReportFiles {
  return { report: `{"salt":"${reportSalt}","report":${reportText}}`, provenance: provenanceText };
}

const REPORT_HEAD = /^\{"salt":"([0-9a-f]{32})","report":/;

/** The reverse, for `report.json`. Undefined for a text that `reportFiles` did not write. */
export function readReportFile(text: string): Pick<FileSources, 'reportSalt' | 'reportText'> | undefined {
  const [head, reportSalt] = REPORT_HEAD.exec(text) ?? [];
  if (head === undefined || reportSalt === undefined || !text.endsWith('}')) return undefined;
  return { reportSalt, reportText: text.slice(head.length, -1) };
}

/** Of the files as texts or as bytes. */
export function digestFiles({ report, provenance }: Record<keyof ReportFiles, string | Uint8Array>): FileDigests {
  return { reportSha256: hash('sha256', report, 'hex'), provenanceSha256: hash('sha256', provenance, 'hex') };
}
