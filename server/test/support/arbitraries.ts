// Requests for fuzzing, made from the contract's own schemas: valid, wrong in one place, and hostile. A new operation or
// field is fuzzed without a line here, unless it brings a format of its own.
import { type GenerateRequest, OPERATIONS, type Operation } from '@trefoil/contract';
import fc from 'fast-check';
import { findContradictions } from '../../src/credit-reports/sandbox/rules/test-options.ts';
import { isPersonName, isPlainText } from '../../src/lib/values/plain-text.ts';
import {
  type Json,
  type Mutation,
  method,
  mutate,
  mutation,
  oddHeaders,
  oddPath,
  SPOIL,
  segment,
  weirdText,
} from './hostile-values.ts';
import type { WireRequest } from './wire.ts';

/** The part of JSON Schema that request bodies use. */
type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-blank'?: 'absent';
};

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  'uk-postcode': fc.constantFrom('HR10 2AB', 'ze39jz', 'SW1A 1AA', 'BFPO 12', 'gir0aa', 'IM1 1AE', ' M1  1AE '),
  e164: digits(3).map((tail) => `+447700900${tail}`),
  'adult-date': fc
    .tuple(fc.integer({ min: 1930, max: 2004 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
    .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`),
  ip: fc.oneof(fc.ipV4(), fc.constantFrom('2001:db8::1', '::ffff:192.0.2.1')),
  email: fc.oneof(
    fc.constantFrom('test001@x.example', 'TEST003@x.example'),
    digits(4).map((n) => `a.${n}@example.com`),
  ),
};

/** Rules over any text, as against formats that have few. */
const TEXTS: Record<string, (text: string) => boolean> = { 'plain-text': isPlainText, 'person-name': isPersonName };

export function fromSchema(schema: Schema): fc.Arbitrary<Json> {
  const { 'x-blank': blank, ...rest } = schema;
  return blank
    ? fc.oneof({ weight: 4, arbitrary: fromSchema(rest) }, fc.constantFrom(null, ''))
    : fromPlainSchema(rest);
}

function fromPlainSchema(schema: Schema): fc.Arbitrary<Json> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 });
  if (schema.type === 'array') {
    const limits = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 3, 3) };
    return fc.uniqueArray(fromSchema(schema.items ?? {}), { ...limits, selector: (item) => JSON.stringify(item) });
  }
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, fromSchema(inner)] as const);
    const properties: Record<string, fc.Arbitrary<Json>> = Object.fromEntries(entries);
    const requiredKeys = [...(schema.required ?? [])];
    return fc.record(properties, { requiredKeys }).map((value) => value as Json);
  }
  const fits = TEXTS[schema.format ?? ''];
  if (schema.format !== undefined && !fits) return FORMATS[schema.format] ?? fc.uuid();
  const maxLength = Math.min(schema.maxLength ?? 60, 60);
  const isFit = (text: string) => fits?.(text.trim()) ?? true;
  const plain = fc.string({ unit: 'grapheme', maxLength }).map((text) => (isFit(text) && text.trim()) || 'x');
  // A name may be as odd as it likes: if it fits its rule and its length it reaches the database and the report.
  const odd = weirdText.filter(
    (text) => text.trim() !== '' && isFit(text) && [...text].length <= (schema.maxLength ?? 60),
  );
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: odd });
}

export type World = {
  readonly tenantId: string;
  readonly otherTenantId: string;
  readonly authorization: string;
  readonly otherAuthorization: string;
  readonly challenges: readonly { creditReportId: string; challengeId: string }[];
};

function operationRequest(operation: Operation, world: World): fc.Arbitrary<WireRequest> {
  const schema = (operation.body ?? {}) as Schema;
  const body = operation.body ? fromSchema(schema) : fc.constant(undefined);
  const challenge = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...world.challenges) },
    fc.record({ creditReportId: fc.oneof(fc.uuid(), segment), challengeId: weirdText }),
  );
  const tenantId = fc.oneof(
    { weight: 12, arbitrary: fc.constant(world.tenantId) },
    fc.constant(world.otherTenantId),
    segment,
  );
  const mutations: fc.Arbitrary<readonly Mutation[]> = fc.oneof(
    fc.constant([]),
    fc.tuple(mutation),
    fc.array(mutation, { minLength: 2, maxLength: 4 }),
  );
  const spoil = fc.oneof({ weight: 12, arbitrary: fc.constant(String) }, fc.constantFrom(...SPOIL));
  const code = fc.oneof(fc.constantFrom('123456', '12 34-56', '000000'), weirdText);
  const authorization = fc.oneof(
    { weight: 15, arbitrary: fc.constant(world.authorization) },
    fc.constant(world.otherAuthorization),
  );
  return fc
    .record({
      body,
      challenge,
      tenantId,
      mutations,
      spoil,
      code,
      authorization,
      headers: oddHeaders,
      isTest: fc.nat(9),
    })
    .map(({ body: valid, challenge: ids, headers, ...parts }) => {
      const path = operation.path.replace(':tenantId', parts.tenantId).replace(':creditReportId', ids.creditReportId);
      const head = { authorization: parts.authorization, 'content-type': 'application/json', ...headers };
      if (valid === undefined) return { method: operation.method, path, headers: head };
      const value = settle(valid as Record<string, Json>, { ...ids, ...parts, isLive: parts.isTest === 0 });
      const text = JSON.stringify(parts.mutations.reduce(mutate, value));
      return { method: operation.method, path, headers: head, body: parts.spoil(text) };
    });
}

const FAULTS = new Set<Json>(['internal-error', 'service-unavailable', 'service-unavailable-with-report']);

/** Makes a body that fits its schema also fit the world: ids that exist, an address with premises, mostly test mode. */
function settle(
  body: Record<string, Json>,
  by: { tenantId: string; challengeId: string; code: string; isLive: boolean },
): Json {
  if ('tenantId' in body) return { ...body, tenantId: by.tenantId };
  if ('challengeId' in body) return { ...body, challengeId: by.challengeId, ...('code' in body && { code: by.code }) };
  if (!Array.isArray(body['addresses'])) return body;
  const addresses = (body['addresses'] as { ukAddress: Record<string, Json> }[]).map((entry) => ({
    ...entry,
    ukAddress: { buildingNumber: '1', ...entry.ukAddress },
  }));
  const { challengeOptions, testOptions, test: _, ...rest } = { ...body, addresses } as Record<string, Json>;
  if (by.isLive) return rest;
  const inTest = { ...rest, test: true, ...(challengeOptions !== undefined && { challengeOptions }) };
  if (testOptions === undefined) return inTest;
  // Without a delay, which would only make the test long, without a 5xx on request, and without options that contradict each other.
  const { delayMs: __, outcome, ...more } = testOptions as Record<string, Json>;
  const options = FAULTS.has(outcome ?? null) ? more : { ...more, ...(outcome !== undefined && { outcome }) };
  const chosen = { ...inTest, testOptions: options };
  return findContradictions(chosen as unknown as GenerateRequest).length > 0 ? inTest : chosen;
}

const tokenRequest: fc.Arbitrary<WireRequest> = fc
  .record({
    form: fc.dictionary(
      fc.constantFrom(
        'grant_type',
        'client_id',
        'client_secret',
        'scope',
        'resource',
        'client_assertion',
        'client_assertion_type',
      ),
      fc.oneof(weirdText, fc.constantFrom('client_credentials', 'urn:trefoil:api', 'a.b.c', 'bnVsbA.bnVsbA.')),
    ),
    headers: oddHeaders,
    encode: fc.constantFrom<(form: string) => string>(
      (form) => form,
      (form) => `${form}&${form}`,
      (form) => form.replaceAll('%', '%%'),
    ),
  })
  .map(({ form, headers, encode }) => ({
    method: 'POST',
    path: '/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: encode(
      Object.entries(form)
        .map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`)
        .join('&'),
    ),
  }));

