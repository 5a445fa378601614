// Every accepted mail, and how often each address was tried. In memory, and bounded: the oldest are dropped.
import type { ParsedMail } from './parse.ts';

export type ReceivedMail = ParsedMail & {
  readonly id: string;
  /** The envelope's recipient, in lower case. */
  readonly to: string;
  readonly from: string;
  readonly receivedAt: string;
  readonly raw: string;
};

const MAILS_MAX = 1_000;
const ADDRESSES_MAX = 10_000;

export class MailInbox {
  #mails: ReceivedMail[] = [];
  #attempts = new Map<string, number>();

  countAttempt(to: string): void {
    if (this.#attempts.size >= ADDRESSES_MAX) this.#attempts.clear();
    this.#attempts.set(to, (this.#attempts.get(to) ?? 0) + 1);
  }

  attempts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#attempts);
  }

  add(mail: ReceivedMail): void {
    this.#mails.push(mail);
    if (this.#mails.length > MAILS_MAX) this.#mails.shift();
  }

  /** Newest first. */
  list(to?: string): readonly ReceivedMail[] {
    return this.#mails.filter((mail) => to === undefined || mail.to === to).toReversed();
  }

  find(id: string): ReceivedMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  empty(): void {
    this.#mails = [];
    this.#attempts.clear();
  }
}
