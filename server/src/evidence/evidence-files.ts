// What the evidence of a report hands to the painter of its document. The document is painted from these files and nothing
// else, so a holder of the files can paint it again.
import { createHash } from 'node:crypto';
import { fragmentOf, type Statement } from './rules/statement.ts';
import { verifyText } from './verification/verify-text.ts';

/** A file attached to the document, which its reader can verify without us. */
export type EvidenceFile = {
  readonly name: 'statement.json' | 'statement.sig' | 'report.json' | 'provenance.json' | 'VERIFY.txt';
  readonly description: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
};

export type EvidenceFiles = {
  readonly evidenceId: string;
  /** The company as it was named when the statement was signed. */
  readonly tenantName: string;
  /** Id of the key that signed. */
  readonly kid: string;
  /** Digest of the statement, in lower-case hexadecimal digits. */
  readonly statementSha256: string;
  /** Address of the page that verifies the document; its fragment holds the first 128 bits of the statement's digest. */
  readonly verifyUrl: string;
  readonly issuedAt: Date;
  readonly files: readonly EvidenceFile[];
};

const KINDS = {
  'statement.json': { description: 'What was signed', mediaType: 'application/json' },
  'statement.sig': { description: 'Ed25519 signature of statement.json', mediaType: 'application/octet-stream' },
  'report.json': { description: 'The report as data', mediaType: 'application/json' },
  'provenance.json': { description: 'What each credit reference agency said', mediaType: 'application/json' },
  'VERIFY.txt': { description: 'How to verify this report', mediaType: 'text/plain' },
} as const;

export type SignedBytes = Readonly<Record<'statement' | 'signature' | 'report' | 'provenance', Buffer>>;

export function listFiles(statement: Statement, bytes: SignedBytes): EvidenceFiles {
  const { issuer, evidenceId, kid, tenantName, issuedAt } = statement;
  const statementSha256 = createHash('sha256').update(bytes.statement).digest('hex');
  const contents: Readonly<Record<EvidenceFile['name'], Buffer>> = {
    'statement.json': bytes.statement,
    'statement.sig': bytes.signature,
    'report.json': bytes.report,
    'provenance.json': bytes.provenance,
    'VERIFY.txt': Buffer.from(verifyText({ issuer, kid })),
  };
  const names = Object.keys(KINDS) as EvidenceFile['name'][];
  return {
    ...{ evidenceId, tenantName, kid, statementSha256, issuedAt: new Date(issuedAt) },
    verifyUrl: `${issuer}/v/${evidenceId}#${fragmentOf(statementSha256)}`,
    files: names.map((name) => ({ name, ...KINDS[name], bytes: contents[name] })),
  };
}
