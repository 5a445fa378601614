// What the service needs from a credit bureau, in one form for all three. Adapters import this file; it imports only
// the contract's words. Nothing here is a wire format: an adapter has already checked, cut and re-masked what it got.
import type { AccountStatus, AccountType, Bureau, CompanyType, GenerateRequest } from '@trefoil/contract';

/** `YYYY-MM-DD`, or `YYYY-MM` where the bureau knows only the month. */
export type BureauDate = string;

/** One account as one bureau reports it. Null means that the bureau did not say. */
export type BureauAccount = {
  /** The bureau's own reference; unique within its file. */
  readonly ref: string;
  readonly accountType: AccountType;
  readonly accountStatus: AccountStatus;
  readonly companyType: CompanyType;
  /** As the bureau writes it: any case, possibly cut at `companyNameLimit` characters. */
  readonly companyName: string;
  /** Length at which this bureau cuts names. */
  readonly companyNameLimit: number;
  /** Other names the bureau gives for the lender: legal name, trading names. Never cut. */
  readonly otherCompanyNames: readonly string[];
  readonly title: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The last digits that may be shown: at most four, often three, sometimes none. */
  readonly accountNumberTail: string | null;
  readonly startDate: BureauDate | null;
  readonly endDate: BureauDate | null;
  /** When the bureau last received data about the account. */
  readonly updatedDate: BureauDate | null;
  readonly numberOfPayments: number | null;
  readonly repaymentPeriodMonths: number | null;
  readonly paymentPence: number | null;
  readonly startBalancePence: number | null;
  readonly balancePence: number | null;
  /** Final payment of a PCP agreement. */
  readonly balloonPence: number | null;
  /** 100 where the bureau gives whole pounds, 1 where it gives pence. */
  readonly moneyStepPence: 1 | 100;
  readonly isJoint: boolean | null;
};

/** Premises as the bureau models them, already in the fields of the interface. */
export type BureauAddress = {
  readonly subBuildingName: string | null;
  readonly buildingName: string | null;
  readonly buildingNumber: string | null;
  readonly thoroughfare: string | null;
  readonly district: string | null;
  readonly townOrCity: string | null;
  readonly county: string | null;
  readonly country: string | null;
  readonly postcode: string | null;
  /** Whole months the consumer has been or was there. */
  readonly monthsAtAddress: number | null;
  readonly isCurrent: boolean | null;
};

export type BureauSearch = {
  /** As the bureau writes it: any case, possibly cut at `companyNameLimit` characters. */
  readonly companyName: string;
  /** Length at which this bureau cuts the names of searchers. */
  readonly companyNameLimit: number;
  readonly date: string;
};

export type BureauFile = {
  readonly accounts: readonly BureauAccount[];
  readonly addresses: readonly BureauAddress[];
  readonly searches: readonly BureauSearch[];
};

/** Something new on the wire that did not cost a record: an unknown code, a missing section. One for each
 * field and kind, however often it occurred. */
export type BureauWarning = {
  /** Our own name from a fixed list, such as `account.type`; never a value of the reply. */
  readonly field: string;
  readonly kind: 'unknown-code' | 'missing-section' | 'unreadable-value' | 'duplicate-ref' | 'unmasked-number';
  /** How often, at least once. */
  readonly count: number;
};

/** The reply that an answer was read from. Of several calls it is the one that gave the answer. */
export type ReplyMark = {
  /** SHA-256 of the reply's exact bytes, in lower-case hexadecimal digits. */
  readonly replySha256: string;
  /** When the reply was complete. */
  readonly answeredAt: string;
};

/** What a reader makes of a reply. */
export type ReadOutcome =
  | { readonly kind: 'ok'; readonly file: BureauFile; readonly warnings: readonly BureauWarning[] }
  | { readonly kind: 'no-trace' }
  /** Down, slow, refusing or unintelligible. The enquiry may have been made: it is never repeated. */
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly cause?: unknown };

export type Unavailable = Extract<ReadOutcome, { kind: 'unavailable' }>;

/** What became of an enquiry. An answer names the reply it was read from. */
export type BureauOutcome = (Exclude<ReadOutcome, Unavailable> & ReplyMark) | Unavailable;

export type UnavailableReason =
  | 'timeout'
  | 'connection'
  | 'throttled'
  | 'refused'
  | 'unintelligible'
  | 'too-large'
  | 'breaker-open'
  | 'overloaded'
  | 'not-configured';

/** One enquiry about one consumer. The id is ours and the same for every call of the enquiry. */
export type Enquiry = {
  readonly enquiryId: string;
  readonly consumer: Pick<
    GenerateRequest,
    'title' | 'firstName' | 'middleName' | 'lastName' | 'dateOfBirth' | 'addresses' | 'searchType'
  >;
};

export interface BureauAdapter {
  /** Ends by itself when the signal aborts; resolves to an outcome and never rejects. */
  ask(enquiry: Enquiry, signal: AbortSignal): Promise<BureauOutcome>;
}

/** A file with its bureau, as the merge takes it. */
export type SourcedFile = { readonly bureau: Bureau; readonly file: BureauFile };
