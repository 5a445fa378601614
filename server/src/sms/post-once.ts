// One request to one carrier, made at most once. Money depends on what a failed request has done, so this file separates
// "nothing left this process" from "it may have arrived". It never retries.
import { type Dispatcher, Pool } from 'undici';
import { traceHeaders } from '../lib/traces/span.ts';

export type Posted =
  | { readonly kind: 'reply'; readonly status: number; readonly bytes: Uint8Array }
  /** Not a byte of the request was written. */
  | { readonly kind: 'not-sent'; readonly why: 'overloaded' | 'not-connected' }
  /** The request may have arrived, and no whole reply came back. */
  | { readonly kind: 'lost'; readonly why: 'timeout' | 'connection' | 'too-large' };

type Get = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type Post = Get & { readonly body: string };

export interface CarrierLine {
  /** Ends by its deadline and never rejects. */
  postOnce(post: Post): Promise<Posted>;
  /** The same for a GET. */
  getOnce(get: Get): Promise<Posted>;
  /** Waits for the requests in flight. */
  close(): Promise<void>;
}

export type LineOptions = {
  readonly baseUrl: string;
  /** From the call on, including the wait for a connection. */
  readonly timeoutMs: number;
  /** The number of connections; further requests wait for one. */
  readonly maxConcurrent: number;
};

export const REPLY_BYTES_MAX = 64 * 1024;
const WAITING_MAX = 1_000;
/** A request that has spent this part of its time waiting is not sent: it would time out before its reply. */
const BEGIN_BY = 0.75;
/** Shorter than servers keep idle connections: a request written into a closing one is lost and must not be repeated. */
const IDLE_MS = 2_000;

export function openLine({ baseUrl, timeoutMs, maxConcurrent }: LineOptions): CarrierLine {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    connections: maxConcurrent,
    // One exchange at a time per connection, and HTTP/1.1: the library never repeats a request that it has begun to write.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: Math.ceil(timeoutMs * BEGIN_BY) },
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: timeoutMs + 1_000,
    bodyTimeout: timeoutMs + 1_000,
  });
  let open = 0;
  let closing: Promise<void> | undefined;
  async function requestOnce(method: 'POST' | 'GET', { path, headers }: Get, body: string | null): Promise<Posted> {
    if (open >= maxConcurrent + WAITING_MAX) return { kind: 'not-sent', why: 'overloaded' };
    open += 1;
    const { promise, handler, giveUp } = exchange();
    const timers = [
      setTimeout(() => giveUp('begin'), timeoutMs * BEGIN_BY),
      setTimeout(() => giveUp('end'), timeoutMs),
    ];
    try {
      const told = { ...headers, ...traceHeaders() };
      pool.dispatch({ method, path: `${prefix}${path}`, headers: told, body, idempotent: false }, handler);
      return await promise;
    } catch {
      // Thrown before anything was queued: a closed pool, an invalid header.
      return { kind: 'not-sent', why: 'not-connected' };
    } finally {
      for (const timer of timers) clearTimeout(timer);
      open -= 1;
    }
  }
  return {
    postOnce: (post) => requestOnce('POST', post, post.body),
    getOnce: (get) => requestOnce('GET', get, null),
    close: () => (closing ??= pool.close()),
  };
}

type Exchange = {
  readonly promise: Promise<Posted>;
  readonly handler: Dispatcher.DispatchHandler;
  /** `begin` ends it unless it has begun; `end` always ends it. */
  giveUp(by: 'begin' | 'end'): void;
};

function exchange(): Exchange {
  const { promise, resolve } = Promise.withResolvers<Posted>();
  const chunks: Buffer[] = [];
  let begun: Dispatcher.DispatchController | undefined;
  let isOver = false;
  let status = 0;
  let size = 0;
  const end = (posted: Posted) => {
    isOver = true;
    resolve(posted);
  };
  const lose = (why: 'timeout' | 'connection' | 'too-large') => {
    end({ kind: 'lost', why });
    begun?.abort(new Error(why));
  };
  return {
    promise,
    giveUp(by) {
      if (isOver) return;
      if (begun === undefined) end({ kind: 'not-sent', why: 'not-connected' });
      else if (by === 'end') lose('timeout');
    },
    handler: {
      // Called on an open connection just before the first byte is written: this separates the two kinds of failure.
      onRequestStart(controller) {
        if (isOver) controller.abort(new Error('the request was aborted while it waited'));
        else begun = controller;
      },
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        if (isOver) return;
        size += chunk.length;
        if (size > REPLY_BYTES_MAX) lose('too-large');
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (!isOver) end({ kind: 'reply', status, bytes: Buffer.concat(chunks, size) });
      },
      onResponseError() {
        if (isOver) return;
        end(begun === undefined ? { kind: 'not-sent', why: 'not-connected' } : { kind: 'lost', why: 'connection' });
      },
    },
  };
}
