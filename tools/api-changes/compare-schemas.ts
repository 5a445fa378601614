// Compares a schema of the base with today's. In a request it may only accept more; in an answer it may only promise
// more. New words in an answer's list are additive (docs/decisions/0018-versioning.md): a client ignores unknown words.
import type { Changes, Side } from './changes.ts';
import {
  type Document,
  fits,
  isSchema,
  listOf,
  marksOf,
  refName,
  type Schema,
  show,
  type Variant,
  variantsOf,
} from './variants.ts';

export type Pair = { readonly base: Schema; readonly now: Schema };

export type Comparison = {
  readonly base: Document;
  readonly now: Document;
  readonly changes: Changes;
  /** Named schemas that were compared or are being compared: each once per side, which also ends recursion. */
  readonly seen: Set<string>;
};

type Place = Comparison & { readonly side: Side; readonly where: string };

const LOWER = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'] as const;
const UPPER = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'] as const;
/** Compared as written, without interpretation. */
const RULES = [
  ...['pattern', 'format', 'uniqueItems', 'multipleOf', 'contentEncoding', 'contentMediaType'],
  ...[
    'dependentSchemas',
    'dependentRequired',
    'propertyNames',
    'patternProperties',
    'anyOf',
    'oneOf',
    'allOf',
    'not',
    'if',
    'then',
    'else',
  ],
  'x-misspelt',
];
/** The service corrects input before it validates it: without one of these it accepts less. */
const LENIENCE = ['x-trim', 'x-phone', 'x-strip', 'x-blank', 'x-id'] as const;

const inside = (place: Place, name: string): Place => ({ ...place, where: `${place.where}.${name}` });

/** `isNarrower`: today's schema accepts fewer values than the base's. That breaks requests; the opposite breaks answers. */
function tell({ side, changes, where }: Place, isNarrower: boolean, what: string): void {
  if (isNarrower === (side === 'request')) changes.breaking(where, what);
  else changes.additive(where, what);
}

function compareBounds(place: Place, { base, now }: Pair): void {
  const compare = (keyword: string, isTighter: (left: number, right: number) => boolean) => {
    const [before, after] = [base[keyword], now[keyword]];
    if (before === after) return;
    const isNarrower = typeof before !== 'number' || (typeof after === 'number' && isTighter(after, before));
    tell(place, isNarrower, `${keyword} was ${show(before)} and is ${show(after)}`);
  };
  for (const keyword of LOWER) compare(keyword, (after, before) => after > before);
  for (const keyword of UPPER) compare(keyword, (after, before) => after < before);
}

/** Two different rules of a kind are neither narrower nor wider: such a change breaks both sides. */
function compareRules(place: Place, { base, now }: Pair): void {
  for (const keyword of RULES) {
    const [before, after] = [base[keyword], now[keyword]];
    if (show(before) === show(after)) continue;
    const what = `${keyword} was ${show(before)} and is ${show(after)}`;
    if (before !== undefined && after !== undefined) place.changes.breaking(place.where, what);
    else tell(place, before === undefined, what);
  }
  for (const keyword of LENIENCE) {
    if (show(base[keyword]) === show(now[keyword])) continue;
    tell(place, base[keyword] !== undefined, `${keyword} was ${show(base[keyword])} and is ${show(now[keyword])}`);
  }
  if (place.side === 'request' && show(base['default']) !== show(now['default'])) {
    place.changes.breaking(place.where, `default was ${show(base['default'])} and is ${show(now['default'])}`);
  }
}

function compareWords(place: Place, base: Variant, now: Variant): void {
  if (!base.words && !now.words) return;
  if (!base.words || !now.words) {
    tell(
      place,
      now.words !== undefined,
      now.words ? `takes only ${show(now.words)} now` : 'is no longer a list of words',
    );
    return;
  }
  const [before, after] = [new Set(base.words.map(show)), new Set(now.words.map(show))];
  for (const word of before.difference(after)) tell(place, true, `the word ${word} is gone`);
  for (const word of after.difference(before)) place.changes.additive(place.where, `the word ${word} is new`);
}

function compareFields(place: Place, { base, now }: Pair): void {
  const { side, changes } = place;
  const fields = (schema: Schema) =>
    new Map(Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}));
  const [before, after] = [fields(base), fields(now)];
  const [neededBefore, needed] = [new Set(listOf(base['required'])), new Set(listOf(now['required']))];
  for (const [name, field] of before) {
    const at = inside(place, name);
    const today = after.get(name);
    if (today === undefined) {
      // Optional or not: a client that reads it finds nothing, and a client that sends it is ignored.
      changes.breaking(at.where, 'the field is gone');
      continue;
    }
    if (neededBefore.has(name) !== needed.has(name)) {
      tell(at, needed.has(name), needed.has(name) ? 'was optional and is required' : 'was required and is optional');
    }
    if (isSchema(field) && isSchema(today)) compareAt(at, { base: field, now: today });
  }
  for (const name of after.keys()) {
    if (before.has(name)) continue;
    const { where } = inside(place, name);
    if (side === 'request' && needed.has(name)) changes.breaking(where, 'the field is new and required');
    else changes.additive(where, 'the field is new');
  }
}

