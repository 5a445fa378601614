// What the service needs from a screening provider: one verdict about one request, and its reasons. Adapters import this
// file; it imports only the contract's words.
import type { GenerateRequest } from '@trefoil/contract';

/** What the fingerprint script saw, from a device session that opened. */
export type DeviceFacts = {
  readonly deviceDigest: string;
  /** ISO 8601. */
  readonly collectedAt: string;
  readonly network: { readonly ipAddress: string | null; readonly userAgentFamily: string | null };
  /** As the browser reports it: an IANA name such as Europe/London. */
  readonly timeZone?: string | null;
  /** The browser shows signs of being controlled by a program. */
  readonly isAutomated?: boolean;
  /** The script could not collect everything. */
  readonly isDegraded?: boolean;
};

/** How often a signal was seen before, in live requests of all tenants; counted up to a hundred. */
export type SignalCounts = {
  readonly hour: number;
  readonly day: number;
  /** Other people within the day. */
  readonly otherPeople: number;
};

export type Velocity = {
  readonly person: SignalCounts;
  readonly network: SignalCounts;
  readonly device?: SignalCounts & { readonly isKnownWithPerson: boolean };
  readonly mobile?: SignalCounts;
};

export type ScreeningRequest = {
  /** Our credit report id. */
  readonly reference: string;
  readonly consumer: Pick<
    GenerateRequest,
    'title' | 'firstName' | 'middleName' | 'lastName' | 'dateOfBirth' | 'addresses' | 'email' | 'mobileNumber'
  >;
  /** The consumer's address, as the tenant gives it. */
  readonly ipAddress: string;
  readonly searchType: string;
  /** Undefined when the device could not be verified. */
  readonly device: DeviceFacts | undefined;
  readonly velocity: Velocity;
};

export type ScreeningOutcome =
  /** Reasons are the provider's codes: for the audit log, never for the client. */
  | { readonly kind: 'allow' | 'challenge' | 'block'; readonly reasons: readonly string[] }
  /** No decision. It never counts as `allow`, and the provider is not asked again. */
  | { readonly kind: 'unavailable'; readonly reason: ScreeningUnavailableReason; readonly cause?: unknown };

export type ScreeningUnavailableReason =
  | 'timeout'
  | 'connection'
  | 'refused'
  | 'unintelligible'
  | 'too-large'
  | 'breaker-open'
  | 'overloaded';

export interface Screening {
  /** Never rejects. */
  screen(request: ScreeningRequest): Promise<ScreeningOutcome>;
}
