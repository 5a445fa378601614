// Everything that a span can say, by allow-list: a name that is not here is not exported, and neither is a value that is not one
// of its words, an id or a count. No form fits free text, and nothing about a consumer has a name here
// (docs/decisions/0247-traces.md).
import { BUREAUS, EVENT_TYPES, OPERATIONS } from '@trefoil/contract';
import { isUuid } from '../ids.ts';

/** The patterns of the operations, never an address: addresses have ids in them. */
const ROUTES: readonly string[] = [...new Set(Object.values(OPERATIONS).map(({ path }) => path))];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const OUTCOMES = [
  // Of screening.
  ...(['allow', 'challenge', 'block', 'unavailable'] as const),
  // Of a bureau; `unavailable` too.
  ...(['ok', 'no-trace'] as const),
  // Of a message at its carrier.
  ...(['accepted', 'refused', 'unknown'] as const),
  // Of an attempt to deliver a webhook.
  ...(['delivered', 'gone', 'failed'] as const),
];

/** A list of words, or a form that no free text has. */
const ATTRIBUTES = {
  'http.request.method': METHODS,
  'http.route': ROUTES,
  'http.response.status_code': 'count',
  'trefoil.request.id': 'id',
  'trefoil.tenant.id': 'id',
  /** What a wait or a transaction of the queue is for. */
  'trefoil.work': ['settle', 'reserve', 'note', 'prove'] as const,
  /** How many calls shared the transaction. */
  'trefoil.items': 'count',
  /** Whose connections the transaction used. */
  'trefoil.pool': ['queue', 'requests', 'jobs', 'look-ups', 'system-jobs'] as const,
  'trefoil.bureau': BUREAUS,
  'trefoil.outcome': OUTCOMES,
  'trefoil.event.type': EVENT_TYPES,
  'trefoil.attempt': 'count',
} as const;

type Name = keyof typeof ATTRIBUTES;
type Form = (typeof ATTRIBUTES)[Name];
type Value<Of> = Of extends 'count'
  ? number
  : Of extends 'id'
    ? string
    : Of extends readonly (infer Word)[]
      ? Word
      : never;
export type SpanAttributes = { -readonly [Each in Name]?: Value<(typeof ATTRIBUTES)[Each]> | undefined };

function fits(form: Form, value: unknown): boolean {
  if (form === 'count') return Number.isSafeInteger(value) && (value as number) >= 0;
  if (form === 'id') return typeof value === 'string' && isUuid(value);
  return (form as readonly unknown[]).includes(value);
}

type OtlpAttribute = {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
};

/** In the form of OTLP. */
export function listAttributes(attributes: SpanAttributes): OtlpAttribute[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    const form = Object.hasOwn(ATTRIBUTES, key) ? ATTRIBUTES[key as Name] : undefined;
    if (!form || !fits(form, value)) return [];
    return [{ key, value: form === 'count' ? { intValue: String(value) } : { stringValue: String(value) } }];
  });
}

/** The name of a request's span: its method and its route. */
export const isRequestName = (name: string) => {
  const [method = '', route = '', ...rest] = name.split(' ');
  return METHODS.some((each) => each === method) && ROUTES.includes(route) && rest.length === 0;
};
