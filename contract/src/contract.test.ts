// The published document holds together: every example fits its schema, every error code its status.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { ERROR_CODES, ERRORS, ErrorBody } from './errors.ts';
import { buildOpenApi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { ROLE_SCOPES, SCOPES } from './scopes.ts';

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

test('every error of the document has an example that fits the error schema', () => {
  const validate = ajv.compile(ErrorBody);
  const text = JSON.stringify(buildOpenApi('0.0.0'));
  for (const code of ERROR_CODES.filter((code) => !['not-found', 'method-not-allowed'].includes(code))) {
    expect(text).toContain(`"code":"${code}"`);
    expect(validate({ code, message: ERRORS[code].meaning, requestId: 'r' })).toBe(true);
  }
});

test('every role holds known scopes; the owner holds all', () => {
  for (const scopes of Object.values(ROLE_SCOPES)) for (const scope of scopes) expect(SCOPES).toContain(scope);
  expect(ROLE_SCOPES.owner).toEqual(SCOPES);
  expect(ROLE_SCOPES.admin).not.toContain('wallet:write');
});
