// Every refusal of the service as one error class.
export type ErrorDetail = { readonly path: string; readonly message: string };

type ErrorBody = {
  code?: string;
  message?: string;
  requestId?: string;
  details?: ErrorDetail[];
  required?: number;
  available?: number;
};

export class TrefoilError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** With insufficient funds: credits the operation needs, and credits that were there for it. */
  readonly required: number | undefined;
  readonly available: number | undefined;
  /** Seconds to wait before trying again, where the service said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: ErrorBody) {
    super(body.message ?? `HTTP ${response.status}`);
    this.name = 'TrefoilError';
    this.status = response.status;
    this.code = body.code ?? 'unknown';
    this.requestId = body.requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.details = body.details ?? [];
    this.required = body.required;
    this.available = body.available;
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
