// What the service needs from an SMS carrier. Adapters import this file; this file imports nothing. A carrier takes
// messages and tells later what became of them; what a receipt changes is not its business.

/** `sendId` is ours and belongs to one send: it comes back with every receipt. */
export type SmsMessage = {
  /** E.164. */
  readonly to: string;
  readonly text: string;
  readonly sendId: string;
  readonly tenantId: string;
};

export type SmsOutcome =
  | { readonly kind: 'accepted'; readonly carrierRef: string }
  /** The carrier did not take it, or nothing reached the carrier. `reason` is a code, never the carrier's own text. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The carrier may have sent it: never send it again; only a receipt or a right code bills it. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

export interface SmsSender {
  /** Submits once, and not again whatever happens. Resolves to an outcome in bounded time and never rejects. */
  send(message: SmsMessage): Promise<SmsOutcome>;
}

/** Receipts come in any order and any number of times; the pair of `carrierRef` and `status` is what makes one new. */
export type CarrierReceipt = {
  readonly tenantId: string;
  readonly sendId: string;
  readonly carrierRef: string;
  readonly status: 'sent' | 'delivered' | 'undelivered';
};

export type ReceiptReading =
  | { readonly kind: 'receipt'; readonly receipt: CarrierReceipt }
  /** Queued, being sent: nothing to store. */
  | { readonly kind: 'progress' }
  /** Not signed by the carrier for our account. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unreadable' };

/** A request of the carrier to us, as it came in. */
export type ReceiptRequest = {
  /** Path and query, byte for byte as received: the signature is over them. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

export interface ReceiptReader {
  /** Pure, and never throws. */
  readReceipt(request: ReceiptRequest): ReceiptReading;
}

export type Carrier = SmsSender &
  ReceiptReader & {
    /** As in `/v1/carriers/{name}/receipts`. */
    readonly name: string;
    /** Waits for the sends in flight. */
    close(): Promise<void>;
  };
