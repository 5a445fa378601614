import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { AUTOMATION_MARKERS, CollectionRequest, CollectionResponse, fingerprintEndpoints } from './fingerprints.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false });

test('the examples of the collection fit their schemas', () => {
  const { requestBody, responses } = fingerprintEndpoints['/v1/fingerprints/collections'].post;
  const { collected } = requestBody.content['application/json'].examples;
  const { session } = responses['201'].content['application/json'].examples;
  expect(ajv.validate(CollectionRequest, collected.value)).toBe(true);
  expect(ajv.validate(CollectionResponse, session.value)).toBe(true);
});

test('the longest body that a browser could honestly send fits the limit of 1,024 bytes', () => {
  const longest = {
    deviceDigest: 'f'.repeat(64),
    timeZone: 'x'.repeat(64),
    automation: AUTOMATION_MARKERS,
    degraded: false,
  };
  expect(ajv.validate(CollectionRequest, longest)).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(longest))).toBeLessThanOrEqual(1_024);
});
