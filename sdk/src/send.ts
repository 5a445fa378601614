// Sends one call until it is answered, refused for good, or its time is over. All sends of a call share one idempotency
// key, so the call has one effect however often it is sent. It knows nothing of operations or of tokens.
import { type Answer, TrefoilError, TrefoilNoAnswerError } from './error.ts';
import { USER_AGENT } from './user-agent.ts';

/** Options of one call. */
export type CallOptions = {
  /** Ends the call; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The time for the whole call, retries and pauses included. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is sent again after a broken connection, 429 or 503. Default: 3. With 0 only a 401 is followed by a second send. */
  readonly maxRetries?: number | undefined;
  /** Sent besides the headers of the library, of which only `user-agent` can be replaced. */
  readonly headers?: Headers | Readonly<Record<string, string>> | undefined;
};

/**
 * `read` changes nothing and can be repeated. `keyed` has an idempotency key and can be repeated with it. `once` has no
 * key, so only a refusal that certainly had no effect (429) is followed by a repeat.
 */
export type Effect = 'read' | 'keyed' | 'once';

/** What is told to hooks: neither addresses with ids nor bodies. */
export type CallInfo = {
  readonly method: string;
  /** With the names of its parameters, such as `/{tenantId}/v1/credit-reports`. */
  readonly path: string;
  readonly idempotencyKey: string | undefined;
};

/** For tracing and logs. Errors of `request`, `response` and `retry` are ignored. */
export type Hooks = {
  /** Wraps a whole call with all its sends: open a span here, run, and close it. */
  readonly call?: <T>(call: CallInfo, run: () => Promise<T>) => Promise<T>;
  /** Before each send. `headers` can be changed, for example to add `traceparent`. */
  readonly request?: (request: CallInfo & { readonly send: number; readonly headers: Headers }) => void;
  /** After each answer. */
  readonly response?: (
    response: CallInfo & {
      readonly send: number;
      readonly status: number;
      readonly requestId: string | undefined;
      readonly durationMs: number;
    },
  ) => void;
  /** Before each pause. `reason` is the error that the repeat is to mend. */
  readonly retry?: (
    retry: CallInfo & { readonly send: number; readonly waitMs: number; readonly reason: Error },
  ) => void;
};

export type Outgoing = {
  readonly info: CallInfo;
  readonly effect: Effect;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly credentials: 'omit' | 'same-origin';
};

export type Sender = {
  readonly fetch: typeof globalThis.fetch;
  readonly hooks: Hooks;
  /** The value for `Authorization`; undefined with cookies. `refused` is the value that the service did not take. */
  readonly authorize: (refused?: string) => Promise<string | undefined>;
};

