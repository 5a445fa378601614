// What is kept of a report when it is completed, beside its text: the packed provenance and the digests for the audit row.
// Pure: the salts come in.
import type { Provenance } from '../../merge/provenance.ts';
import { writeProvenance } from '../../merge/provenance-text.ts';
import { packProvenance } from './pack-provenance.ts';
import { digestFiles, type FileDigests, reportFiles } from './report-files.ts';

export type KeptReport = {
  readonly reportText: string;
  /** Ready to be sealed. */
  readonly packedProvenance: Uint8Array;
  readonly digests: FileDigests;
};

export function keepReport(reportText: string, provenance: Provenance, reportSalt: string): KeptReport {
  const provenanceText = writeProvenance(provenance);
  const { packed, provenanceBytes } = packProvenance({ reportSalt, provenanceText });
  const { report } = reportFiles({ reportSalt, reportText, provenanceText });
  return {
    reportText,
    packedProvenance: packed,
    digests: digestFiles({ report, provenance: provenanceBytes }),
  };
}
