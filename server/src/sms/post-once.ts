// One POST to one carrier, made at most once. What a carrier that failed has done is the question the wallet turns on, so
// this file tells "nothing left this process" apart from "it may have arrived"; it never tries again.
import { type Dispatcher, Pool } from 'undici';

export type Posted =
  | { readonly kind: 'reply'; readonly status: number; readonly bytes: Uint8Array }
  /** Not a byte of the request was written. */
  | { readonly kind: 'not-sent'; readonly why: 'overloaded' | 'not-connected' }
  /** The request may have arrived, and no whole reply came back. */
  | { readonly kind: 'lost'; readonly why: 'timeout' | 'connection' | 'too-large' };

export type Post = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export interface CarrierLine {
  /** Ends by its deadline and never rejects. */
  postOnce(post: Post): Promise<Posted>;
  /** Waits for the requests in flight. */
  close(): Promise<void>;
}

export type LineOptions = {
  readonly baseUrl: string;
  /** From the call on, waiting for a connection included. */
  readonly timeoutMs: number;
  /** Connections; more requests than these wait for one. */
  readonly maxConcurrent: number;
};

export const REPLY_BYTES_MAX = 64 * 1024;
const WAITING_MAX = 1_000;
/** A request that has waited away this much of its time is not begun: it would be made and its reply not be heard. */
const BEGIN_BY = 0.75;
/** Shorter than servers keep idle connections: a request written into a closing one is lost and may not be repeated. */
const IDLE_MS = 2_000;

export function openLine({ baseUrl, timeoutMs, maxConcurrent }: LineOptions): CarrierLine {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    connections: maxConcurrent,
    // One exchange at a time per connection, and HTTP/1.1: the library repeats nothing that it has begun to write.
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
  return {
    async postOnce({ path, headers, body }) {
      if (open >= maxConcurrent + WAITING_MAX) return { kind: 'not-sent', why: 'overloaded' };
      open += 1;
      const { promise, handler, giveUp } = exchange();
      const timers = [
        setTimeout(() => giveUp('begin'), timeoutMs * BEGIN_BY),
        setTimeout(() => giveUp('end'), timeoutMs),
      ];
      try {
        pool.dispatch(
          { method: 'POST', path: `${prefix}${path}`, headers: { ...headers }, body, idempotent: false },
          handler,
        );
        return await promise;
      } catch {
        // Thrown before anything was queued: a closed pool, a header that is none.
        return { kind: 'not-sent', why: 'not-connected' };
      } finally {
        for (const timer of timers) clearTimeout(timer);
        open -= 1;
      }
    },
    close: () => (closing ??= pool.close()),
  };
}

type Exchange = {
  readonly promise: Promise<Posted>;
  readonly handler: Dispatcher.DispatchHandler;
  /** `begin`: ends it unless it has been begun. `end`: ends it. */
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
      // Called on a connection that stands, just before the first byte is written: the border between the two failures.
      onRequestStart(controller) {
        if (isOver) controller.abort(new Error('given up while it waited'));
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
