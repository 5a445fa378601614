// The phones: every accepted message, and how often each send was submitted. In memory, and bounded: the oldest
// are dropped first.
import type { Overrides } from './overrides.ts';
import type { Segments } from './segments.ts';

export type Receipt = {
  readonly status: string;
  readonly at: string;
  /** The HTTP status of the response; null when there was none. */
  readonly answer: number | null;
};

export type Message = Segments & {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly body: string;
  /** `send` in the query of the callback's address, when there is one. */
  readonly sendId: string | null;
  /** Without its fragment, which is in `overrides`. */
  readonly callback: string | null;
  readonly overrides: Overrides;
  readonly receivedAt: string;
  readonly receipts: Receipt[];
  /** The message's state at the carrier, which it reports when asked. */
  state: string;
  /** How often the service asked about it. */
  asks: number;
  /** Cancels its remaining receipts. */
  readonly stop: AbortController;
};

const MESSAGES_MAX = 10_000;
const SUBMITS_MAX = 50_000;
const RECEIPTS_MAX = 200;

export class Inbox {
  #messages = new Map<string, Message>();
  #submits = new Map<string, number>();

  /** Counts every readable submit, even one that is refused afterwards. */
  countSubmit(sendId: string | null): void {
    if (sendId === null) return;
    const count = this.submitsOf(sendId) + 1;
    this.#submits.set(sendId, count);
    forgetOldest(this.#submits, SUBMITS_MAX);
  }

  submitsOf(sendId: string | null): number {
    return sendId === null ? 0 : (this.#submits.get(sendId) ?? 0);
  }

  submits(): readonly { readonly sendId: string; readonly submits: number }[] {
    return [...this.#submits].map(([sendId, submits]) => ({ sendId, submits }));
  }

  forgetSubmits(): void {
    this.#submits.clear();
  }

  add(message: Message): void {
    this.#messages.set(message.sid, message);
    forgetOldest(this.#messages, MESSAGES_MAX);
  }

  addReceipt({ receipts }: Message, receipt: Receipt): void {
    receipts.push(receipt);
    if (receipts.length > RECEIPTS_MAX) receipts.shift();
  }

  /** Newest first. */
  list(to?: string): readonly Message[] {
    const all = [...this.#messages.values()].reverse();
    return to === undefined ? all : all.filter((message) => message.to === to);
  }

  get(sid: string): Message | undefined {
    return this.#messages.get(sid);
  }

  find(wanted: { readonly sid?: unknown; readonly sendId?: unknown }): Message | undefined {
    return this.list().find(({ sid, sendId }) => sid === wanted.sid || (sendId !== null && sendId === wanted.sendId));
  }

  /** Also cancels the remaining receipts. */
  empty(): void {
    for (const { stop } of this.#messages.values()) stop.abort();
    this.#messages.clear();
  }
}

function forgetOldest(map: Map<string, unknown>, max: number): void {
  if (map.size <= max) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
