// What every request carries with it: its deadline, what it has begun, and where it is in its trace. Pools, statements and
// calls to other companies read here how long they may still take for the request.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './traces/span.ts';

/** From a request's arrival to its response: two transactions, screening (2 s) and bureaus (15 s) fit in. */
export const REQUEST_MS = 20_000;

export type RequestScope = {
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
  /** Likewise; undefined where there is no request. */
  readonly arrivedMs?: number;
  /** The span of the whole request; undefined where traces are off. */
  readonly span?: Span | undefined;
  /** What the request may have begun: a later 503 names it. */
  begun?: Readonly<Record<string, string>>;
  /** A test request that asked for a 5xx gets one: it is no fault of the service. */
  isFaultAsked?: boolean;
  /** How long the request has waited for other companies. */
  outsideMs?: number;
  /** How long the client took to send the body. */
  uploadMs?: number;
};

/** The span is the innermost one: that of the request, or of a part of its work. */
type Context = { readonly scope: RequestScope | undefined; readonly span: Span | undefined };

const contexts = new AsyncLocalStorage<Context | undefined>();

export function inScope<T>(scope: RequestScope, work: () => T): T {
  return contexts.run({ scope, span: scope.span }, work);
}

/** For work that many requests share, or that continues after the response: no single deadline or trace applies to it. */
export function outsideScope<T>(work: () => T): T {
  return contexts.run(undefined, work);
}

/** Adds the time of a call to another company to its request. Calls of one request that overlap must be timed as one. */
export async function timeOutside<T>(call: Promise<T>): Promise<T> {
  const scope = currentScope();
  const startedMs = performance.now();
  try {
    return await call;
  } finally {
    if (scope) scope.outsideMs = (scope.outsideMs ?? 0) + performance.now() - startedMs;
  }
}

/** What the request has used of its time without other companies and its own client; undefined outside a request. */
export function ownMs(): number | undefined {
  const { arrivedMs, outsideMs = 0, uploadMs = 0 } = currentScope() ?? {};
  return arrivedMs === undefined ? undefined : performance.now() - arrivedMs - outsideMs - uploadMs;
}

export function currentScope(): RequestScope | undefined {
  return contexts.getStore()?.scope;
}

/** The deadline stays what it is. */
export function withSpan<T>(span: Span | undefined, work: () => T): T {
  return contexts.run({ scope: contexts.getStore()?.scope, span }, work);
}

/** Keeps the caller's context, none included, for a function that a queue may call on behalf of another request. */
export function keepContext<A extends readonly unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  const context = contexts.getStore();
  return (...args) => contexts.run(context, () => work(...args));
}

export function currentSpan(): Span | undefined {
  return contexts.getStore()?.span;
}

/** Infinity outside a request. */
export function remainingMs(): number {
  return (contexts.getStore()?.scope?.deadlineMs ?? Number.POSITIVE_INFINITY) - performance.now();
}
