// What the vault needs from a key service: a key for each month that never leaves the service, and working keys wrapped by
// it. Adapters import this file; this file imports no adapter.
import type { OutsideFault } from '../lib/outside/outside-fault.ts';

export const KEY_SERVICES = ['file', 'aws-kms', 'vault-transit'] as const;
export type KeyServiceKind = (typeof KEY_SERVICES)[number];

/**
 * `gone`: the service answers, and has no usable key of this month: it was never made, is disabled or is destroyed. `away`: the
 * service did not answer, or refused the call. A call may be repeated after either: none costs or changes anything twice.
 */
export type KeyAnswer<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'gone' }
  | { readonly kind: 'away'; readonly cause: OutsideFault };

/** What the service knows of a month's key. */
export type MonthKeyFacts = {
  /** Undefined where the service does not count versions. */
  readonly version: number | undefined;
  readonly createdAt: Date | undefined;
};

/** `until`: until when the service could still take the destruction back; undefined: it cannot. */
export type Destroyed = { readonly until: Date | undefined };

export type NewWorkingKey = { readonly key: Buffer; readonly wrappedKey: Buffer };

/** Months are texts such as `2026-11`. */
export interface KeyService {
  readonly kind: KeyServiceKind;
  /** A new random key of 32 bytes; makes the month's key first if there is none. */
  createWorkingKey(month: string): Promise<KeyAnswer<NewWorkingKey>>;
  unwrap(month: string, wrappedKey: Buffer): Promise<KeyAnswer<Buffer>>;
  /** The same working key under the newest version of the month's key; the same bytes where there is no newer one. */
  rewrap(month: string, wrappedKey: Buffer): Promise<KeyAnswer<Buffer>>;
  /** After it nothing that the month's key wrapped can be unwrapped. A key that is gone already is done. */
  destroy(month: string): Promise<KeyAnswer<Destroyed>>;
  describe(month: string): Promise<KeyAnswer<MonthKeyFacts>>;
  close(): Promise<void>;
}
