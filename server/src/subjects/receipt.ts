// The receipt of an erasure: what it says, its one text, its signature and the check of it. It holds ids, counts and times, and
// nothing about a person (docs/decisions/0262-erasure-with-a-receipt.md).
import { sign, verify } from 'node:crypto';
import { type EvidenceRing, privateKeyOf, publicKeyOf } from '../evidence/evidence-keys.ts';
import { type Canonical, readRestricted, writeCanonical } from '../evidence/rules/canonical-json.ts';
import type { PublishedKey } from '../evidence/verification/published-keys.ts';
import { isUuid } from '../lib/ids.ts';

export type Receipt = {
  readonly type: 'trefoil/erasure/1';
  /** Our public address: where the keys are. */
  readonly issuer: string;
  readonly erasureId: string;
  readonly tenantId: string;
  readonly erasedAt: string;
  readonly kid: string;
  /** Reports that can never be read again. */
  readonly creditReportIds: readonly string[];
  /** Rows that were deleted or emptied, by what they held. */
  readonly erased: Readonly<Record<string, number>>;
  /** What stays. Each is without the person; `statementLines` are lines that the law keeps, by their ids. */
  readonly kept: {
    readonly statementLines: readonly string[];
    readonly others: readonly string[];
  };
};

/** What else stays, by the words of docs/guides/subjects.md. */
export const KEPT_OTHERS = [
  'audit-rows',
  'events-30-days',
  'evidence-without-data-6-years',
  'idempotency-keys-25-hours',
  'message-states',
  'mobile-counts-of-all-companies-25-hours',
  'mobile-counts-of-this-company-25-hours',
  'report-ids-times-and-outcomes',
  'webhook-deliveries-30-days',
] as const;

export type SignedReceipt = { readonly receipt: string; readonly signature: string; readonly kid: string };

export type ReceiptSigner = {
  readonly issuer: string;
  readonly kid: string;
  sign(text: string): Buffer;
};

export function createReceiptSigner(issuer: string, [key]: EvidenceRing): ReceiptSigner {
  const privateKey = privateKeyOf(key);
  return { issuer, kid: key.kid, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

/** Exactly these bytes, as UTF-8, are signed. */
export const receiptText = (receipt: Receipt): string => writeCanonical(receipt as unknown as Canonical);

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Undefined unless the text is the one text of a receipt. */
function readReceipt(text: string): Receipt | undefined {
  try {
    const value = readRestricted(text);
    if (writeCanonical(value) !== text) return undefined;
    const receipt = value as unknown as Receipt;
    const isReceipt =
      receipt.type === 'trefoil/erasure/1' &&
      [receipt.erasureId, receipt.tenantId].every((id) => typeof id === 'string' && isUuid(id)) &&
      [receipt.issuer, receipt.kid].every((each) => typeof each === 'string') &&
      typeof receipt.erasedAt === 'string' &&
      !Number.isNaN(Date.parse(receipt.erasedAt)) &&
      isTexts(receipt.creditReportIds) &&
      receipt.creditReportIds.every(isUuid) &&
      isTexts(receipt.kept?.statementLines);
    return isReceipt ? receipt : undefined;
  } catch {
    return undefined;
  }
}

export type ReceiptVerdict = 'good' | 'altered' | 'unknown-key' | 'revoked-key' | 'key-not-valid';

/** `receipt` only of a text that one of the keys signed. */
export type ReceiptFinding = { readonly verdict: ReceiptVerdict; readonly receipt: Receipt | undefined };

/** Judges by the published keys, without a database and without a network. */
export function verifyReceipt(signed: SignedReceipt, keys: readonly PublishedKey[]): ReceiptFinding {
  const receipt = readReceipt(signed.receipt);
  if (!receipt || receipt.kid !== signed.kid) return { verdict: 'altered', receipt: undefined };
  const key = keys.find(({ kid }) => kid === receipt.kid);
  if (!key) return { verdict: 'unknown-key', receipt: undefined };
  const signature = Buffer.from(signed.signature, 'base64');
  const isWritten = signature.length === 64 && signature.toString('base64') === signed.signature;
  if (!isWritten || !verify(null, Buffer.from(signed.receipt), publicKeyOf(key), signature)) {
    return { verdict: 'altered', receipt: undefined };
  }
  const at = Date.parse(receipt.erasedAt);
  const isInTime = at >= Date.parse(key.validFrom) && (key.validUntil === null || at < Date.parse(key.validUntil));
  if (!isInTime) return { verdict: 'key-not-valid', receipt };
  return { verdict: key.revokedAt === null ? 'good' : 'revoked-key', receipt };
}
