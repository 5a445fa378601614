// Validates bodies and queries against the contract's schemas (JSON Schema 2020-12). Every fault is reported, each with a
// sentence that says what would be right. Values are not echoed, since they may be personal, unless the schema says that they
// are not (`x-shown`). The work is bounded first:
// a list that is too long is not entered, and a text that is too long is not parsed (docs/decisions/0104-validation.md).
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifySchemaCompiler } from 'fastify';
import { type Fault, ServiceError } from '../../lib/errors.ts';
import { canonicalId, isUuid } from '../../lib/ids.ts';
import { isAdultDate } from '../../lib/values/calendar.ts';
import { isEmail } from '../../lib/values/email.ts';
import { parseInstant } from '../../lib/values/instant.ts';
import { isIpAddress, isNetwork } from '../../lib/values/ip-address.ts';
import { isE164, normalisePhone } from '../../lib/values/phone.ts';
import { isPersonName, isPlainText } from '../../lib/values/plain-text.ts';
import { normalisePostcode } from '../../lib/values/postcode.ts';
import { createBodyReader } from './read-body.ts';

/** No reader needs more faults than these. */
const FAULTS_MAX = 100;
/** No format has a value of this length, so a check that is slow for long texts never sees one. */
const FORMATTED_LENGTH_MAX = 1_024;

const FORMAT_MESSAGES: Record<string, string> = {
  'uk-postcode': 'Use a UK, Crown Dependency or BFPO postcode, such as HR10 2AB.',
  e164: 'Use a valid phone number in international format: + and the country code, then the number without its leading 0, such as +447700900123 for 07700 900123.',
  'adult-date': 'Use a real date as YYYY-MM-DD, aged 18 to 120.',
  ip: 'Use an IPv4 or IPv6 address.',
  network: 'Use an address or a network, such as 192.0.2.0/24 or 2001:db8::/48.',
  email: 'Use an e-mail address, such as name@example.com.',
  uuid: 'Use the id as you received it: a UUID.',
  'plain-text': 'Use no control characters and no invisible characters.',
  'person-name': 'Use at least one letter, no control characters and no invisible characters.',
  'date-or-instant': 'Use a date such as 2026-03-01, or an instant such as 2026-03-01T09:00:00Z. Write + as %2B.',
};

type Rewrite = (text: string) => string;

/** A keyword that rewrites its text before the length is measured: lengths and formats apply to the result. */
function addRewriting(ajv: Ajv2020, keyword: string, compile: (setting: unknown) => Rewrite): void {
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: ['boolean', 'string'],
    modifying: true,
    before: 'maxLength',
    compile: (setting: unknown) => {
      const rewrite = compile(setting);
      return (text: string, context) => {
        if (context) context.parentData[context.parentDataProperty] = rewrite(text);
        return true;
      };
    },
  });
}

type Now = () => Date;

function createAjv(now: Now): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ allErrors: true, verbose: true, strict: true, strictTypes: false, strictRequired: false },
    // contract/src/contract.test.ts checks the schemas against the meta-schema: compiling that would lengthen every start.
    ...{ meta: false, validateSchema: false },
    // The JavaScript engine optimizes what is called often. Ajv's own pass takes a third of the compile time and gains nothing.
    code: { optimize: false },
  });
  ajv.addVocabulary(['x-message', 'x-path', 'x-blank', 'x-misspelt', 'x-shown']);
  const formats: Record<string, (text: string) => boolean> = {
    'uk-postcode': (text) => normalisePostcode(text) !== undefined,
    e164: isE164,
    'adult-date': (text) => isAdultDate(text, now()),
    ip: isIpAddress,
    network: isNetwork,
    email: isEmail,
    uuid: isUuid,
    'date-or-instant': (text) => parseInstant(text) !== undefined,
  };
  for (const [name, isValid] of Object.entries(formats)) {
    ajv.addFormat(name, (text) => text.length <= FORMATTED_LENGTH_MAX && isValid(text));
  }
  // These fields have their own length rules: a text that is too long or empty gets only that error.
  for (const [name, isValid] of Object.entries({ 'plain-text': isPlainText, 'person-name': isPersonName })) {
    ajv.addFormat(name, (text) => text === '' || text.length > FORMATTED_LENGTH_MAX || isValid(text));
  }
  addRewriting(ajv, 'x-trim', () => (text) => text.trim());
  addRewriting(ajv, 'x-id', () => canonicalId);
  addRewriting(ajv, 'x-strip', (pattern) => {
    const unwanted = new RegExp(String(pattern), 'g');
    return (text) => text.replace(unwanted, '');
  });
  addRewriting(ajv, 'x-phone', () => normalisePhone);
  return ajv;
}

