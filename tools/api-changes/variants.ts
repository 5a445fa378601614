// A JSON Schema as the list of its alternatives, each of one type, so that two schemas can be compared one by one.
// An unknown keyword ends the comparison: a check that overlooks half of a schema is worse than none.

export type Schema = { readonly [keyword: string]: unknown };
export type Document = Schema;

/** One alternative of a schema: `type` is undefined where any type is allowed. */
export type Variant = {
  readonly type: string | undefined;
  readonly words: readonly unknown[] | undefined;
  readonly schema: Schema;
};

const COMPARED = new Set([
  ...['$ref', 'anyOf', 'oneOf', 'type', 'const', 'enum', 'properties', 'required', 'items', 'additionalProperties'],
  ...['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'],
  ...['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'],
  ...['pattern', 'format', 'uniqueItems', 'multipleOf', 'contentEncoding', 'contentMediaType', 'default'],
  ...[
    'dependentSchemas',
    'dependentRequired',
    'propertyNames',
    'patternProperties',
    'allOf',
    'not',
    'if',
    'then',
    'else',
  ],
  ...['x-trim', 'x-phone', 'x-strip', 'x-blank', 'x-id', 'x-misspelt'],
]);
/** Keywords that only inform a reader and are not binding. */
const TOLD_ONLY = new Set([
  // It repeats the constants of the alternatives, which are compared.
  'discriminator',
  ...['title', 'description', 'examples', 'example', 'deprecated', '$comment', 'readOnly', 'writeOnly'],
  ...['x-message', 'x-path', 'x-shown'],
]);

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as text, without the keywords that only inform a reader. */
export function show(value: unknown): string {
  if (value === undefined) return 'none';
  return JSON.stringify(value, (keyword, inner) => (TOLD_ONLY.has(keyword) ? undefined : inner));
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The name of the schema that a reference points to. */
export function refName(schema: Schema): string | undefined {
  return typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
}

/** Follows a reference inside the document. */
export function resolve(document: Document, schema: Schema): Schema {
  let found = schema;
  while (typeof found['$ref'] === 'string') {
    const path = found['$ref'];
    let target: unknown = document;
    for (const step of path.split('/').slice(1)) target = isSchema(target) ? target[step] : undefined;
    if (!path.startsWith('#/') || !isSchema(target)) throw new Error(`${path} leads to no schema of the document.`);
    found = target;
  }
  return found;
}

function refuseUnknown(schema: Schema): void {
  const unknown = Object.keys(schema).find((keyword) => !COMPARED.has(keyword) && !TOLD_ONLY.has(keyword));
  if (unknown !== undefined)
    throw new Error(`The keyword ${unknown} cannot be compared: teach tools/api-changes first.`);
}

function typeOf(word: unknown): string {
  if (word === null) return 'null';
  if (Array.isArray(word)) return 'array';
  return Number.isInteger(word) ? 'integer' : typeof word;
}

function split(schema: Schema): Variant[] {
  const words =
    'const' in schema ? [schema['const']] : schema['enum'] === undefined ? undefined : listOf(schema['enum']);
  const { type } = schema;
  const types = Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : undefined;
  if (types) {
    return types.map((each) => ({ type: each, words: words?.filter((word) => fits(typeOf(word), each)), schema }));
  }
  if (!words) return [{ type: undefined, words, schema }];
  return [...new Set(words.map(typeOf))].map((each) => ({
    type: each,
    words: words.filter((word) => typeOf(word) === each),
    schema,
  }));
}

/** Whether every value of one type is also of the other type. */
export function fits(type: string | undefined, wider: string | undefined): boolean {
  return wider === undefined || type === wider || (type === 'integer' && wider === 'number');
}

/** Several lists of words of one type are one list: `anyOf` of two words means the same as `enum`. */
function joinWords(variants: readonly Variant[]): Variant[] {
  const joined: Variant[] = [];
  for (const variant of variants) {
    const at = joined.findIndex(
      ({ type, words }) => words !== undefined && variant.words !== undefined && type === variant.type,
    );
    const before = joined[at];
    if (!before) joined.push(variant);
    else joined[at] = { ...before, words: [...new Set([...(before.words ?? []), ...(variant.words ?? [])])] };
  }
  return joined;
}

/** Keywords that may be beside the alternatives and apply to each of them. */
const SHARED = new Set(['default', 'x-trim', 'x-phone', 'x-strip', 'x-blank', 'x-id']);

export function variantsOf(document: Document, schema: Schema): Variant[] {
  const found = resolve(document, schema);
  refuseUnknown(found);
  const { anyOf, oneOf, ...rest } = found;
  const beside = Object.entries(rest).filter(([keyword]) => COMPARED.has(keyword));
  const isChoice = (anyOf !== undefined || oneOf !== undefined) && beside.every(([keyword]) => SHARED.has(keyword));
  // Beside its own type, `anyOf` is another rule about the same value.
  if (!isChoice) return split(found);
  const variants = listOf(anyOf ?? oneOf).flatMap((each) => (isSchema(each) ? variantsOf(document, each) : []));
  const shared = Object.fromEntries(beside);
  return joinWords(variants.map((variant) => ({ ...variant, schema: { ...shared, ...variant.schema } })));
}

/** What tells one alternative of objects from another: its fields with a single word, such as `status`. */
export function marksOf(document: Document, { schema }: Variant): Map<string, string> {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const marks = new Map<string, string>();
  for (const [name, property] of Object.entries(properties)) {
    if (!isSchema(property)) continue;
    const found = resolve(document, property);
    const words = 'const' in found ? [found['const']] : listOf(found['enum']);
    if (words.length === 1) marks.set(name, JSON.stringify(words[0]));
  }
  return marks;
}
