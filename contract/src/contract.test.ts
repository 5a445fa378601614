// The published document is consistent: every example fits its schema, every error code has its status.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { CreditReport } from './credit-report.ts';
import { ERROR_CODES, ErrorBody, errorExample } from './errors.ts';
import { EVENT_TYPES, Event } from './events.ts';
import { CollectionRequest } from './fingerprints.ts';
import { buildOpenApi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { ROLE_SCOPES, SCOPE_MEANINGS, SCOPES } from './scopes.ts';
import { TEST_MESSAGE_TYPE, WEBHOOK_MESSAGES } from './webhook-messages.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });

for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
  for (const [name, { value }] of Object.entries(operation.responseExamples)) {
    test(`the ${name} answer of ${id} fits its schema`, () => {
      const validate = ajv.compile(operation.response);
      validate(value);
      expect(validate.errors).toBeNull();
    });
  }
  for (const [name, { value }] of Object.entries(operation.bodyExamples ?? {})) {
    test(`the ${name} request of ${id} fits its schema`, () => {
      const validate = ajv.compile(operation.body ?? {});
      validate(value);
      expect(validate.errors).toBeNull();
    });
  }
  test(`${id} has an example for its request and for every status of its answer`, () => {
    expect(operation.body === undefined || Object.keys(operation.bodyExamples ?? {}).length > 0).toBe(true);
    const statuses =
      JSON.stringify(operation.response).match(/"const":"(complete|authentication-required|blocked|retry|failed)"/g) ??
      [];
    const shown = JSON.stringify(operation.responseExamples);
    for (const status of statuses) expect(shown).toContain(`"status":${status.slice('"const":'.length)}`);
  });
}

// The server does not check this when it starts.
test('every schema of a request is a valid schema of draft 2020-12', () => {
  const schemas = Object.values<Operation>(OPERATIONS).flatMap(({ body, query }) => [body ?? {}, query ?? {}]);
  for (const schema of [...schemas, CollectionRequest]) {
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
  }
});

test('every error of the document has an example that fits the error schema', () => {
  const validate = ajv.compile(ErrorBody);
  const text = JSON.stringify(buildOpenApi('0.0.0'));
  for (const code of ERROR_CODES.filter((code) => !['not-found', 'method-not-allowed'].includes(code))) {
    expect(text).toContain(`"code":"${code}"`);
    expect(validate(errorExample(code))).toBe(true);
  }
});

for (const { type, schema, example } of WEBHOOK_MESSAGES) {
  test(`the example of the webhook ${type} fits its schema, and that of the feed`, () => {
    for (const each of type === TEST_MESSAGE_TYPE ? [schema] : [schema, Event]) {
      const validate = ajv.compile(JSON.parse(JSON.stringify(each)) as object);
      validate(example);
      expect(validate.errors).toBeNull();
    }
  });
}

test('the document tells events apart by their type: an event with the data of another type is none', () => {
  const { components } = buildOpenApi('0.0.0');
  const compile = (name: string) => ajv.compile({ $ref: `#/components/schemas/${name}`, components });
  const [isEvent, isMessage] = [compile('Event'), compile('WebhookMessage')];
  for (const { type, example } of WEBHOOK_MESSAGES) {
    expect(isMessage(example), type).toBe(true);
    expect(isEvent(example), type).toBe(type !== TEST_MESSAGE_TYPE);
    const other = { ...example, data: type === 'wallet.low' ? {} : { balance: 1, threshold: 2, status: 'other' } };
    expect(isMessage(other), type).toBe(false);
  }
  const { schemas } = components as { schemas: Record<string, { discriminator?: { mapping: object } }> };
  expect(Object.keys(schemas['Event']?.discriminator?.mapping ?? {})).toEqual(EVENT_TYPES);
});

test('every schema of the document says what it is, or is what an operation sends or answers', () => {
  const document = buildOpenApi('0.0.0');
  const { schemas } = document['components'] as { schemas: Record<string, { description?: string }> };
  const paths = JSON.stringify(document['paths']);
  const silent = Object.entries(schemas).filter(
    ([name, { description }]) => !description && !paths.includes(`"#/components/schemas/${name}"`),
  );
  expect(silent.map(([name]) => name)).toEqual([]);
});

test('the document describes the message of every public type, its three headers, and what each answer means', () => {
  type Posted = { post: { parameters: { name: string; in: string; required: boolean }[]; responses: object } };
  const posted = writtenOut(buildOpenApi('0.0.0'), 'webhooks') as unknown as Record<string, Posted>;
  expect(Object.keys(posted)).toEqual([...EVENT_TYPES, TEST_MESSAGE_TYPE]);
  for (const { post } of Object.values(posted)) {
    expect(post.parameters.map((each) => `${each.in} ${each.name} ${each.required}`)).toEqual([
      'header webhook-id true',
      'header webhook-timestamp true',
      'header webhook-signature true',
    ]);
    expect(Object.keys(post.responses).sort()).toEqual(['2XX', '410', 'default']);
  }
});

