// What the adapters of key services share: a guard, the reading of replies over HTTP, and the settings of every key service.
import { Type } from 'typebox';
import { createGuard } from '../lib/outside/guard-calls.ts';
import { OutsideFault } from '../lib/outside/outside-fault.ts';
import { isObject, type JsonObject, own, parseStrictJson } from '../lib/outside/strict-json.ts';
import { wholeNumber } from '../lib/setting-schema.ts';
import type { KeyAnswer } from './port.ts';

/** From the call to its answer: a request may wait for it. */
export const KEY_SERVICE_MS = 2_000;
/** A node asks for a few keys a minute; after a start several requests may ask for different months. */
export const KEY_CALLS_MAX = 10;
export const KEY_REPLY_BYTES_MAX = 65_536;
/** How long a working key stays in memory after the service last confirmed it. */
export const CACHE_SECONDS = 300;

export const KEY_SERVICE_SETTINGS = {
  timeoutMs: Type.Optional(wholeNumber(100, 10_000)),
  cacheSeconds: Type.Optional(wholeNumber(30, 86_400)),
  wrapBy: Type.Optional(
    Type.Union([Type.Literal('months'), Type.Literal('ring')], {
      description: 'months or ring',
      'x-message': ' must be months or ring',
    }),
  ),
  destroyMonths: Type.Optional(Type.Boolean({ description: 'true or false' })),
};

/** The name of a month's key, at AWS without `alias/`. */
export const KeyPrefix = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: '1 to 64 letters, digits, hyphens and underscores',
});
export const KEY_PREFIX = 'trefoil-';

export const done = <T>(value: T): KeyAnswer<T> => ({ kind: 'done', value });
export const GONE = { kind: 'gone' } as const;

/** One guard for all calls of a service: its breaker opens for all of them. */
export function guardKeyService({ timeoutMs }: { readonly timeoutMs: number }) {
  const guard = createGuard<KeyAnswer<unknown>>(
    { timeoutMs, maxConcurrent: KEY_CALLS_MAX, maxWaiting: KEY_CALLS_MAX },
    {
      toOutcome: (cause) => ({ kind: 'away', cause }),
      faultOf: (outcome) => (outcome.kind === 'away' ? outcome.cause : undefined),
    },
  );
  return <T>(call: (signal: AbortSignal) => Promise<KeyAnswer<T>>) => guard(call) as Promise<KeyAnswer<T>>;
}

export function readObject(bytes: Uint8Array): JsonObject {
  const value = parseStrictJson(bytes);
  if (!isObject(value)) throw new OutsideFault('unintelligible', 'not an object');
  return value;
}

export function readText(object: JsonObject, key: string): string {
  const value = own(object, key);
  if (typeof value !== 'string' || value === '') throw new OutsideFault('unintelligible', 'a text is missing');
  return value;
}

const KEY_BYTES = 32;

export function readKey(base64: string): Buffer {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== KEY_BYTES) throw new OutsideFault('unintelligible', 'a key of another length');
  return key;
}
