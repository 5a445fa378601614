// What every request carries with it: its deadline, and what it has begun. Pools, statements and calls to other companies
// read here how long they may still take for the request.
import { AsyncLocalStorage } from 'node:async_hooks';

/** From a request's arrival to its response: two transactions, screening (2 s) and bureaus (15 s) fit in. */
export const REQUEST_MS = 20_000;

export type RequestScope = {
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
  /** What the request may have begun: a later 503 names it. */
  begun?: Readonly<Record<string, string>>;
};

const scopes = new AsyncLocalStorage<RequestScope | undefined>();

export function inScope<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work);
}

/** For work that many requests share, or that continues after the response: no single deadline applies to it. */
export function outsideScope<T>(work: () => T): T {
  return scopes.run(undefined, work);
}

export function currentScope(): RequestScope | undefined {
  return scopes.getStore();
}

/** Infinity outside a request. */
export function remainingMs(): number {
  return (scopes.getStore()?.deadlineMs ?? Number.POSITIVE_INFINITY) - performance.now();
}
