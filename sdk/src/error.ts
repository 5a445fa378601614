// Every refusal of the service as one error class.
import type { components } from './openapi-types.ts';

export type MemberEndings = components['schemas']['MemberEndings'];
export type SmsLimit = components['schemas']['SmsLimit'];
export type ErrorDetail = { readonly path: string; readonly message: string };

type ErrorBody = {
  code?: string;
  message?: string;
  requestId?: string;
  docs?: string;
  details?: ErrorDetail[];
  required?: number;
  available?: number;
  wouldEnd?: MemberEndings;
  limit?: SmsLimit;
};

export class TrefoilError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** The address of the code's documentation page. */
  readonly docs: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** With insufficient funds: credits the operation needs, and credits that were available for it. */
  readonly required: number | undefined;
  readonly available: number | undefined;
  /** With an unconfirmed removal of a member: what would end with the membership. */
  readonly wouldEnd: MemberEndings | undefined;
  /** With too many messages: which limit was reached, and when it resets. */
  readonly limit: SmsLimit | undefined;
  /** Seconds to wait before trying again, if the service sent them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: ErrorBody) {
    super(body.message ?? `HTTP ${response.status}`);
    this.name = 'TrefoilError';
    this.status = response.status;
    this.code = body.code ?? 'unknown';
    this.requestId = body.requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.docs = body.docs;
    this.details = body.details ?? [];
    this.required = body.required;
    this.available = body.available;
    this.wouldEnd = body.wouldEnd;
    this.limit = body.limit;
    const retryAfter = response.headers.get('retry-after');
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  }

  static async from(response: Response): Promise<TrefoilError> {
    return new TrefoilError(response, (await response.json().catch(() => ({}))) as ErrorBody);
  }

  /** Both codes mean the same; a client accepts either (Interface, "Errors"). */
  get isInsufficientFunds(): boolean {
    return this.code === 'insufficient-funds' || this.code === 'insufficient-credits';
  }
}