const TYPE_NAMES: Record<string, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
};

const typeNames = (types: string | readonly string[]) =>
  [types]
    .flat()
    .map((type) => TYPE_NAMES[type] ?? type)
    .join(' or ');

/** No longer name or word of a request is repeated, and nothing but plain words. */
const WORD = /^[\w. -]{1,50}$/;

function describeWord({ params, data, parentSchema }: ErrorObject): string {
  const isShown = (parentSchema as AnnotatedSchema | undefined)?.['x-shown'] && typeof data === 'string';
  const bad = isShown && WORD.test(data) ? `There is no "${data}". ` : '';
  return `${bad}Use one of: ${params['allowedValues'].join(', ')}.`;
}

function describe(error: ErrorObject): string {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
      return 'This field is required.';
    case 'type':
      return `Use ${typeNames(params['type'])}.`;
    case 'enum':
      return describeWord(error);
    case 'minLength':
      return 'This field must not be empty.';
    case 'maxLength':
      return `Use at most ${params['limit']} characters.`;
    case 'minItems':
      return `Give at least ${params['limit']}.`;
    case 'maxItems':
      return `Give at most ${params['limit']}.`;
    case 'uniqueItems':
      return 'Give each value only once.';
    case 'minimum':
      return `Use ${params['limit']} or more.`;
    case 'maximum':
      return `Use ${params['limit']} or less.`;
    case 'format':
      return FORMAT_MESSAGES[params['format']] ?? 'The format is not valid.';
    default:
      return 'This value is not valid.';
  }
}

type ListSchema = { readonly items?: object; readonly maxItems?: number; readonly uniqueItems?: boolean };

/**
 * The same schema, except that the items of a list are validated only if there are not too many of them. So the schema,
 * not the body, bounds the number of collected faults.
 */
function boundLists(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(boundLists);
  if (typeof schema !== 'object' || schema === null) return schema;
  const bounded = Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, boundLists(inner)]));
  if (![bounded['type']].flat().includes('array')) return bounded;
  const { items = {}, maxItems, uniqueItems = false, ...rest } = bounded as ListSchema;
  if (maxItems === undefined) throw new Error('a list in a request has no maximum');
  return { ...rest, maxItems, if: { minItems: maxItems + 1 }, else: { items, uniqueItems } };
}

type Misspelt = { readonly field: string; readonly names: readonly string[]; readonly 'x-message': string };
type AnnotatedSchema = {
  'x-message'?: string;
  'x-path'?: string;
  'x-misspelt'?: Misspelt;
  'x-shown'?: boolean;
  additionalProperties?: boolean;
  properties?: Record<string, unknown>;
  dependentSchemas?: Record<string, AnnotatedSchema>;
};

/** No longer name is looked at. */
const MISSPELT_LENGTH_MAX = 50;

/** The first name that was probably meant as a field which is not there (docs/decisions/0270-a-misspelt-test.md). */
function findMisspelt(given: unknown, { 'x-misspelt': rule }: AnnotatedSchema): Fault | undefined {
  if (!rule || typeof given !== 'object' || given === null || Object.hasOwn(given, rule.field)) return undefined;
  const isMeant = (name: string) =>
    name.length <= MISSPELT_LENGTH_MAX && rule.names.includes(name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase());
  const name = Object.keys(given).find(isMeant);
  return name === undefined
    ? undefined
    : { path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, message: rule['x-message'] };
}