export const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 3;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
/** A request that runs is answered within 20 seconds (docs/decisions/0139-deadlines.md), so asking often helps little. */
const RUNNING_PAUSE_MS = 1_000;
/** These codes say that no connection was made, so nothing was sent. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

export async function sendCall(sender: Sender, outgoing: Outgoing, options: CallOptions = {}): Promise<Answer> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  signal?.throwIfAborted();
  // A controller of our own: AbortSignal.any with AbortSignal.timeout may lose its timer to the garbage collector.
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(TIME_IS_OVER), timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  const call = new Call(sender, outgoing, controller.signal, Date.now() + timeoutMs, options);
  try {
    return await call.run();
  } catch (error) {
    if (controller.signal.aborted && controller.signal.reason !== TIME_IS_OVER) throw controller.signal.reason;
    throw error === TIME_IS_OVER || controller.signal.aborted ? timeIsOver(outgoing, call.wasSent, timeoutMs) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const TIME_IS_OVER = new Error('The time limit of the call is over.');

class Call {
  wasSent = false;
  readonly #sender: Sender;
  readonly #outgoing: Outgoing;
  readonly #signal: AbortSignal;
  readonly #endsAtMs: number;
  readonly #maxRetries: number;
  #sends = 0;
  #retries = 0;
  #hasRenewed = false;

  constructor(sender: Sender, outgoing: Outgoing, signal: AbortSignal, endsAtMs: number, options: CallOptions) {
    this.#sender = sender;
    this.#outgoing = outgoing;
    this.#signal = signal;
    this.#endsAtMs = endsAtMs;
    this.#maxRetries = options.maxRetries ?? DEFAULT_MAX_RETRIES;
  }

  async run(): Promise<Answer> {
    let authorization = await abortable(this.#signal, this.#sender.authorize());
    for (;;) {
      const result = await this.#sendOnce(authorization);
      if (!(result instanceof Error)) return result;
      if (result instanceof TrefoilError && result.status === 401) {
        authorization = await this.#renew(authorization, result);
        continue;
      }
      const waitMs = this.#pauseBefore(result);
      // If the pause is longer than the rest of the time, waiting would only delay the same error.
      if (waitMs === undefined || Date.now() + waitMs >= this.#endsAtMs) throw result;
      this.#tell('retry', { waitMs, reason: result });
      await pause(waitMs, this.#signal);
    }
  }

  /** The answer, or the error that a repeat may mend. */
  async #sendOnce(authorization: string | undefined): Promise<Answer | Error> {
    const { info, url, body, credentials } = this.#outgoing;
    const shown = new Headers(this.#outgoing.headers);
    if (USER_AGENT !== undefined && !shown.has('user-agent')) shown.set('user-agent', USER_AGENT);
    this.#sends += 1;
    this.#tell('request', { headers: shown });
    // In a copy: a tracer that keeps the headers and writes them later must not write a token or a secret.
    const headers = new Headers(shown);
    if (authorization !== undefined) headers.set('authorization', authorization);
    const startedAtMs = performance.now();
    let answer: Answer;
    try {
      const { fetch } = this.#sender;
      const init = { method: info.method, headers, credentials, redirect: 'manual', signal: this.#signal } as const;
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      // Here, because a connection that breaks in the middle of the body is no answer either.
      const bytes = new Uint8Array(await response.arrayBuffer());
      answer = { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes) };
    } catch (cause) {
      if (this.#signal.aborted) {
        this.wasSent = true;
        throw this.#signal.reason;
      }
      const code = codeOf(cause);
      this.wasSent ||= code === undefined || !NOT_CONNECTED.includes(code);
      return noConnection(this.#outgoing, this.wasSent, cause, code);
    }
    this.wasSent = true;
    this.#tell('response', {
      status: answer.status,
      requestId: answer.headers.get('x-request-id') ?? undefined,
      durationMs: Math.round(performance.now() - startedAtMs),
    });
    return answer.status === 200 || answer.status === 201 ? answer : new TrefoilError(answer, info.idempotencyKey);
  }

  /** Once: if the service refuses the new token as well, another one would not help. */
  async #renew(refused: string | undefined, error: TrefoilError): Promise<string | undefined> {
    if (this.#hasRenewed || refused === undefined) throw error;
    this.#hasRenewed = true;
    const authorization = await abortable(this.#signal, this.#sender.authorize(refused));
    if (authorization === refused) throw error;
    return authorization;
  }

  /** How long to wait before the next send; undefined if a repeat cannot mend the error or is not safe. */
  #pauseBefore(error: Error): number | undefined {
    if (this.#maxRetries === 0) return undefined;
    const isRepeatable = this.#outgoing.effect !== 'once';
    if (error instanceof TrefoilError && error.code === 'request-in-progress') {
      // The first send still runs, or another call with the same key: its answer is the answer of this call. How often
      // we ask is limited by the time alone.
      return isRepeatable ? withJitter(error.retryAfterSeconds ?? RUNNING_PAUSE_MS / 1_000) : undefined;
    }
    if (this.#retries >= this.#maxRetries) return undefined;
    if (!(isWorthARepeat(error) && (isRepeatable || isRefusedUnread(error)))) return undefined;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#retries);
    this.#retries += 1;
    const retryAfterSeconds = error instanceof TrefoilError ? error.retryAfterSeconds : undefined;
    return retryAfterSeconds === undefined ? pauseMs * (0.5 + Math.random() / 2) : withJitter(retryAfterSeconds);
  }

  /** A hook that throws must not cost the caller the answer of a call that was charged. */
  #tell<Name extends 'request' | 'response' | 'retry'>(
    name: Name,
    fields: Omit<Parameters<NonNullable<Hooks[Name]>>[0], keyof CallInfo | 'send'>,
  ): void {
    try {
      const hook = this.#sender.hooks[name] as ((told: object) => void) | undefined;
      hook?.({ ...this.#outgoing.info, send: this.#sends, ...fields });
    } catch {
      // Documented: errors of these three hooks are ignored.
    }
  }
}

/** Not 500, and no 4xx whose code we do not know: the same request would get the same answer. */
function isWorthARepeat(error: Error): boolean {
  if (!(error instanceof TrefoilError)) return true; // the connection
  if (error.code === 'rate-limited') return true;
  // 502 and 504 never come from the service: a proxy says that it could not reach it.
  return error.status === 503 || (error.code === 'unknown' && [502, 504].includes(error.status));
}

const isRefusedUnread = (error: Error) => error instanceof TrefoilError && error.code === 'rate-limited';

/** At least the time that the service asked for, and a little more, so that clients do not all return at one moment. */
const withJitter = (seconds: number) => seconds * 1_000 + Math.random() * 250;

/** Rejects as soon as the signal is aborted, whatever becomes of the work. */
async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Rejects with the signal's reason as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal = new AbortController().signal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await abortable(signal, over);
  } finally {
    clearTimeout(timer);
  }
}

