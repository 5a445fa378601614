// Bodies and queries judged by the contract's schemas (JSON Schema 2020-12). Every fault is reported, each with a
// sentence that says what would be right; values are never echoed, since they may be personal.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { FastifySchemaCompiler } from 'fastify';
import { isAdultDate } from '../lib/calendar.ts';
import { isEmail } from '../lib/email.ts';
import { type Fault, ServiceError } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import { parseInstant } from '../lib/instant.ts';
import { isIpAddress, isNetwork } from '../lib/ip-address.ts';
import { isE164 } from '../lib/phone.ts';
import { normalisePostcode } from '../lib/postcode.ts';

/** A hostile body can hold tens of thousands of faults; nobody reads past these. */
const FAULTS_MAX = 100;

const FORMAT_MESSAGES: Record<string, string> = {
  'uk-postcode': 'Use a UK, Crown Dependency or BFPO postcode, such as HR10 2AB.',
  e164: 'Use a valid phone number in international format, such as +447700900123.',
  'adult-date': 'Use a real date as YYYY-MM-DD, aged 18 to 120.',
  ip: 'Use an IPv4 or IPv6 address.',
  network: 'Use an address or a network, such as 192.0.2.0/24 or 2001:db8::/48.',
  email: 'Use an e-mail address, such as name@example.com.',
  uuid: 'Use an id as it was given: a UUID in lower case.',
  'date-or-instant': 'Use a date such as 2026-03-01, or an instant such as 2026-03-01T09:00:00Z. Write + as %2B.',
};

function createAjv(now: () => Date): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false, strictRequired: false });
  ajv.addVocabulary(['x-message', 'x-path']);
  ajv.addFormat('uk-postcode', (text) => normalisePostcode(text) !== undefined);
  ajv.addFormat('e164', isE164);
  ajv.addFormat('adult-date', (text) => isAdultDate(text, now()));
  ajv.addFormat('ip', isIpAddress);
  ajv.addFormat('network', isNetwork);
  ajv.addFormat('email', isEmail);
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('date-or-instant', (text) => parseInstant(text) !== undefined);
  // Both run before the length is measured: lengths count what is left.
  ajv.addKeyword({
    keyword: 'x-trim',
    type: 'string',
    schemaType: 'boolean',
    modifying: true,
    before: 'maxLength',
    compile: () => (text, context) => {
      if (context) context.parentData[context.parentDataProperty] = text.trim();
      return true;
    },
  });
  ajv.addKeyword({
    keyword: 'x-strip',
    type: 'string',
    schemaType: 'string',
    modifying: true,
    before: 'maxLength',
    compile: (pattern: string) => {
      const unwanted = new RegExp(pattern, 'g');
      return (text, context) => {
        if (context) context.parentData[context.parentDataProperty] = text.replace(unwanted, '');
        return true;
      };
    },
  });
  return ajv;
}

const TYPE_NAMES: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
};

function describe(error: ErrorObject): string {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
      return 'This field is required.';
    case 'type':
      return `Use ${TYPE_NAMES[params['type']] ?? params['type']}.`;
    case 'enum':
      return `Use one of: ${params['allowedValues'].join(', ')}.`;
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

type AnnotatedSchema = { 'x-message'?: string; 'x-path'?: string; dependentSchemas?: Record<string, AnnotatedSchema> };

/** A rule over several fields carries its own sentence; the faults of its branches are noise beside it. */
function toFault(error: ErrorObject, root: AnnotatedSchema): Fault | undefined {
  const dependent = /^#\/dependentSchemas\/([^/]+)\//.exec(error.schemaPath)?.[1];
  if (dependent !== undefined) {
    const rule = root.dependentSchemas?.[dependent];
    return { path: rule?.['x-path'] ?? '', message: rule?.['x-message'] ?? 'This value is not valid.' };
  }
  if (/\/anyOf\/\d+\//.test(error.schemaPath)) return undefined;
  if (error.keyword === 'anyOf') {
    const message = (error.parentSchema as AnnotatedSchema)['x-message'];
    return { path: error.instancePath, message: message ?? 'This value is not valid.' };
  }
  const missing = error.keyword === 'required' ? `/${error.params['missingProperty']}` : '';
  return { path: error.instancePath + missing, message: describe(error) };
}

type QuerySchema = {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly default?: unknown }>>;
};

/** A query is all text: what should be a whole number and reads like one becomes one, and what is left out its default. */
function readQuery(
  given: Readonly<Record<string, unknown>>,
  { properties = {} }: QuerySchema,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : property.default;
    const isNumber = property.type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value);
    if (value !== undefined) query[name] = isNumber ? Number(value) : value;
  }
  return query;
}

export function createValidatorCompiler(now: () => Date): FastifySchemaCompiler<object> {
  const ajv = createAjv(now);
  return ({ schema, httpPart }) => {
    const validate = ajv.compile(schema);
    const isQuery = httpPart === 'querystring';
    return (given: unknown) => {
      const data = isQuery ? readQuery(given as Record<string, unknown>, schema as QuerySchema) : given;
      if (validate(data)) return { value: data };
      const faults = new Map<string, Fault>();
      for (const error of validate.errors ?? []) {
        const fault = toFault(error, schema as AnnotatedSchema);
        if (fault) faults.set(`${fault.path}\n${fault.message}`, fault);
        if (faults.size === FAULTS_MAX) break;
      }
      const details = [...faults.values()].map((each) => (isQuery ? { ...each, path: `/query${each.path}` } : each));
      const sentence = `The ${isQuery ? 'query' : 'request body'} is not valid; details lists what to correct.`;
      return { error: new ServiceError('validation-error', sentence, { details }) };
    };
  };
}
