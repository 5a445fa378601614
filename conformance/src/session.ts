// HTTP for the rows: one session per credential (address, token), one Api per row. Waits when the service asks it
// to slow down or says that it is busy, and remembers the row's last exchange so that a failure can show it.
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from './shape.ts';

export type Credential = { readonly tenantId: string; readonly clientId: string; readonly clientSecret: string };

export type Call = {
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is; the content type comes from `headers` or is missing. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** null sends no Authorization header; a string replaces the session's own. */
  readonly authorization?: string | null;
  /** What the row is about: a refusal with this status is returned, where the kit would otherwise wait and try again. */
  readonly about?: 429 | 503;
};

export type Reply = Answer & {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text: string;
  /** Milliseconds of a clock that never jumps: when the request left and when the answer was complete. */
  readonly sentAt: number;
  readonly arrivedAt: number;
};

type Wait = (ms: number) => Promise<unknown>;

const TIMEOUT_MS = 30_000;
const LIMITED_MAX = 19;
/** Of one request: a service that is busy for longer has failed. */
const BUSY_MAX = 5;
const RENEW_BEFORE_MS = 60_000;

export class Session {
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly wait: Wait;
  #token: { value: Promise<string>; renewAt: number } | undefined;

  /** Tests pass a `wait` of their own. */
  constructor(baseUrl: string, credential: Credential, wait: Wait = sleep) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.credential = credential;
    this.wait = wait;
  }

  /** Shared by all rows, so that a run asks for one token and not for one per row. */
  token(): Promise<string> {
    if (!this.#token || performance.now() > this.#token.renewAt) {
      const lease = { value: this.#requestToken(), renewAt: Number.POSITIVE_INFINITY };
      this.#token = lease;
      lease.value.catch(() => {
        // A refused token must not be kept: the next row tries again and reports for itself.
        if (this.#token === lease) this.#token = undefined;
      });
    }
    return this.#token.value;
  }

  async #requestToken(): Promise<string> {
    const { reply } = await exchange(this, {
      method: 'POST',
      path: '/v1/oauth/token',
      raw: 'grant_type=client_credentials',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      authorization: basic(this.credential.clientId, this.credential.clientSecret),
    });
    const token = isObject(reply.body) ? reply.body['access_token'] : undefined;
    if (reply.status !== 200 || typeof token !== 'string') {
      const said = isObject(reply.body) ? `: ${String(reply.body['error'] ?? reply.body['message'] ?? '')}` : '';
      throw new Error(`the token endpoint answered ${reply.status}${said}`);
    }
    const lifetimeMs = isObject(reply.body) ? Number(reply.body['expires_in']) * 1000 : 0;
    if (this.#token) this.#token.renewAt = reply.sentAt + Math.max(lifetimeMs - RENEW_BEFORE_MS, 0);
    return token;
  }
}

/** One row's view of a session. */
export class Api {
  readonly session: Session;
  #last = '';
  readonly #repeated: string[] = [];

  constructor(session: Session) {
    this.session = session;
  }

  get tenantId(): string {
    return this.session.credential.tenantId;
  }

  /** The last exchange in one line, for the detail of a failure. */
  get lastExchange(): string {
    return this.#last;
  }

  /**
   * The requests that were sent again because the service was busy, a line for each. A request that was answered 503 may have
   * been carried out all the same: then a row about how often something is done fails without a fault of the service.
   */
  get repeated(): readonly string[] {
    return this.#repeated;
  }

  async send(call: Call): Promise<Reply> {
    const authorization =
      call.authorization === undefined ? `Bearer ${await this.session.token()}` : call.authorization;
    const { reply, busyTimes } = await exchange(this.session, { ...call, authorization });
    const asked = `${call.method ?? 'GET'} ${call.path}`;
    if (busyTimes > 0) this.#repeated.push(`${asked} → 503 (${busyTimes} ×)`);
    // A token endpoint's answer holds a secret: only its status is shown.
    const shown = call.path.startsWith('/v1/oauth/') ? '' : ` ${reply.text.slice(0, 400)}`;
    this.#last = `${asked} → ${reply.status}${shown}`;
    return reply;
  }
}

export function basic(clientId: string, clientSecret: string): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Of an answer, what says whether to come back later. */
export type Answer = { readonly status: number; readonly retryAfter: string | null; readonly body: unknown };

/** The first answer that is no request to wait, or the last that may be waited for. */
export async function sendPatiently<T extends Answer>(
  session: Session,
  about: Call['about'],
  send: () => Promise<T>,
): Promise<{ reply: T; busyTimes: number }> {
  let [limitedTimes, busyTimes] = [0, 0];
  for (;;) {
    const reply = await send();
    if (isLimited(reply) && about !== 429 && limitedTimes < LIMITED_MAX) limitedTimes += 1;
    else if (isBusy(reply) && about !== 503 && busyTimes < BUSY_MAX) busyTimes += 1;
    else return { reply, busyTimes };
    const waitSeconds = Number(reply.retryAfter ?? 1);
    await session.wait(Math.min(Math.max(waitSeconds, 0.2), 60) * 1000 + Math.random() * 300);
  }
}

const exchange = (session: Session, call: Call) =>
  sendPatiently(session, call.about, () => exchangeOnce(session, call));

const isLimited = ({ status, body }: Answer): boolean =>
  status === 429 && isObject(body) && body['code'] === 'rate-limited';

/** A 503 that does not say when to come back is an answer like any other. */
const isBusy = ({ status, retryAfter }: Answer): boolean => status === 503 && /^\d+$/.test(retryAfter ?? '');

async function exchangeOnce(session: Session, call: Call): Promise<Reply> {
  const headers = new Headers(call.body === undefined ? {} : { 'content-type': 'application/json' });
  if (call.authorization) headers.set('authorization', call.authorization);
  for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
  const content = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const sentAt = performance.now();
  const response = await fetch(session.baseUrl + call.path, {
    method: call.method ?? 'GET',
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    // As bytes: fetch would add a content type of its own to a string.
    ...(content !== undefined && { body: new TextEncoder().encode(content) }),
  });
  const text = await response.text();
  const arrivedAt = performance.now();
  const { status, headers: told } = response;
  return { status, headers: told, retryAfter: told.get('retry-after'), text, body: parseJson(text), sentAt, arrivedAt };
}

/** Undefined when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
