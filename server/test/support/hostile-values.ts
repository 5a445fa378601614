// Values, edits, headers and addresses that have broken parsers, databases and frameworks before.
import fc from 'fast-check';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Texts that have broken parsers, databases, terminals and templates. */
const WEIRD_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00a',
  'a\ud83d',
  '\ufeffx',
  '\u202ex',
  'e\u0301'.repeat(40),
  '👨‍👩‍👧‍👦'.repeat(9),
  '\u2028\u2029',
  'ﬃßıſK',
  ',',
  ', ,',
  "'; drop table credit_reports; --",
  '{{7*7}}<%= 7*7 %><script>',
  '../../etc/passwd',
  '%00%ff%2e',
  '\r\nX-Injected: 1',
  '$1',
  'NaN',
  '9'.repeat(400),
  'x'.repeat(100),
  'x'.repeat(101),
  'x'.repeat(1_024),
  'x'.repeat(1_025),
  '__proto__',
  'constructor',
  'toString',
];

export const weirdText = fc.oneof(
  fc.constantFrom(...WEIRD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme-composite', maxLength: 120 }),
);

const deep = (levels: number): Json => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);

const weirdValue: fc.Arbitrary<Json> = fc.oneof(
  weirdText,
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [null], [[]], { length: -1 }),
  fc.constantFrom(10, 63, 64, 65, 200, 800).map(deep),
  // Objects of their own: a change to one that all share would be made three hundred times, and the next one in each.
  fc.constantFrom(1, 11, 300).map((count) => Array.from({ length: count }, (): Json => ({ type: 'x' }))),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

const PLACE_DEPTH_MAX = 6;

/** Every place inside a value down to the depth of the contract, the value itself left out. */
function placesOf(value: Json, path: readonly string[] = []): string[][] {
  if (value === null || typeof value !== 'object' || path.length === PLACE_DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...placesOf(inner, [...path, key])]);
}

export type Mutation = {
  readonly at: number;
  readonly kind: 'drop' | 'replace' | 'add';
  readonly value: Json;
  readonly key: string;
};

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('drop', 'replace', 'replace', 'add'),
  value: weirdValue,
  key: fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toJSON', 'length'),
    weirdText,
  ),
});

/** A copy with one place changed. `defineProperty`, because plain assignment would not make a key named __proto__. */
export function mutate(original: Json, { at, kind, value, key }: Mutation): Json {
  const copy: Json = structuredClone(original);
  const places = placesOf(copy);
  const path = places[at % places.length];
  if (!path) return value;
  let holder = copy as Record<string, Json>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string, Json>;
  const last = path.at(-1) ?? '';
  const property = kind === 'add' ? key : last;
  // A list keeps no key but its places, so one more item is what can be added to it.
  if (kind === 'add' && Array.isArray(holder)) holder.push(value);
  else if (kind === 'drop') delete holder[last];
  else {
    Object.defineProperty(holder, property, { value, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** The body as text, sometimes spoilt: cut, doubled keys, raw control characters, not UTF-8, a byte-order mark. */
export const SPOIL: readonly ((text: string) => string | Buffer)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text}${text}`,
  (text) => text.replace('{', '{"test":true,"test":true,"firstName":1,'),
  (text) => text.replace('{', '{"__proto__":{"test":true},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{"x":1}},"\\u005f_proto__":1,'),
  (text) => text.replace(':"', ':"\u0000'),
  (text) =>
    Buffer.concat([Buffer.from(text.slice(0, 20)), Buffer.of(0xff, 0xfe, 0xc0, 0x80), Buffer.from(text.slice(20))]),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => `\ufeff${text}`,
  (text) => text.replace('{', '{"n":1e999999,"m":-0,"o":123456789012345678901234567890,'),
  (text) => `${text}${' '.repeat(1_000)}`,
  (text) => `[${text}]`,
  () => '',
  () => 'null',
  () => '"text"',
  () => '['.repeat(60_000),
  () => `{"bureaus":[${'[['.repeat(9_000)}${']]'.repeat(9_000)}]}`,
  () => `{"addresses":[${'{},'.repeat(30_000)}{}]}`,
  () => `{"firstName":"${'x'.repeat(140_000)}"}`,
];

const headerText = fc.oneof(
  fc.constantFrom('', ' ', 'a', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(4_000), '\u00ff', 'a, b', '"', '{}'),
  fc.stringMatching(/^[\x21-\x7e]{1,40}$/),
);

/** Content-Length and friends are left to the raw-bytes test: here every request is one that Node would send. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.record({ 'idempotency-key': headerText }),
  fc.record({
    'content-type': fc.oneof(
      headerText,
      fc.constantFrom(
        'application/json; charset=utf-16',
        'text/plain',
        'application/xml',
        'multipart/form-data',
        'APPLICATION/JSON',
        'application/json;',
        'application/json,text/html',
        'application/vnd.api+json',
      ),
    ),
  }),
  fc.record({ accept: headerText, 'accept-encoding': headerText, 'accept-language': headerText }),
  fc.record({ 'content-encoding': fc.constantFrom('gzip', 'identity', 'br', 'deflate, gzip', 'x', '') }),
  fc.record({
    authorization: fc.oneof(
      headerText,
      headerText.map((text) => `Bearer ${text}`),
      fc.constant('Basic Og=='),
    ),
  }),
  fc.record({
    'x-forwarded-for': headerText,
    'x-request-id': headerText,
    'x-http-method-override': fc.constant('DELETE'),
  }),
  fc.record({
    origin: headerText,
    cookie: headerText,
    expect: fc.constantFrom('cake', '100-continue'),
    prefer: headerText,
  }),
);

export const segment = fc.oneof(
  fc.constantFrom(
    '%00',
    '%ff',
    '%2e%2e',
    '..',
    '.',
    '',
    '%2f',
    '%',
    '%zz',
    ';x=1',
    '*',
    ':tenantId',
    'v1',
    'my',
    'oauth',
    'docs',
    'token',
    'jwk%73',
    'credit-reports',
    '%E0%A4%A',
    '%C3%A9',
    'x'.repeat(1_500),
    'x'.repeat(9_000),
  ),
  fc.stringMatching(/^[\x21-\x7e]{1,30}$/),
);
export const oddPath = fc
  .tuple(fc.array(segment, { maxLength: 6 }), fc.constantFrom('', '?', '?a=b', '?%ff', '?__proto__[x]=1'))
  .map(([segments, query]) => `/${segments.join('/')}${query}`);
export const method = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'LOCK',
  'QUERY',
);
