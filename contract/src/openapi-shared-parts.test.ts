// What operations share is in the document once (docs/decisions/0288-a-small-document.md).
import { expect, test } from 'vitest';
import { buildOpenApi } from './openapi.ts';
import { type Operations, shareParts } from './openapi-shared-parts.ts';

type Parts = Record<string, unknown>;

/** Minified; it was 711,413 when every operation had its own copies. */
const LENGTH_MAX = 450_000;

const document = buildOpenApi('0.0.0');

test('every reference of the document leads to one of its parts, and every shared part is used at least twice', () => {
  const uses = Map.groupBy(JSON.stringify(document).match(/"#\/components\/[^"]+"/g) ?? [], (each) => each);
  const components = document['components'] as Record<string, Parts>;
  for (const ref of uses.keys()) {
    const [kind = '', name = ''] = ref.slice('"#/components/'.length, -1).split('/');
    expect(components[kind], ref).toHaveProperty([name]);
  }
  for (const kind of ['responses', 'headers', 'parameters', 'examples']) {
    for (const name of Object.keys(components[kind] ?? {})) {
      expect(uses.get(`"#/components/${kind}/${name}"`)?.length, name).toBeGreaterThan(1);
    }
  }
});

test('the document stays small: nothing that many operations have is written out in each of them', () => {
  expect(JSON.stringify(document).length).toBeLessThan(LENGTH_MAX);
});

const limit = (maximum: number) => ({ name: 'limit', in: 'query', schema: { type: 'integer', maximum } });
const refusal = (code: string) => ({
  headers: { 'X-Request-Id': { schema: { type: 'string' } } },
  content: { 'application/json': { examples: { [code]: { value: { code } } } } },
});
const reading = (operationId: string, maximum: number, ...codes: readonly string[]) => ({
  get: {
    operationId,
    parameters: [limit(maximum)],
    responses: Object.fromEntries(codes.map((code, place) => [String(404 + place), refusal(code)])),
  },
});

test('of two parts with one name, the one that more operations have keeps it, and what is there once stays', () => {
  const paths = {
    '/a': reading('listA', 20, 'not-found', 'conflict'),
    '/b': reading('listB', 20, 'not-found'),
    '/c': reading('listC', 50, 'not-found'),
    '/d': reading('listD', 50),
    '/e': reading('listE', 50),
    '/f': reading('listF', 70),
  };
  const { parameters, responses, headers, examples } = shareParts(paths as unknown as Operations, {});
  expect(parameters).toEqual({ limit: limit(50), 'listA-limit': limit(20) });
  expect([paths['/a'], paths['/e'], paths['/f']].map(({ get }) => get.parameters)).toEqual([
    [{ $ref: '#/components/parameters/listA-limit' }],
    [{ $ref: '#/components/parameters/limit' }],
    [limit(70)],
  ]);
  // A header that two responses have is shared by them, whether they are components or stay.
  const { headers: own, ...rest } = refusal('not-found');
  const ofBoth = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  expect(headers).toEqual(own);
  expect(responses).toEqual({ NotFound: { ...rest, headers: ofBoth } });
  expect(paths['/a'].get.responses).toEqual({
    404: { $ref: '#/components/responses/NotFound' },
    405: { ...refusal('conflict'), headers: ofBoth },
  });
  expect(examples).toEqual({});
});
