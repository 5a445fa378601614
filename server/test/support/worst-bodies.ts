// Bodies that fit a size and cost as much as they can: many names, deep nesting, long texts, repeated names, huge numbers,
// lists full of faults. Made from a schema where there is one, so that a new field gets its own.
import type { TSchema } from 'typebox';

export type NamedBody = readonly [name: string, body: string];

type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

/** As many of the items as fit between the two ends. */
function fill(bytes: number, before: string, item: (place: number) => string, after: string): string {
  const parts: string[] = [];
  let left = bytes - before.length - after.length;
  for (let place = 0; place <= bytes; place += 1) {
    const part = place === 0 ? item(place) : `,${item(place)}`;
    left -= Buffer.byteLength(part);
    if (left < 0) break;
    parts.push(part);
  }
  return `${before}${parts.join('')}${after}`;
}

const repeat = (text: string, bytes: number) => text.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(text))));
const nest = (open: string, close: string, bytes: number) => {
  const depth = Math.floor((bytes - 1) / (open.length + close.length));
  return `${open.repeat(depth)}0${close.repeat(depth)}`;
};

/** JSON texts that fit: `head` is what an object begins with, so that the rest of it can be a good request. */
export function jsonBodies(bytes: number, good: object = {}): NamedBody[] {
  const rest = JSON.stringify(good).slice(1);
  const inside = rest === '}' ? rest : `,${rest}`;
  const within = bytes - inside.length - 10;
  return [
    ['many names', fill(bytes, '{', (place) => `"k${place.toString(36)}":0`, inside)],
    ['many names that are numbers', fill(bytes, '{', (place) => `"${place * 7}":0`, inside)],
    ['a name repeated', fill(bytes, '{', () => '"a":0', inside)],
    ['many __proto__', fill(bytes, '{"x":[', () => '{"__proto__":0}', `]${inside}`)],
    ['many constructor.prototype', fill(bytes, '{"x":[', () => '{"constructor":{"prototype":0}}', `]${inside}`)],
    ['deep lists', `{"x":${nest('[', ']', within)}${inside}`],
    ['deep objects', `{"x":${nest('{"a":', '}', within)}${inside}`],
    ['deep __proto__', `{"x":${nest('{"__proto__":', '}', within)}${inside}`],
    [
      '63 levels of lists in lists',
      `{"x":${nest('[', ']', 126)},"y":${fill(within - 140, '[', () => '[[]]', ']')}${inside}`,
    ],
    ['a long text', `{"x":"${repeat('a', within)}"${inside}`],
    ['a long text of escapes', `{"x":"${repeat('\\u0041', within)}"${inside}`],
    ['a long name', `{"${repeat('a', within)}":0${inside}`],
    ['a number of many digits', `{"x":${repeat('9', within)}${inside}`],
    ['many numbers beyond all numbers', fill(bytes, '{"x":[', () => '1e999', `]${inside}`)],
    ['a list of objects', fill(bytes, '[', () => '{}', ']')],
    ['a text alone', `"${repeat('a', bytes - 2)}"`],
    ['brackets that never close', repeat('[', bytes)],
    ['a text that never closes', `"${repeat('\\', bytes - 1)}`],
    ['spaces', repeat(' ', bytes)],
  ];
}

const LONG_TEXTS = ['a', ' ', '0', '+', '-', '1.', ':', '/', 'a@', '\\u0000', 'é', ' a'];
const LIST_ITEMS = [
  '{}',
  '[]',
  '0',
  '""',
  '"a"',
  'null',
  '{"type":0,"ukAddress":{}}',
  '{"kty":"RSA","n":"AQAB","e":"AQAB"}',
];

/** The places of a schema, each as the JSON pointer's parts, with what kind of value stands there. */
function placesOf(schema: Schema, at: readonly string[] = []): [readonly string[], string][] {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null' && type !== undefined);
  const type = [schema.type].flat().find((each) => each !== 'null');
  if (type === undefined) return inner ? placesOf(inner, at) : [];
  const own: [readonly string[], string][] = [[at, type]];
  if (type === 'array') return [...own, ...placesOf(schema.items ?? {}, [...at, '0'])];
  const properties = Object.entries(schema.properties ?? {});
  return [...own, ...properties.flatMap(([name, property]) => placesOf(property, [...at, name]))];
}

/** The good body with raw JSON text in one place. */
function withText(good: object, at: readonly string[], text: string): string {
  const MARK = '\u2063';
  const copy = structuredClone(good) as Record<string, unknown>;
  let holder = copy;
  for (const part of at.slice(0, -1)) {
    holder[part] ??= {};
    holder = holder[part] as Record<string, unknown>;
  }
  holder[at.at(-1) ?? ''] = MARK;
  return JSON.stringify(copy).replace(`"${MARK}"`, () => text);
}

/** For every field of the schema, the worst of its kind in an otherwise good body. */
export function schemaBodies(schema: TSchema, good: object, bytes: number): NamedBody[] {
  return placesOf(schema as Schema).flatMap(([at, type]) => {
    if (at.length === 0) return [];
    const left = bytes - withText(good, at, '').length;
    const named = (what: string, text: string): NamedBody => [`/${at.join('/')} ${what}`, withText(good, at, text)];
    switch (type) {
      case 'string':
        return LONG_TEXTS.map((text) => named(`a long text of ${text}`, `"${repeat(text, left - 2)}"`));
      case 'array':
        return [
          ...LIST_ITEMS.map((item) =>
            named(
              `a list of ${item}`,
              fill(left, '[', () => item, ']'),
            ),
          ),
          named(
            'a list of different texts',
            fill(left, '[', (place) => `"${place}"`, ']'),
          ),
          named(
            'ten long faults',
            fill(left, '[', () => `{"type":"${repeat(' ', Math.floor(left / 10) - 20)}"}`, ']'),
          ),
        ];
      case 'object':
        return [
          named(
            'many names',
            fill(left, '{', (place) => `"k${place.toString(36)}":0`, '}'),
          ),
          named('deep', nest('{"a":', '}', left)),
        ];
      default:
        return [named('many digits', repeat('9', left)), named('beyond all numbers', `1e${repeat('9', left - 2)}`)];
    }
  });
}

const LONG_VALUES = ['a', '[', '.', 'a+', '%00'];

/** Forms that fit: as many parameters as there can be, and each field that a route knows as long as it can be. */
export function formBodies(bytes: number, fields: readonly string[], good = '', values = LONG_VALUES): NamedBody[] {
  const short = (place: number) => place.toString(36);
  const join = (parts: string) => parts.replaceAll(',', '&');
  const from = good === '' ? '' : `${good}&`;
  return [
    ['many parameters', join(fill(bytes, from, short, ''))],
    ['a parameter repeated', join(fill(bytes, from, () => 'a', ''))],
    ['only separators', repeat('&', bytes)],
    [
      'a hundred long parameters',
      `${from}${Array.from({ length: 90 }, (_, place) => `${short(place)}=${repeat('%41', bytes / 110)}`).join('&')}`.slice(
        0,
        bytes,
      ),
    ],
    ['a long name', `${from}${repeat('a', bytes - from.length)}`],
    ['a long text of nothing', repeat('%00', bytes)],
    ...fields.flatMap((field) =>
      values.map(
        (value): NamedBody => [
          `${field} of ${value}`,
          `${from}${field}=${repeat(value, bytes - from.length - field.length - 1)}`,
        ],
      ),
    ),
  ];
}
