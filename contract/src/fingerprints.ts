// The two public addresses of the device fingerprint: the script, and the endpoint to which it posts its signals. They
// are not in the operations table: they have no token, no tenant and no envelope
// (docs/decisions/0028-fingerprint-addresses.md).
import { type Static, Type } from 'typebox';
import { ERRORS, ErrorBody, type ErrorCode, errorExample } from './errors.ts';
import { codeSamples } from './openapi-samples.ts';
import { oneOf } from './schema.ts';

/** Signs that a program drives the browser. */
export const AUTOMATION_MARKERS = ['webdriver', 'headless', 'phantom', 'no-window', 'no-languages'] as const;

export const CollectionRequest = Type.Object({
  deviceDigest: Type.String({
    pattern: '^[0-9a-f]{32,64}$',
    description: 'Digest of traits of the device, made in the browser; the traits themselves stay there.',
  }),
  timeZone: Type.Optional(Type.String({ maxLength: 64, description: 'As the browser names it.' })),
  automation: Type.Optional(
    Type.Array(oneOf(AUTOMATION_MARKERS), {
      maxItems: AUTOMATION_MARKERS.length,
      uniqueItems: true,
      description: 'Signs that a program controls the browser.',
    }),
  ),
  degraded: Type.Optional(
    Type.Boolean({ description: 'True when the digest is random, since the traits came too late.' }),
  ),
});
export type CollectionRequest = Static<typeof CollectionRequest>;

export const CollectionResponse = Type.Object({
  sessionId: Type.String({
    maxLength: 1024,
    description: '`sessionId` of the generate request. Opaque, good for 30 minutes and for one person.',
  }),
  ipAddress: Type.String({
    description:
      'The address that the request came from: `ipAddress` of a generate request about the person at this browser.',
  }),
});
export type CollectionResponse = Static<typeof CollectionResponse>;

const REFUSALS: readonly ErrorCode[] = [
  'validation-error',
  'payload-too-large',
  'unsupported-media-type',
  'rate-limited',
  'internal-error',
];

function refusal(code: ErrorCode) {
  const { status, meaning } = ERRORS[code];
  const details = [{ path: '/deviceDigest', message: 'This value is not valid.' }];
  const value = { ...errorExample(code), ...(code === 'validation-error' && { details }) };
  const example = { summary: code, value };
  const content = { 'application/json': { schema: ErrorBody, examples: { [code]: example } } };
  return [String(status), { description: `\`${code}\`: ${meaning}`, content }] as const;
}

const COLLECTED = {
  deviceDigest: '3f0c9a7be1d24856a0f47c19d2b3e865',
  timeZone: 'Europe/London',
  automation: [],
  degraded: false,
};

const collectionExamples = { collected: { summary: 'What the script found', value: COLLECTED } };

export const fingerprintEndpoints = {
  '/v1/fingerprints/device': {
    get: {
      operationId: 'getFingerprintScript',
      tags: ['Device fingerprint'],
      summary: 'The browser fingerprint script',
      description:
        'Include it as a script tag on every page where a consumer submits details. It starts by itself and calls ' +
        '`window.service.deviceFingerprint` once, with an object that has a `sessionId`. No token. Browsers may cache ' +
        'it for five minutes and then revalidate it with its ETag.',
      security: [],
      responses: {
        '200': {
          description: 'The script.',
          headers: { ETag: { description: 'Names this version of the script.', schema: { type: 'string' } } },
          content: { 'text/javascript': { schema: { type: 'string' } } },
        },
        '304': { description: 'The version that `If-None-Match` names is still current.' },
        ...Object.fromEntries([refusal('rate-limited')]),
      },
    },
  },
  '/v1/fingerprints/collections': {
    post: {
      operationId: 'collectFingerprint',
      tags: ['Device fingerprint'],
      summary: 'Collect a device fingerprint',
      description:
        'For the script. It takes requests from any origin, without a token and without cookies. The service seals what was ' +
        'collected into the answer and stores none of it. The body is JSON, also when it is sent as `text/plain`, as the script does to save ' +
        'a round trip.',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: CollectionRequest,
            examples: collectionExamples,
          },
        },
      },
      responses: {
        '201': {
          description: 'A device session.',
          content: {
            'application/json': {
              schema: CollectionResponse,
              examples: {
                session: {
                  summary: 'A session',
                  value: { sessionId: 'ds1.AmsxAXGgfRGepY2dbez…', ipAddress: '192.0.2.10' },
                },
              },
            },
          },
        },
        ...Object.fromEntries(REFUSALS.map(refusal)),
      },
      ...codeSamples('collectFingerprint', { path: '/v1/fingerprints/collections', bodyExamples: collectionExamples }),
    },
  },
};
