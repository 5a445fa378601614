// What the service needs from whoever carries its mail. Adapters import this file; this file imports nothing.
export type Mail = {
  /** The same for every attempt at one mail, so that a mail sent twice can be seen to be one. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/**
 * `unknown` means that it may be on its way. Unlike a text message it costs nobody anything, so it is sent again: a
 * mail arrives at least once (docs/decisions/0132).
 */
export type MailOutcome =
  | { readonly kind: 'accepted' }
  /** Final: this recipient or this mail is not taken, now or later. */
  | { readonly kind: 'refused'; readonly isFinal: boolean; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface MailSender {
  send(mail: Mail): Promise<MailOutcome>;
  close(): void;
}
