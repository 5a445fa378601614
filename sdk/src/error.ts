// What a call can end with instead of an answer: the service refused it (TrefoilError), or no answer came
// (TrefoilNoAnswerError). A business outcome such as `blocked` is not an error: see outcome.ts.
import type { ERROR_CODES, MemberEndings, RetentionEffect, SmsLimit } from './openapi-names.ts';

/** A fault of the request: where, and what would be right. */
export type ErrorDetail = { readonly path: string; readonly message: string };

/**
 * Every code of the service. `insufficient-credits` is the second name of `insufficient-funds`, and a client accepts
 * both. `unknown` is an answer without a code: it came from something in front of the service, such as a proxy.
 */
export type ErrorCode = (typeof ERROR_CODES)[number] | 'unknown';

/** The fields that some codes always have. */
type FieldsOf = {
  'insufficient-funds': { readonly required: number; readonly available: number };
  'insufficient-credits': { readonly required: number; readonly available: number };
  'sms-limit-reached': { readonly limit: SmsLimit };
};
type WithCode<Code extends ErrorCode> = { readonly code: Code } & (Code extends keyof FieldsOf
  ? FieldsOf[Code]
  : unknown);

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bytes as UTF-8. */
  readonly text: string;
};

type ErrorBody = {
  code?: ErrorCode;
  message?: string;
  requestId?: string;
  docs?: string;
  details?: ErrorDetail[];
  required?: number;
  available?: number;
  wouldEnd?: MemberEndings;
  wouldErase?: RetentionEffect;
  limit?: SmsLimit;
  creditReportId?: string;
  erasureId?: string;
};

/** The service refused the call. `code` says why, for programs. */
export class TrefoilError extends Error {
  override readonly name = 'TrefoilError';
  /** The HTTP status of the answer. */
  readonly status: number;
  /** Why, for programs. */
  readonly code: ErrorCode;
  /** The faults of the request, with `validation-error`. */
  readonly details: readonly ErrorDetail[];
  // The others are declared alone: a field that the answer lacks must not be printed as undefined.
  /** Quote it when you ask the operator of the service about this call. */
  declare readonly requestId: string | undefined;
  /** The address of the code's documentation page. */
  declare readonly docs: string | undefined;
  /** With insufficient funds: credits that the operation needs. */
  declare readonly required: number | undefined;
  /** With insufficient funds: credits that were available. */
  declare readonly available: number | undefined;
  /** With an unconfirmed removal of a member: what would end with the membership. */
  declare readonly wouldEnd: MemberEndings | undefined;
  /** With an unconfirmed shorter retention: what it would erase. */
  declare readonly wouldErase: RetentionEffect | undefined;
  /** With too many messages: which limit was reached, and when it resets. */
  declare readonly limit: SmsLimit | undefined;
  /** With `service-unavailable`: the report that the request may have started. */
  declare readonly creditReportId: string | undefined;
  /** With `service-unavailable`: the erasure that the request may have begun. The operator of the service has its receipt. */
  declare readonly erasureId: string | undefined;
  /** Seconds to wait before trying again, if the service sent them. */
  declare readonly retryAfterSeconds: number | undefined;
  /** The key that every send of this call had: a repeat with it has no second effect. */
  declare readonly idempotencyKey: string | undefined;

  constructor(answer: Omit<Answer, 'bytes'>, idempotencyKey?: string) {
    const body = readBody(answer);
    super(body.message ? withDetails(body) : describeForeignAnswer(answer));
    this.status = answer.status;
    this.code = body.code ?? 'unknown';
    this.details = body.details ?? [];
    const { docs, required, available, wouldEnd, wouldErase, limit, creditReportId, erasureId } = body;
    assignPresent<TrefoilError>(this, {
      requestId: body.requestId ?? answer.headers.get('x-request-id') ?? undefined,
      ...{ docs, required, available, wouldEnd, wouldErase, limit, creditReportId, erasureId },
      retryAfterSeconds: readRetryAfter(answer.headers),
      idempotencyKey,
    });
  }

  /** Narrows the error to one of these codes and to the fields that come with them. */
  is<Code extends ErrorCode>(...codes: Code[]): this is TrefoilError & { [C in Code]: WithCode<C> }[Code] {
    return (codes as ErrorCode[]).includes(this.code);
  }

  /** Both codes mean the same; a client accepts either (Interface, "Errors"). */
  get isInsufficientFunds(): boolean {
    return this.is('insufficient-funds', 'insufficient-credits');
  }
}

/** The time of the call was over, or there was no connection. */
export type NoAnswerReason = 'time-limit' | 'connection';

/** No answer arrived, so the caller does not know whether the call had its effect, unless `wasSent` is false. */
export class TrefoilNoAnswerError extends Error {
  override readonly name = 'TrefoilNoAnswerError';
  /** Why there is no answer. */
  readonly reason: NoAnswerReason;
  /** The key of the call. Repeat the call with it: if the first call had its effect, the repeat returns its answer. */
  declare readonly idempotencyKey: string | undefined;
  /** False only if no connection was ever made: then the call certainly had no effect. */
  readonly wasSent: boolean;

  constructor(message: string, fields: Pick<TrefoilNoAnswerError, 'reason' | 'idempotencyKey' | 'wasSent' | 'cause'>) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.reason = fields.reason;
    this.wasSent = fields.wasSent;
    assignPresent<TrefoilNoAnswerError>(this, { idempotencyKey: fields.idempotencyKey });
  }
}

function assignPresent<Target extends object>(
  target: Target,
  fields: { readonly [Name in keyof Target]?: Target[Name] | undefined },
): void {
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) Object.assign(target, { [name]: value });
}

function readBody({ text }: Pick<Answer, 'text'>): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** What to do, in the words of this library, for codes whose sentence only says what happened. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  forbidden: 'Check tenantId (listTenants() returns yours), and the scopes of the credential.',
  'idempotency-key-reused': 'Use a new key for a new request, and the old key only to repeat the same values.',
  'credit-report-not-found':
    'Use creditReportId of the generate answer, with the tenant that generated it; a test-only credential finds test reports alone.',
  'challenge-not-found': 'Use challengeId and creditReportId of the same generate answer.',
};

/** The faults belong in the message: it is what a developer sees in a log. */
function withDetails({ code, message = '', details = [] }: ErrorBody): string {
  const faults = details.slice(0, 5).map(({ path, message: fault }) => `${path || 'body'}: ${fault}`);
  return [message, ...faults, (code && REMEDIES[code]) ?? []].flat().join(' ');
}

function describeForeignAnswer({ status, headers, text }: Omit<Answer, 'bytes'>): string {
  const location = headers.get('location');
  if (location) {
    return `The address redirects to ${location} (HTTP ${status}), and a redirected POST would lose its body. Use the final address as baseUrl.`;
  }
  if (status === 0) return 'The address redirects. Use the final address as baseUrl.';
  const kind = text === '' ? 'an empty body' : 'a body that is not an answer of the service';
  return `HTTP ${status} with ${kind}: something else answered, such as a proxy or another program. Check baseUrl: it is the address of the service, without a path of the API.`;
}

/** Seconds, or the date that some proxies send. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - Date.now()) / 1_000));
}