/** The names that a closed schema does not have (docs/decisions/0011-unknown-fields.md). A name that is no plain word is not repeated. */
function findUnknown(given: unknown, { additionalProperties, properties = {} }: AnnotatedSchema): Fault[] {
  if (additionalProperties !== false || typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  const message = `This field is not known. The fields are: ${Object.keys(properties).join(', ')}.`;
  return unknown.slice(0, FAULTS_MAX).map((name) => ({ path: WORD.test(name) ? `/${name}` : '', message }));
}

/** A rule over several fields has its own sentence; the faults of its branches would only distract from it. */
function toFault(error: ErrorObject, root: AnnotatedSchema): Fault | undefined {
  const dependent = /^#\/dependentSchemas\/([^/]+)\//.exec(error.schemaPath)?.[1];
  if (dependent !== undefined) {
    const rule = root.dependentSchemas?.[dependent];
    return { path: rule?.['x-path'] ?? '', message: rule?.['x-message'] ?? 'This value is not valid.' };
  }
  if (/\/anyOf\/\d+\//.test(error.schemaPath)) return undefined;
  // Says only that a list was entered and that it contains a fault.
  if (error.keyword === 'if') return undefined;
  if (error.keyword === 'anyOf') {
    const message = (error.parentSchema as AnnotatedSchema)['x-message'];
    return { path: error.instancePath, message: message ?? 'This value is not valid.' };
  }
  if (error.keyword === 'type' && error.instancePath === '') {
    return { path: '', message: 'Send a JSON object as the body.' };
  }
  const missing = error.keyword === 'required' ? `/${error.params['missingProperty']}` : '';
  return { path: error.instancePath + missing, message: describe(error) };
}

/** A repeated parameter arrives as a list, and no parameter is a list. */
function toQueryFault(error: ErrorObject, root: AnnotatedSchema): Fault | undefined {
  const fault = toFault(error, root);
  if (!fault) return undefined;
  const message = Array.isArray(error.data) ? 'Send this parameter only once.' : fault.message;
  return { path: `/query${fault.path}`, message };
}

type QuerySchema = {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly default?: unknown }>>;
};

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * A query is all text: the text of a whole number becomes a number, `true` and `false` become what they say, and a missing
 * parameter gets its default.
 */
function readQuery(
  given: Readonly<Record<string, unknown>>,
  { properties = {} }: QuerySchema,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : property.default;
    const isNumber = property.type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value);
    const isTruth = property.type === 'boolean' && BOOLEANS.has(value);
    if (value !== undefined) query[name] = isNumber ? Number(value) : isTruth ? BOOLEANS.get(value) : value;
  }
  return query;
}

type Compile = (schema: object) => ValidateFunction;

function createCompile(now: Now): Compile {
  const ajv = createAjv(now);
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema) => {
    // `findUnknown` finds unknown names: Ajv would collect a fault for each name of the body.
    const { additionalProperties: _, ...open } = schema as AnnotatedSchema;
    const validate = compiled.get(schema) ?? ajv.compile(boundLists(open) as object);
    compiled.set(schema, validate);
    return validate;
  };
}

/**
 * The formats of dates read the clock, and nothing else differs between two apps of a process. Apps with one clock can use
 * the same functions: `errors`, the only state of such a function, is read right after the call that wrote it.
 */
const compiles = new WeakMap<Now, Compile>();

function compileOf(now: Now): Compile {
  const compile = compiles.get(now) ?? createCompile(now);
  compiles.set(now, compile);
  return compile;
}

export function createValidatorCompiler(now: Now): FastifySchemaCompiler<object> {
  const compile = compileOf(now);
  return ({ schema, httpPart }) => {
    const validate = compile(schema);
    const isQuery = httpPart === 'querystring';
    const readBody = createBodyReader(schema);
    const faultOf = isQuery ? toQueryFault : toFault;
    return (given: unknown) => {
      const data = isQuery ? readQuery(given as Record<string, unknown>, schema as QuerySchema) : readBody(given);
      const misspelt = findMisspelt(given, schema as AnnotatedSchema);
      const unknown = isQuery ? [] : findUnknown(given, schema as AnnotatedSchema);
      if (validate(data) && !misspelt && unknown.length === 0) return { value: data };
      const faults = new Map<string, Fault>(misspelt && [['', misspelt]]);
      const told = (validate.errors ?? []).flatMap((error) => faultOf(error, schema as AnnotatedSchema) ?? []);
      for (const fault of [...unknown, ...told]) faults.set(`${fault.path}\n${fault.message}`, fault);
      const details = [...faults.values()].slice(0, FAULTS_MAX);
      const sentence = `The ${isQuery ? 'query' : 'request body'} is not valid; details lists what to correct.`;
      return { error: new ServiceError('validation-error', sentence, { details }) };
    };
  };
}
