// What each bureau said about each record of a report, kept beside the report: the merge itself keeps one line per
// agreement, so ends, final payments and disagreements would be lost.
import type { Bureau, BureauResult, GenerateRequest } from '@trefoil/contract';
import type { BureauAccount } from '../bureaus/port.ts';
import type { Lender } from './matching/lender-registry.ts';

/** One bureau's row, as the bureau gave it. */
export type ProvenanceSource = { readonly bureau: Bureau } & Omit<BureauAccount, 'companyNameLimit'>;

export type ProvenanceRecord = {
  /** In the order of the record's `bureaus`, one for each reference there. */
  readonly sources: readonly ProvenanceSource[];
  /** The lender in the registry; null if none was identified. */
  readonly lender: Pick<Lender, 'trading' | 'legal' | 'formerNames'> | null;
};

/** What one bureau that was asked gave back. */
export type ProvenanceReply = BureauResult & {
  /** How many accounts its file has; null without a file. */
  readonly accounts: number | null;
  /** When its answer was complete; null if it did not answer. */
  readonly answeredAt: string | null;
  /** Digest of the reply's bytes, in lower-case hexadecimal digits; null if it did not answer, and in test mode. */
  readonly replySha256: string | null;
};

/** Whom the bureaus were asked about, as the request gave it. */
export type SearchedWith = Pick<
  GenerateRequest,
  'title' | 'firstName' | 'middleName' | 'lastName' | 'dateOfBirth' | 'addresses'
>;

export type Provenance = {
  readonly type: 'trefoil/provenance/1';
  /** 128 random bits, in lower-case hexadecimal digits: the digest of a file without records could be guessed otherwise. */
  readonly salt: string;
  readonly searched: SearchedWith;
  readonly bureaus: readonly ProvenanceReply[];
  /** One for each of the report's records, in their order. */
  readonly records: readonly ProvenanceRecord[];
};
