// HTTP for the rows: one session per credential (address, token), one Api per row. Waits when the service asks it
// to slow down, and remembers the row's last exchange so that a failure can show it.
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
  /** True returns a rate-limited answer instead of waiting and trying again. */
  readonly impatient?: boolean;
};

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text: string;
  /** Milliseconds of a clock that never jumps: when the request left and when the answer was complete. */
  readonly sentAt: number;
  readonly arrivedAt: number;
};

const TIMEOUT_MS = 30_000;
const TRIES_MAX = 20;
const RENEW_BEFORE_MS = 60_000;

export class Session {
  readonly baseUrl: string;
  readonly credential: Credential;
  #token: { value: Promise<string>; renewAt: number } | undefined;

  constructor(baseUrl: string, credential: Credential) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.credential = credential;
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
    const reply = await exchange(this, {
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

  async send(call: Call): Promise<Reply> {
    const authorization =
      call.authorization === undefined ? `Bearer ${await this.session.token()}` : call.authorization;
    const reply = await exchange(this.session, { ...call, authorization });
    // A token endpoint's answer holds a secret: only its status is shown.
    const shown = call.path.startsWith('/v1/oauth/') ? '' : ` ${reply.text.slice(0, 400)}`;
    this.#last = `${call.method ?? 'GET'} ${call.path} → ${reply.status}${shown}`;
    return reply;
  }
}

export function basic(clientId: string, clientSecret: string): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

async function exchange(session: Session, call: Call): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await exchangeOnce(session, call);
    const code = isObject(reply.body) ? reply.body['code'] : undefined;
    if (reply.status !== 429 || code !== 'rate-limited' || call.impatient || tries === TRIES_MAX) return reply;
    const waitSeconds = Number(reply.headers.get('retry-after') ?? 1);
    await sleep(Math.min(Math.max(waitSeconds, 0.2), 60) * 1000 + Math.random() * 300);
  }
}

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
  return { status: response.status, headers: response.headers, text, body: parseJson(text), sentAt, arrivedAt };
}

/** Undefined when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
