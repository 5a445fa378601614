// What the service needs from a mail carrier. Adapters import this file; this file imports nothing.
export type Mail = {
  /** The same for every attempt at one mail, so that a mail sent twice can be recognised as one. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/**
 * `unknown` means that the mail may be on its way. Unlike a text message it is free, so it is sent again: a
 * mail arrives at least once (docs/decisions/0132-mail.md).
 */
export type MailOutcome =
  | { readonly kind: 'accepted' }
  /** Final means that this recipient or this mail is refused now and later. */
  | { readonly kind: 'refused'; readonly isFinal: boolean; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface MailSender {
  send(mail: Mail): Promise<MailOutcome>;
  close(): void;
}