/** The system's code of a failed connection: Node keeps it in the cause, or in the first of several causes. */
function codeOf(error: unknown): string | undefined {
  const cause = (error as { cause?: { code?: string; errors?: { code?: string }[] } }).cause;
  return cause?.code ?? cause?.errors?.[0]?.code;
}

const originOf = (url: string) => (url.startsWith('/') ? 'this origin' : new URL(url).origin);

/** What the caller can do about a call whose effect is unknown. */
function remedyOf({ effect, info }: Outgoing, wasSent: boolean): string {
  if (!wasSent) return 'The request was not sent, so it had no effect.';
  if (effect === 'read') return 'Nothing was changed: repeat the call.';
  if (effect === 'once') return 'The change may have been made: look before you repeat the call.';
  return info.path.endsWith('/credit-reports')
    ? 'The report may have been made: repeat the call with the idempotencyKey of this error, and you get that report instead of a second one.'
    : 'The service may have done it: repeat the call with the idempotencyKey of this error, and it has no second effect.';
}

function timeIsOver(outgoing: Outgoing, wasSent: boolean, timeoutMs: number): TrefoilNoAnswerError {
  const { method, path, idempotencyKey } = outgoing.info;
  const message = `No answer to ${method} ${path} within ${timeoutMs} ms, retries included. ${remedyOf(outgoing, wasSent)}`;
  return new TrefoilNoAnswerError(message, { reason: 'time-limit', idempotencyKey, wasSent, cause: undefined });
}

function noConnection(outgoing: Outgoing, wasSent: boolean, cause: unknown, code: string | undefined) {
  const { method, path, idempotencyKey } = outgoing.info;
  const origin = originOf(outgoing.url);
  const reasons: Record<string, string> = {
    ECONNREFUSED: `nothing listens at ${origin}. Check host and port of baseUrl, and that the service runs`,
    ENOTFOUND: `the name of ${origin} does not exist. Check the spelling of baseUrl`,
    ERR_SSL_WRONG_VERSION_NUMBER: `${origin} does not speak TLS. Check whether baseUrl begins with http:// or https://`,
    SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted. Give Node your own authority with NODE_EXTRA_CA_CERTS',
    DEPTH_ZERO_SELF_SIGNED_CERT:
      'the certificate is not trusted. Give Node your own authority with NODE_EXTRA_CA_CERTS',
  };
  const reason = reasons[code ?? ''] ?? `the connection to ${origin} broke${code ? ` (${code})` : ''}`;
  const message = `No answer to ${method} ${path}: ${reason}. ${remedyOf(outgoing, wasSent)}`;
  return new TrefoilNoAnswerError(message, { reason: 'connection', idempotencyKey, wasSent, cause });
}
