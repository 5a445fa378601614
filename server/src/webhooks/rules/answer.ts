// What a receiver's answer means for the delivery. Pure: the status, the header and the time come in.

export type Verdict =
  | { readonly kind: 'delivered' }
  /** 410: the receiver wants nothing more at this address. */
  | { readonly kind: 'gone'; readonly error: string }
  | { readonly kind: 'failed'; readonly error: string; readonly retryAfterSeconds: number | undefined };

const NOT_REACHED = {
  host: 'The host has no address, or none that webhooks are sent to.',
  timeout: 'No answer within 15 seconds.',
  connection: 'The connection failed or broke.',
  tls: 'The certificate or the TLS handshake is not valid.',
  protocol: 'The answer is not valid HTTP.',
  excess: 'More than 10 informational answers (1xx) or 32 kB came before a status.',
  sealed: "The endpoint's address or its secret cannot be read.",
  confirmations: 'This address said that it was gone, and was asked again too often. Try again in an hour.',
} as const;

export type NotReached = keyof typeof NOT_REACHED;

/** Seconds from a Retry-After header: a number of them, or a date. Undefined when it is neither. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim());
  // Only the date of HTTP: the parser of dates also takes texts that nobody means as one.
  const at = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}

export function judgeAnswer(status: number, retryAfter: string | undefined, now: Date): Verdict {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', error: 'The receiver answered 410 (Gone).' };
  const isRedirect = status >= 300 && status < 400;
  const error = isRedirect
    ? `The receiver answered ${status}; redirects are not followed.`
    : `The receiver answered ${status}.`;
  return { kind: 'failed', error, retryAfterSeconds: readRetryAfter(retryAfter, now) };
}

export function judgeNotReached(reason: NotReached): Verdict {
  return { kind: 'failed', error: NOT_REACHED[reason], retryAfterSeconds: undefined };
}
