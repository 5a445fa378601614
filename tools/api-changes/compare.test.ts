import { expect, test } from 'vitest';
import { changeText } from './changes.ts';
import { compareDocuments } from './compare.ts';
import type { Schema } from './variants.ts';

const operation = (parts: Schema = {}): Schema => ({
  operationId: 'getThing',
  responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } }, 404: {} },
  ...parts,
});
const document = (parts: Schema = {}, rest: Schema = {}): Schema => ({
  paths: { '/v1/things': { post: operation(parts) } },
  ...rest,
});
const asking = (schema: Schema, required = true): Schema =>
  document({ requestBody: { required, content: { 'application/json': { schema } } } });
const answering = (schema: Schema, rest: Schema = {}): Schema =>
  document({ responses: { 200: { content: { 'application/json': { schema } }, ...rest } } });
const fields = (properties: Schema, ...required: string[]): Schema => ({ type: 'object', properties, required });
const word = (...words: unknown[]): Schema => ({ type: 'string', enum: words });
const text = { type: 'string' };

const IN = 'POST /v1/things, request';
const OUT = 'POST /v1/things, 200';

function changesOf(base: Schema, now: Schema): string[] {
  return compareDocuments(base, now).map(
    (change) => `${change.isBreaking ? 'breaking' : 'additive'}: ${changeText(change)}`,
  );
}

type Row = readonly [base: Schema, now: Schema, ...expected: string[]];