type Example = {
  readonly value: { readonly details?: readonly { readonly path: string }[]; readonly message?: string };
};
type Described = {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, { content?: Record<string, { examples?: Record<string, Example> }> }>>;
};
/** With what operations share written out where they refer to it. */
function writtenOut(document: Record<string, unknown>, part = 'paths'): Record<string, Record<string, Described>> {
  const inline = (value: unknown, components: Record<string, Record<string, unknown>>): unknown =>
    JSON.parse(JSON.stringify(value), (_key, each: { $ref?: string } | null) => {
      const [, , kind = '', name = ''] = each?.$ref?.split('/') ?? [];
      return (kind !== 'schemas' && components[kind]?.[name]) || each;
    });
  const components = document['components'] as Record<string, Record<string, unknown>>;
  const whole = inline(components, components) as typeof components;
  return inline(document[part], whole) as Record<string, Record<string, Described>>;
}

type Flow = { readonly scopes: Readonly<Record<string, string>> };
type Secured = {
  readonly components: { readonly securitySchemes: { readonly oauth: { readonly flows: Record<string, Flow> } } };
};

const described = Object.entries(writtenOut(buildOpenApi('0.0.0'))).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, each]) => [`${method} ${path}`, each] as const),
);

test('the fault in the 400 example of an operation is one that the operation can have', () => {
  for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    const [, document] = described.find(([name]) => name === `${operation.method.toLowerCase()} ${path}`) ?? [];
    const example = document?.responses['400']?.content?.['application/json']?.examples?.['validation-error'];
    const known = [
      ...Object.keys((operation.body as { properties?: object } | undefined)?.properties ?? {}).map(
        (name) => `/${name}`,
      ),
      ...Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {}).map(
        (name) => `/query/${name}`,
      ),
    ];
    for (const fault of example?.value.details ?? []) expect(known, id).toContain(fault.path);
    expect(example === undefined, id).toBe(known.length === 0);
  }
});

test('the examples of the token endpoint speak of what it refuses, and of no details that it does not have', () => {
  const [, token] = described.find(([name]) => name === 'post /v1/oauth/token') ?? [];
  for (const status of ['400', '401']) {
    const examples = Object.values(token?.responses[status]?.content?.['application/json']?.examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    for (const { value } of examples) expect(value.message).not.toMatch(/access token|details/);
  }
});

test('every scope is described by more than its name', () => {
  for (const scope of SCOPES) expect(SCOPE_MEANINGS[scope]).not.toBe(scope);
});

test('the document publishes the scopes that an operation asks for, and no other', () => {
  const { oauth } = (buildOpenApi('0.0.0') as unknown as Secured).components.securitySchemes;
  const asked = new Set(Object.values<Operation>(OPERATIONS).flatMap(({ scope }) => scope ?? []));
  for (const { scopes } of Object.values(oauth.flows))
    expect(Object.keys(scopes).toSorted()).toEqual([...asked].toSorted());
});

test('every role holds known scopes; the owner holds all', () => {
  for (const scopes of Object.values(ROLE_SCOPES)) for (const scope of scopes) expect(SCOPES).toContain(scope);
  expect(ROLE_SCOPES.owner).toEqual(SCOPES);
  expect(ROLE_SCOPES.admin).not.toContain('wallet:write');
});

// Complete answers must be realistic. A live one costs the base price plus each bureau that answered. One after a
// challenge or in test mode costs nothing. The coverage follows from the outcomes, and only a bureau with outcome `ok`
// contributes records.
type Complete = {
  readonly status: string;
  readonly bureauResults?: readonly { readonly bureau: string; readonly outcome: string }[];
  readonly coverage?: { readonly status: string };
  readonly creditReport: CreditReport;
};
type Shown = { readonly meta: { readonly wallet?: { readonly cost: number } }; readonly data: Complete };

const completeExamples = Object.entries<Operation>(OPERATIONS).flatMap(([id, operation]) =>
  Object.entries(operation.responseExamples).flatMap(([name, { value }]) =>
    // A timeline has a status and no contents.
    (value as { data?: { status?: string } } | undefined)?.data?.status === 'complete' && id !== 'getTimeline'
      ? [{ id, name, value: value as Shown }]
      : [],
  ),
);
test.each(completeExamples)(
  'the $name answer of $id pairs outcomes, coverage, records and cost',
  ({ id, name, value }) => {
    const { meta, data } = value;
    const outcomes = data.bureauResults?.map(({ outcome }) => outcome) ?? [];
    const found = outcomes.filter((outcome) => outcome === 'ok').length;
    const answered = outcomes.filter((outcome) => outcome !== 'unavailable').length;
    expect(answered).toBeGreaterThan(0);
    expect(data.coverage?.status).toBe(
      found === outcomes.length ? 'traced' : found > 0 ? 'partly-traced' : 'not-traced',
    );
    if (id === 'generateCreditReport' && name !== 'complete-in-test-mode') {
      expect(meta.wallet?.cost).toBe(200 + 600 * answered);
    } else expect(meta.wallet?.cost ?? 0).toBe(0);
    const tellers = new Set(
      data.creditReport.consumerData.records.flatMap(({ bureaus }) => bureaus.map((each) => each.id)),
    );
    const ok = data.bureauResults?.flatMap(({ bureau, outcome }) => (outcome === 'ok' ? [bureau] : []));
    expect([...tellers]).toEqual(ok);
  },
);
