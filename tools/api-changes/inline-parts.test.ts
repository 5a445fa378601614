import { expect, test } from 'vitest';
import { changeText } from './changes.ts';
import { compareDocuments } from './compare.ts';
import type { Schema } from './variants.ts';

const text = { type: 'string' };
const limit = (schema: Schema): Schema => ({ name: 'limit', in: 'query', schema });
const refusal = (headers: Schema): Schema => ({ headers, content: { 'application/json': { schema: text } } });
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const using = (parameter: Schema, response: Schema, components: Schema = {}): Schema => ({
  paths: { '/v1/things': { get: { parameters: [parameter], responses: { 404: response } } } },
  components,
});

const written = using(limit(text), refusal({ 'X-Request-Id': { schema: text } }));
/** The same as components, one of which refers to another. */
const shared = (limitSchema: Schema = text, requestId: Schema = text) =>
  using(ref('parameters', 'limit'), ref('responses', 'NotFound'), {
    parameters: { limit: limit(limitSchema) },
    responses: { NotFound: refusal({ 'X-Request-Id': ref('headers', 'X-Request-Id') }) },
    headers: { 'X-Request-Id': { schema: requestId } },
  });
const changesOf = (base: Schema, now: Schema) =>
  compareDocuments(base, now).map((each) => `${each.isBreaking ? 'breaking' : 'additive'}: ${changeText(each)}`);

test('parts that become components, or are written out again, are no change', () => {
  expect(changesOf(written, shared())).toEqual([]);
  expect(changesOf(shared(), written)).toEqual([]);
});

test('a change behind references is found: in a parameter, and in a header of a response', () => {
  const [id, number] = [{ type: 'string', format: 'uuid' }, { type: 'integer' }];
  const expected = [
    'breaking: GET /v1/things, query parameter limit: no longer string',
    'additive: GET /v1/things, query parameter limit: also integer',
    'breaking: GET /v1/things, 404, header X-Request-Id: format was "uuid" and is none',
  ];
  expect(changesOf(shared(text, id), shared(number))).toEqual(expected);
  expect(changesOf(shared(text, id), using(limit(number), refusal({ 'X-Request-Id': { schema: text } })))).toEqual(
    expected,
  );
});

test('a reference that leads nowhere ends the comparison', () => {
  expect(() => changesOf(written, using(ref('parameters', 'gone'), {}))).toThrow('#/components/parameters/gone');
});
