// What the service needs from a screening provider: one word about one request, and why. Adapters import this file; it
// imports only the contract's words.
import type { GenerateRequest } from '@trefoil/contract';

/** What the fingerprint script saw, out of a device session that opened. */
export type DeviceFacts = {
  readonly deviceDigest: string;
  /** ISO 8601. */
  readonly collectedAt: string;
  readonly network: { readonly ipAddress: string | null; readonly userAgentFamily: string | null };
  /** As the browser says: an IANA name such as Europe/London. */
  readonly timeZone?: string | null;
  /** Marks of a browser that is driven by a program. */
  readonly isAutomated?: boolean;
  /** The script could not collect all it wanted. */
  readonly isDegraded?: boolean;
};

/** How often something was seen before, in live requests of all tenants; counted up to a hundred. */
export type Sightings = {
  readonly hour: number;
  readonly day: number;
  /** Different people within the day, this one not counted. */
  readonly otherPeople: number;
};

export type Velocity = {
  readonly person: Sightings;
  readonly network: Sightings;
  readonly device?: Sightings & { readonly isKnownWithPerson: boolean };
  readonly mobile?: Sightings;
};

export type ScreeningRequest = {
  /** Our credit report id. */
  readonly reference: string;
  readonly consumer: Pick<
    GenerateRequest,
    'title' | 'firstName' | 'middleName' | 'lastName' | 'dateOfBirth' | 'addresses' | 'email' | 'mobileNumber'
  >;
  /** Where the tenant says the consumer calls from. */
  readonly ipAddress: string;
  readonly searchType: string;
  /** Undefined when the device could not be verified. */
  readonly device: DeviceFacts | undefined;
  readonly velocity: Velocity;
};

export type ScreeningOutcome =
  /** Reasons are the provider's codes: for the audit log, never for the client. */
  | { readonly kind: 'allow' | 'challenge' | 'block'; readonly reasons: readonly string[] }
  /** No decision. It is never read as `allow`, and the provider is not asked again. */
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
