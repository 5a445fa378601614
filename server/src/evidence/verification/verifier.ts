// The verifier, for the command line and, as the text of the same functions, for the verification page: what the two say of a
// file cannot differ. Node has removed the types from its functions, and each gets as a parameter what it calls, so that its
// text runs in a browser without a bundler.
import { readRestricted, writeCanonical } from '../rules/canonical-json.ts';
import { readPdfAttachments } from './pdf-attachments.ts';
import type { PublishedKey } from './published-keys.ts';
import { type Evidence, readEvidence } from './read-evidence.ts';
import { readStatement } from './read-statement.ts';
import { type Finding, sha256Of, verifyEvidence } from './verify-evidence.ts';
import { isVerifyText } from './verify-text.ts';

export interface Verifier {
  sha256Of(bytes: Uint8Array): Promise<string>;
  /** Throws an Error with a reason for a file that holds no evidence. */
  read(file: Uint8Array): Promise<Evidence>;
  verify(evidence: Evidence, keys: readonly PublishedKey[]): Promise<Finding>;
}

const PARTS = {
  readRestricted,
  writeCanonical,
  readPdfAttachments,
  isVerifyText,
  readEvidence,
  readStatement,
  sha256Of,
  verifyEvidence,
};

function createVerifier(parts: typeof PARTS): Verifier {
  const judges = { ...parts, readStatement: (bytes: Uint8Array) => parts.readStatement(parts, bytes) };
  return {
    sha256Of: parts.sha256Of,
    read: (file) => parts.readEvidence(parts, file),
    verify: (evidence, keys) => parts.verifyEvidence(judges, evidence, keys),
  };
}

export const verifier = createVerifier(PARTS);

/** Defines `verifier` in a page. */
export const VERIFIER_SCRIPT = `${[...Object.values(PARTS), createVerifier].map(String).join('\n')}
const verifier = createVerifier({ ${Object.keys(PARTS).join(', ')} });
`;