/** Any request at all: two thirds are operations with a good token, because past the gate there is more to break. */
export function anyRequest(world: World): fc.Arbitrary<WireRequest> {
  const operations = Object.values(OPERATIONS) as Operation[];
  // A head too large to parse is answered without knowing its method, and a client takes the body after a HEAD for
  // noise: those heads belong to the raw-bytes test.
  const stray = fc
    .record({ method, path: oddPath, headers: oddHeaders })
    .map((request) => (request.method === 'HEAD' ? { ...request, path: request.path.slice(0, 2_000) } : request));
  const misused = fc.record({
    method,
    path: fc.constantFrom(
      '/livez',
      '/docs/',
      '/v1/my/profile',
      '/v1/oauth/jwks',
      '/v1/oauth/token',
      `/${world.tenantId}/v1/credit-reports`,
    ),
    headers: oddHeaders,
  });
  // Among all that can be wrong with a body its size comes up too rarely.
  const oversized = operationRequest(OPERATIONS.generateCreditReport, world).map((request) => ({
    ...request,
    body: `${' '.repeat(140_000)}{}`,
  }));
  return fc.oneof(
    ...operations.map((operation) => ({
      weight: operation.body ? (operation === OPERATIONS.generateCreditReport ? 16 : 6) : 1,
      arbitrary: operationRequest(operation, world),
    })),
    { weight: 3, arbitrary: tokenRequest },
    { weight: 6, arbitrary: stray },
    { weight: 2, arbitrary: misused },
    { weight: 2, arbitrary: oversized },
  );
}
