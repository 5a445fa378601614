// What the service needs from an SMS carrier. Adapters import this file; this file imports nothing. A carrier accepts
// messages and later reports their state, unasked or asked. The consequences are not the adapter's concern.

/** `sendId` is ours and belongs to one send: every receipt returns it. */
export type SmsMessage = {
  /** E.164. */
  readonly to: string;
  readonly text: string;
  readonly sendId: string;
  readonly tenantId: string;
};

export type SmsOutcome =
  | { readonly kind: 'accepted'; readonly carrierRef: string }
  /** The carrier did not accept it, or nothing reached the carrier. `reason` is a code, never the carrier's own text. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The carrier may have sent it: never send it again; only a receipt or a right code bills it. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

export interface SmsSender {
  /** Submits once, and never again. Resolves to an outcome in bounded time and never rejects. */
  send(message: SmsMessage): Promise<SmsOutcome>;
}

/** Receipts come in any order and any number of times; a receipt is new when its `carrierRef` and `status` are. */
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

/** A request from the carrier to us, as received. */
export type ReceiptRequest = {
  /** Path and query, byte for byte as received: the signature covers them. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** A carrier that reports by HTTP: its requests come to `/v1/carriers/{name}/receipts`. */
export interface ReceiptReader {
  /** Pure, and never throws. */
  readReceipt(request: ReceiptRequest): ReceiptReading;
}

/** A carrier that reports over its own connection, as SMPP does. */
export interface ReceiptPusher {
  /**
   * Called once, before the first message is sent. The adapter acknowledges a receipt to the carrier when `take` has
   * resolved, and not when it has rejected: the carrier then reports it again.
   */
  pushReceipts(take: (receipt: CarrierReceipt) => Promise<void>): void;
}

/** The carrier's answer to a question about an accepted message. */
export type AskOutcome =
  | { readonly kind: 'final'; readonly status: 'delivered' | 'undelivered' }
  /** The carrier answered, and the message has no final state yet. */
  | { readonly kind: 'open' }
  /** The carrier could not be asked, or its answer is not understood: this says nothing about the message. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

export interface MessageAsker {
  /** Changes nothing at the carrier. Resolves to an outcome in bounded time and never rejects. */
  ask(carrierRef: string): Promise<AskOutcome>;
}

/** Not every carrier can be asked. Without a receipt, nothing more is learned from a carrier that cannot. */
export type Carrier = SmsSender &
  Partial<ReceiptReader> &
  Partial<ReceiptPusher> &
  Partial<MessageAsker> & {
    /** Written to the audit log, and part of the address of receipts over HTTP. */
    readonly name: string;
    /** Waits for the sends and questions in flight. */
    close(): Promise<void>;
  };
