// The statement that is signed: what it says, and its one text. Nothing in it is about a person
// (docs/decisions/0220-evidence.md).
import { type Canonical, writeCanonical } from './canonical-json.ts';

export type Statement = {
  readonly type: 'trefoil/evidence/1';
  /** Our public address: where the keys and the verification page are. */
  readonly issuer: string;
  readonly evidenceId: string;
  readonly creditReportId: string;
  readonly tenantId: string;
  /** The company for which the report was made, as it was named when this was signed. */
  readonly tenantName: string;
  readonly completedAt: string;
  readonly issuedAt: string;
  readonly isTest: boolean;
  readonly kid: string;
  /** In the order of their names; digests in lower-case hexadecimal digits. */
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  /** What each bureau answered; the digest of its reply, null if it did not answer and in test mode. */
  readonly bureauReplies: readonly {
    readonly bureau: string;
    readonly outcome: string;
    readonly sha256: string | null;
  }[];
  /** `at`: when the consumer gave the right code; null without a challenge. */
  readonly authentication: { readonly method: string; readonly at: string | null };
  /** The row of the tenant's audit log in which the digests of the files were fixed. */
  readonly audit: { readonly seq: number; readonly hash: string };
  readonly software: { readonly merge: string; readonly document: string };
};

/** Exactly these bytes, as UTF-8, are signed. */
export const statementText = (statement: Statement): string => writeCanonical(statement as unknown as Canonical);

/** The first 128 bits of the statement's digest: what fits into a QR code and cannot be met by chance. */
export const fragmentOf = (statementSha256: string) => statementSha256.slice(0, 32);