function compareRest(place: Place, { base, now }: Pair): void {
  const [before, after] = [base['additionalProperties'] ?? true, now['additionalProperties'] ?? true];
  if (isSchema(before) && isSchema(after)) compareAt(inside(place, '*'), { base: before, now: after });
  else if (show(before) !== show(after)) {
    const isNarrower = after === false || (isSchema(after) && before === true);
    tell(place, isNarrower, `additionalProperties was ${show(before)} and is ${show(after)}`);
  }
}

function compareItems(place: Place, { base, now }: Pair): void {
  const [before, after] = [base['items'], now['items']];
  const at = { ...place, where: `${place.where}[]` };
  if (isSchema(before) && isSchema(after)) compareAt(at, { base: before, now: after });
  else if (before !== after) tell(at, after !== undefined, `items were ${show(before)} and are ${show(after)}`);
}

function compareVariants(place: Place, base: Variant, now: Variant): void {
  if (base.type !== now.type) {
    tell(place, fits(now.type, base.type), `the type was ${base.type ?? 'any'} and is ${now.type ?? 'any'}`);
  }
  compareWords(place, base, now);
  const pair = { base: base.schema, now: now.schema };
  compareBounds(place, pair);
  compareRules(place, pair);
  if (base.type === 'object' && now.type === 'object') {
    compareFields(place, pair);
    compareRest(place, pair);
  }
  if (base.type === 'array' && now.type === 'array') compareItems(place, pair);
}

function haveSameMarks(place: Place, base: Variant, now: Variant): boolean {
  const [before, after] = [marksOf(place.base, base), marksOf(place.now, now)];
  return [...before].every(([name, word]) => !after.has(name) || after.get(name) === word);
}

const nameOf = ({ type, words }: Variant, marks: Map<string, string>): string =>
  words
    ? `${words.map(show).join(', ')}`
    : [type ?? 'any', ...[...marks].map(([name, word]) => `with ${name} ${word}`)].join(' ');

/** Today's first alternative that matches one of the base; each is used once. */
function match(place: Place, base: readonly Variant[], now: readonly Variant[]) {
  const left = new Set(now);
  const pairs: [Variant, Variant][] = [];
  const gone: Variant[] = [];
  for (const before of base) {
    const candidates = [...left].filter((after) => fits(before.type, after.type) || fits(after.type, before.type));
    const same = candidates.filter((after) => haveSameMarks(place, before, after));
    // Of several matches, the one with the same fields.
    const wanted = show(fieldNames(before));
    const after = same.find((each) => show(fieldNames(each)) === wanted) ?? same[0];
    if (!after) gone.push(before);
    else {
      pairs.push([before, after]);
      left.delete(after);
    }
  }
  return { pairs, gone, added: [...left] };
}

const fieldNames = ({ schema }: Variant) =>
  isSchema(schema['properties']) ? Object.keys(schema['properties']).toSorted() : [];

function compareAt(place: Place, pair: Pair): void {
  const name = refName(pair.now);
  if (name !== undefined && name === refName(pair.base)) {
    // A named schema is compared once per side, under its own name, however many operations use it.
    const where = `${name} in ${place.side === 'request' ? 'requests' : 'answers'}`;
    if (place.seen.has(where)) return;
    place.seen.add(where);
    compareAlternatives({ ...place, where }, pair);
  } else compareAlternatives(place, pair);
}

function compareAlternatives(place: Place, pair: Pair): void {
  const { pairs, gone, added } = match(place, variantsOf(place.base, pair.base), variantsOf(place.now, pair.now));
  for (const [base, now] of pairs) {
    const marks = pairs.length > 1 && base.type === 'object' ? marksOf(place.base, base) : new Map<string, string>();
    const mark = [...marks].map(([name, word]) => `${name} ${word}`).join(', ');
    compareVariants(mark === '' ? place : { ...place, where: `${place.where} (${mark})` }, base, now);
  }
  for (const variant of gone) tell(place, true, `no longer ${nameOf(variant, marksOf(place.base, variant))}`);
  for (const variant of added) {
    const marks = marksOf(place.now, variant);
    // A new outcome with its own word is a new word of a list; null or another type is not.
    if (place.side === 'answer' && marks.size > 0)
      place.changes.additive(place.where, `also ${nameOf(variant, marks)}`);
    else tell(place, false, `also ${nameOf(variant, marks)}`);
  }
}

/** Adds the changes between the two, which are used on one side at one place. */
export function compareSchemas(comparison: Comparison, side: Side, where: string, pair: Pair): void {
  compareAt({ ...comparison, side, where }, pair);
}
