// Refusals that have nothing to do with a report: routes, methods, media types, sizes. Interface, "Errors"; decisions
// 4, 5 and 8.
import { randomUUID } from 'node:crypto';
import { equal, fits, holds } from '../expect.ts';
import { otpPath, reportsPath, resendPath } from '../journey.ts';
import { sendLargeBody } from '../large-body.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { consumer } from '../sample.ts';
import type { Api, Call, Reply } from '../session.ts';
import { exactly, filledText, object } from '../shape.ts';

const json = { 'content-type': 'application/json' };

const post = (api: Api, raw: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
  api.send({ method: 'POST', path: reportsPath(api.tenantId), raw, headers });

const good = JSON.stringify(consumer());

const mediaTypes: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['text', { 'content-type': 'text/plain' }],
  ['form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['xml', { 'content-type': 'application/xml' }],
  ['missing', {}],
];

const bodies: readonly (readonly [string, string])[] = [
  ['malformed', '{"sessionId": '],
  ['trailing-comma', '{"sessionId": "a",}'],
  ['empty', ''],
  ['null', 'null'],
  ['list', '[]'],
  ['text', '"hello"'],
];

const methods: readonly (readonly [string, string, (tenantId: string) => string, string])[] = [
  ['generate', 'DELETE', reportsPath, 'POST'],
  ['otp-challenge', 'PUT', (tenantId) => otpPath(tenantId, randomUUID()), 'POST'],
  ['resend-sms', 'DELETE', (tenantId) => resendPath(tenantId, randomUUID()), 'POST'],
  ['profile', 'DELETE', () => '/v1/my/profile', 'GET'],
  ['tenants', 'DELETE', () => '/v1/my/tenants', 'GET'],
  ['select', 'GET', () => '/v1/my/tenants/select', 'POST'],
];

const padded = JSON.stringify(consumer({ padding: 'x'.repeat(300_000) }));

export const errorRows: readonly Row[] = [
  ...(['/v1/no-such-thing', '/{tenant}/v1/no-such-thing', '/{tenant}/v2/credit-reports'] as const).map(
    (template): Row => ({
      id: `error/404-route${template.replaceAll(/[{}]/g, '')}`,
      title: `${template}: 404 not-found`,
      pins: 'Decision 8',
      run: async ({ api }) => {
        refused(await api.send({ path: template.replace('{tenant}', api.tenantId) }), 404, 'not-found');
      },
    }),
  ),
  ...methods.map(
    ([name, method, path, allowed]): Row => ({
      id: `error/405-${name}`,
      title: `${method} on ${name}: 405 method-not-allowed, and Allow names ${allowed}`,
      pins: 'Decision 8',
      run: async ({ api }) => {
        const reply = await api.send({ method, path: path(api.tenantId) });
        refused(reply, 405, 'method-not-allowed');
        const allow = (reply.headers.get('allow') ?? 'no Allow header').toUpperCase();
        holds(allow.split(/\s*,\s*/).includes(allowed), `Allow to name ${allowed}`, allow);
      },
    }),
  ),
  ...[false, true].map(
    (chunked): Row => ({
      id: `error/413-${chunked ? 'chunked' : 'declared'}`,
      title: `a body of 300 kB ${chunked ? 'of undeclared' : 'with its declared'} length: 413 payload-too-large`,
      pins: 'Decision 8',
      run: async ({ api }) => {
        const reply = await sendLargeBody(api, reportsPath(api.tenantId), padded, chunked);
        equal('HTTP status', reply.status, 413);
        const requestId = exactly(reply.requestId);
        fits('error body', reply.body, object({ code: exactly('payload-too-large'), message: filledText, requestId }));
      },
    }),
  ),
  ...mediaTypes.map(
    ([name, headers]): Row => ({
      id: `error/415-${name}`,
      title: `content type ${headers['content-type'] ?? 'missing'}: 415 unsupported-media-type`,
      pins: 'Decision 8; interface, "Endpoints"',
      run: async ({ api }) => {
        refused(await post(api, good, headers), 415, 'unsupported-media-type');
      },
    }),
  ),
  {
    id: 'error/charset-accepted',
    title: 'application/json with a charset is application/json',
    pins: 'Interface, "Endpoints"',
    run: async ({ api }) => {
      dataOf(await post(api, good, { 'content-type': 'application/json; charset=utf-8' }), 'complete');
    },
  },
  ...bodies.map(
    ([name, raw]): Row => ({
      id: `error/400-body-${name}`,
      title: `a body that is no JSON object (${name.replace('-', ' ')}): 400 validation-error`,
      pins: 'Interface, "Errors"',
      run: async ({ api }) => invalid(await post(api, raw, json)),
    }),
  ),
  {
    id: 'error/request-id',
    title: 'every answer carries an X-Request-Id of its own',
    pins: 'Decision 4',
    run: async ({ api }) => {
      const calls: Call[] = [
        { path: '/v1/my/profile' },
        { path: '/v1/my/profile', authorization: null },
        { path: '/v1/my/tenants' },
        { path: '/v1/no-such-thing' },
        { path: '/v1/my/profile', method: 'DELETE' },
        { path: reportsPath(api.tenantId), method: 'POST', body: consumer() },
        { path: reportsPath(api.tenantId), method: 'POST', body: {} },
        { path: reportsPath(randomUUID()), method: 'POST', body: {} },
        { path: '/.well-known/openid-configuration' },
      ];
      const ids = new Set<string>();
      for (const call of calls) {
        const id = (await api.send(call)).headers.get('x-request-id');
        holds(id !== null && id !== '', `X-Request-Id on ${call.method ?? 'GET'} ${call.path}`, id);
        ids.add(id);
      }
      equal('number of different request ids', ids.size, calls.length);
    },
  },
];