const rows: Record<string, Row> = {
  // Operations
  'a path': [document(), { paths: {} }, 'breaking: POST /v1/things: the path is gone'],
  'an operation of a path that stays': [
    document(),
    { paths: { '/v1/things': { get: operation() } } },
    'breaking: POST /v1/things: the operation is gone',
    'additive: GET /v1/things: the operation is new',
  ],
  'another operationId': [
    document(),
    document({ operationId: 'readThing' }),
    'breaking: POST /v1/things: operationId was getThing and is readThing',
  ],
  'a status': [
    document(),
    document({ responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } }, 409: {} } }),
    'breaking: POST /v1/things, 404: the status is gone',
    'additive: POST /v1/things, 409: the status is new',
  ],
  'a type of content': [
    answering(text),
    document({ responses: { 200: { content: { 'text/csv': { schema: text } } } } }),
    `breaking: ${OUT}: no longer application/json`,
    `additive: ${OUT}: also text/csv`,
  ],
  'a header of an answer': [
    answering(text, { headers: { 'Retry-After': { schema: text } } }),
    answering(text, { headers: { RateLimit: { schema: text } } }),
    `breaking: ${OUT}, header Retry-After: the header is gone`,
    `additive: ${OUT}, header RateLimit: the header is new`,
  ],
  'a scope more is asked for': [
    document({ security: [{ oauth: ['read'] }] }),
    document({ security: [{ oauth: ['read', 'write'] }] }),
    'breaking: POST /v1/things: oauth read no longer opens it',
  ],
  'another way in': [
    document({ security: [{ oauth: [] }] }),
    document({ security: [{ oauth: [] }, { cookie: [] }] }),
    'additive: POST /v1/things: cookie opens it too',
  ],
  'a door that was open': [
    document(),
    document({ security: [{ oauth: [] }] }),
    'breaking: POST /v1/things: nothing no longer opens it',
  ],
  'a security scheme and a scope of one': [
    document(
      {},
      {
        components: {
          securitySchemes: { basic: { type: 'http' }, oauth: { flows: { code: { scopes: { read: '' } } } } },
        },
      },
    ),
    document({}, { components: { securitySchemes: { oauth: { flows: { code: { scopes: {} } } } } } }),
    'breaking: security scheme basic: the scheme is gone',
    'breaking: security scheme oauth, code: the scope read is gone',
  ],
  // Parameters
  'a parameter gone and a required one': [
    document({ parameters: [{ name: 'limit', in: 'query', schema: text }] }),
    document({ parameters: [{ name: 'X-Tenant', in: 'header', required: true, schema: text }] }),
    'breaking: POST /v1/things, query parameter limit: the parameter is gone',
    'breaking: POST /v1/things, header parameter X-Tenant: the parameter is new and required',
  ],
  'a new optional parameter': [
    document(),
    document({ parameters: [{ name: 'limit', in: 'query', schema: text }] }),
    'additive: POST /v1/things, query parameter limit: the parameter is new',
  ],
  'a parameter that is required now': [
    document({ parameters: [{ name: 'limit', in: 'query', schema: text }] }),
    document({ parameters: [{ name: 'limit', in: 'query', required: true, schema: text }] }),
    'breaking: POST /v1/things, query parameter limit: was optional and is required',
  ],
  'the default of a parameter': [
    document({ parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', default: 50 } }] }),
    document({ parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } }] }),
    'breaking: POST /v1/things, query parameter limit: default was 50 and is 20',
  ],
  // Requests
  'a body that is required now': [asking(text, false), asking(text), `breaking: ${IN}: the body is required now`],
  'a new required field of a request': [
    asking(fields({})),
    asking(fields({ name: text }, 'name')),
    `breaking: ${IN}.name: the field is new and required`,
  ],
  'a new optional field of a request': [
    asking(fields({})),
    asking(fields({ name: text })),
    `additive: ${IN}.name: the field is new`,
  ],
  'a field of a request': [
    asking(fields({ name: text })),
    asking(fields({})),
    `breaking: ${IN}.name: the field is gone`,
  ],
  'a field of a request that is required now': [
    asking(fields({ name: text })),
    asking(fields({ name: text }, 'name')),
    `breaking: ${IN}.name: was optional and is required`,
  ],
  'a field of a request that is optional now': [
    asking(fields({ name: text }, 'name')),
    asking(fields({ name: text })),
    `additive: ${IN}.name: was required and is optional`,
  ],
  'another type in a request': [
    asking(fields({ age: { type: 'number' } })),
    asking(fields({ age: { type: 'integer' } })),
    `breaking: ${IN}.age: the type was number and is integer`,
  ],
  'a wider type in a request': [
    asking(fields({ age: { type: 'integer' } })),
    asking(fields({ age: { type: 'number' } })),
    `additive: ${IN}.age: the type was integer and is number`,
  ],
  'a wholly different type in a request': [
    asking(fields({ age: text })),
    asking(fields({ age: { type: 'boolean' } })),
    `breaking: ${IN}.age: no longer string`,
    `additive: ${IN}.age: also boolean`,
  ],
  'null that a request may no longer hold': [
    asking(fields({ name: { anyOf: [text, { type: 'null' }] } })),
    asking(fields({ name: text })),
    `breaking: ${IN}.name: no longer null`,
  ],
  'words of a request': [
    asking(word('a', 'b')),
    asking(word('b', 'c')),
    `breaking: ${IN}: the word "a" is gone`,
    `additive: ${IN}: the word "c" is new`,
  ],
  'free text that becomes a list of words': [asking(text), asking(word('a')), `breaking: ${IN}: takes only ["a"] now`],
  'bounds of a request': [
    asking({ type: 'string', minLength: 1, maxLength: 9 }),
    asking({ type: 'string', minLength: 2, maxLength: 8 }),
    `breaking: ${IN}: minLength was 1 and is 2`,
    `breaking: ${IN}: maxLength was 9 and is 8`,
  ],
  'bounds of a request that are wider': [
    asking({ type: 'integer', minimum: 1, maximum: 9 }),
    asking({ type: 'integer', minimum: 0 }),
    `additive: ${IN}: minimum was 1 and is 0`,
    `additive: ${IN}: maximum was 9 and is none`,
  ],
  'a first bound of a request': [
    asking({ type: 'array' }),
    asking({ type: 'array', maxItems: 9, uniqueItems: true }),
    `breaking: ${IN}: maxItems was none and is 9`,
    `breaking: ${IN}: uniqueItems was none and is true`,
  ],
  'a pattern and a format of a request': [
    asking({ type: 'string', pattern: '^a' }),
    asking({ type: 'string', pattern: '^b', format: 'uuid' }),
    `breaking: ${IN}: pattern was "^a" and is "^b"`,
    `breaking: ${IN}: format was none and is "uuid"`,
  ],
  'unknown fields are refused': [
    asking(fields({})),
    asking({ ...fields({}), additionalProperties: false }),
    `breaking: ${IN}: additionalProperties was true and is false`,
  ],
  'input that is no longer put right': [
    asking({ type: 'string', 'x-trim': true }),
    asking(text),
    `breaking: ${IN}: x-trim was true and is none`,
  ],
  'a rule about several fields': [
    asking({ ...fields({ a: text }), anyOf: [{ required: ['a'] }] }),
    asking({ ...fields({ a: text }), anyOf: [{ required: ['b'] }] }),
    `breaking: ${IN}: anyOf was [{"required":["a"]}] and is [{"required":["b"]}]`,
  ],
  // Answers
  'a field of an answer, although it was optional': [
    answering(fields({ name: text })),
    answering(fields({})),
    `breaking: ${OUT}.name: the field is gone`,
  ],
  'a new field of an answer': [
    answering(fields({})),
    answering(fields({ name: text }, 'name')),
    `additive: ${OUT}.name: the field is new`,
  ],
  'a field of an answer that may be missing now': [
    answering(fields({ name: text }, 'name')),
    answering(fields({ name: text })),
    `breaking: ${OUT}.name: was required and is optional`,
  ],
  'null in an answer': [
    answering(fields({ name: text })),
    answering(fields({ name: { type: ['string', 'null'] } })),
    `breaking: ${OUT}.name: also null`,
  ],
  'a wider type in an answer': [
    answering({ type: 'integer' }),
    answering({ type: 'number' }),
    `breaking: ${OUT}: the type was integer and is number`,
  ],
  'words of an answer': [
    answering(word('a', 'b')),
    answering(word('b', 'c')),
    `additive: ${OUT}: the word "a" is gone`,
    `additive: ${OUT}: the word "c" is new`,
  ],
  'a list of words that becomes free text in an answer': [
    answering(word('a')),
    answering(text),
    `breaking: ${OUT}: is no longer a list of words`,
  ],
  'bounds and formats of an answer that no longer hold': [
    answering({ type: 'string', maxLength: 9, format: 'uuid' }),
    answering({ type: 'string', maxLength: 10 }),
    `breaking: ${OUT}: maxLength was 9 and is 10`,
    `breaking: ${OUT}: format was "uuid" and is none`,
  ],
  'items of a list': [
    answering({ type: 'array', items: fields({ name: text }) }),
    answering({ type: 'array', items: fields({}) }),
    `breaking: ${OUT}[].name: the field is gone`,
  ],
  'outcomes of an answer': [
    answering({ anyOf: [fields({ status: word('open'), at: text }), fields({ status: word('done') })] }),
    answering({ anyOf: [fields({ status: word('late') }), fields({ status: word('open') })] }),
    `breaking: ${OUT}.at: the field is gone`,
    `additive: ${OUT}: no longer object with status "done"`,
    `additive: ${OUT}: also object with status "late"`,
  ],
};

