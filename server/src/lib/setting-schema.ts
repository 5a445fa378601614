// Settings that are objects in JSON, judged by the schemas of the adapters that use them: TypeBox describes them, ajv judges.
// Every fault is told by its place and by what would be right. No value is part of a sentence, since most are secrets; the
// name of a key that is not known is (docs/decisions/0194-adapters-describe-their-settings.md).
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';
import { readMailbox } from './values/email.ts';
import { nearest } from './values/nearest.ts';
import { printableName } from './values/plain-text.ts';

/** Nobody corrects more in one go. */
const FAULTS_MAX = 20;

/** An object with these keys and no others: one that is not known is most likely a slip of the hand. */
export const closed = <Properties extends TProperties>(properties: Properties, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, description: 'an object', ...options });

export const SettingText = Type.String({ minLength: 1, description: 'a text that is not empty' });
export const HttpUrl = Type.String({ format: 'http-url', description: 'an address with http or https' });
/** Headers of one connection, and those that say how the body is written: with other values no call could succeed. */
const OWN_HEADERS = [
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
];
const ofHeaders = { description: `an object of headers without ${OWN_HEADERS.join(', ')}` };
/** What an operator adds to each call, such as an API key. */
export const FreeHeaders = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
  Type.String({ pattern: '^[\\x20-\\x7e]{1,4096}$', description: 'a text of printable ASCII characters' }),
  { additionalProperties: false, propertyNames: { format: 'free-header', ...ofHeaders }, ...ofHeaders },
);
export const wholeNumber = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description: `a whole number, ${minimum} to ${maximum}` });

type Annotated = {
  readonly description?: string;
  readonly properties?: object;
  /** What is missing where one key of several is needed. */
  readonly 'x-message'?: string;
};

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false, strictRequired: false });
  ajv.addVocabulary(['x-message']);
  ajv.addFormat('http-url', (text) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''));
  // One that is not an address is told by `http-url` alone.
  ajv.addFormat('bare-url', (text) => {
    const { username, password, search, hash } = URL.parse(text) ?? {};
    return !(username || password || search || hash);
  });
  ajv.addFormat('free-header', (name) => !OWN_HEADERS.includes(name.toLowerCase()));
  ajv.addFormat('smtp-url', (text) => {
    const { protocol, hostname } = URL.parse(text) ?? {};
    return Boolean(hostname) && (protocol === 'smtp:' || protocol === 'smtps:');
  });
  ajv.addFormat('mailbox', (text) => readMailbox(text) !== undefined);
  return ajv;
}

function describe({ keyword, params, parentSchema, instancePath, schemaPath }: ErrorObject, at: string) {
  const path = at + instancePath;
  const schema = parentSchema as Annotated;
  // Of the branches of a choice; the choice itself has a sentence.
  if (/\/anyOf\/\d+\//.test(schemaPath)) return undefined;
  switch (keyword) {
    case 'required':
      return `${path}/${params['missingProperty']} is missing`;
    case 'additionalProperties': {
      const name = String(params['additionalProperty']);
      const match = nearest(name, Object.keys(schema.properties ?? {}));
      return `${path}/${printableName(name)} is not known${match ? `; did you mean ${match}?` : ''}`;
    }
    case 'anyOf':
      return `${path}${schema['x-message'] ?? ' is not valid'}`;
    default:
      return `${path || 'it'} must be ${schema.description ?? 'of another form'}`;
  }
}

const ajv = createAjv();

/** What is wrong with a setting; `at` is where it stands in the whole. */
export function findSettingFaults(schema: TSchema, value: unknown, at = ''): string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  const faults = (validate.errors ?? []).flatMap((error) => describe(error, at) ?? []);
  return [...new Set(faults)].slice(0, FAULTS_MAX);
}