for (const [name, [base, now, ...expected]] of Object.entries(rows)) {
  test(`${name}: ${expected.map((line) => line.split(':')[0]).join(', ')}`, () => {
    expect(changesOf(base, now)).toEqual(expected);
  });
  test(`${name}: unchanged is no change`, () => {
    expect(changesOf(now, now)).toEqual([]);
  });
}

const named = (schema: Schema, uses: readonly string[]): Schema => ({
  components: { schemas: { Thing: schema } },
  paths: Object.fromEntries(
    uses.map((path) => [
      path,
      { get: { responses: { 200: { content: { json: { schema: { $ref: '#/components/schemas/Thing' } } } } } } },
    ]),
  ),
});

test('a change of a named schema is told once, however many operations answer with it', () => {
  expect(changesOf(named(fields({ name: text }), ['/a', '/b']), named(fields({}), ['/a', '/b']))).toEqual([
    'breaking: Thing in answers.name: the field is gone',
  ]);
});

test('a schema that holds itself is compared to its end', () => {
  const itself = { $ref: '#/components/schemas/Thing' };
  expect(
    changesOf(named(fields({ next: itself, name: text }), ['/a']), named(fields({ next: itself }), ['/a'])),
  ).toEqual(['breaking: Thing in answers.name: the field is gone']);
});

test('descriptions and examples are no change', () => {
  const told = { type: 'string', description: 'Old.', examples: ['a'] };
  expect(changesOf(asking(told), asking({ ...told, description: 'New.', examples: [], deprecated: true }))).toEqual([]);
});

test('a keyword that the comparison does not know ends it', () => {
  expect(() => changesOf(asking(text), asking({ ...text, unevaluatedItems: false }))).toThrow('unevaluatedItems');
});
