// Lets pages of known origins read the responses of operations (docs/decisions/0165-browser-applications.md), with a
// Bearer token and without cookies. Other clients get the same answers as if this file did not exist.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from './headers.ts';
import { pathOf, type RouteTable } from './route-table.ts';

/** Whether pages of this origin may read responses. Must be cheap: any client may ask, with any origin. */
export type IsKnownOrigin = (origin: string) => Promise<boolean>;

/** The response headers that a client needs. */
const EXPOSED = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
  'idempotent-replayed',
  'link',
  'www-authenticate',
].join(', ');

/** Never `allow-credentials`: our cookies must be useless to another origin's page. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  // Browsers need not ask again soon; a disabled application is still refused at its next request.
  'access-control-max-age': '600',
};

/** No known origin is longer: a host has at most 253 characters. */
const ORIGIN_LENGTH_MAX = 300;

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const hasBearer = ({ headers }: FastifyRequest) => /^Bearer /i.test(headers.authorization ?? '');

export function allowKnownOrigins(app: FastifyInstance, routes: RouteTable, isKnownOrigin: IsKnownOrigin): void {
  async function mayRead({ headers }: FastifyRequest): Promise<boolean> {
    const { origin = '', cookie } = headers;
    if (cookie !== undefined || origin.length > ORIGIN_LENGTH_MAX) return false;
    // If the origins cannot be loaded the request continues; only a page could not read the response.
    return isKnownOrigin(origin).catch(() => false);
  }

  async function answerPreflight(request: FastifyRequest, reply: FastifyReply) {
    const methods = routes.operationMethodsAt(pathOf(request.url));
    if (methods.length === 0 || !(await mayRead(request))) return;
    addVary(reply, 'origin');
    return reply
      .code(204)
      .headers({
        'access-control-allow-origin': request.headers.origin,
        'access-control-allow-methods': methods.join(', '),
        ...PREFLIGHT_HEADERS,
      })
      .send();
  }

  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined) return;
    if (request.is404) return isPreflight(request) ? answerPreflight(request, reply) : undefined;
    if (request.routeOptions.config.operation === undefined) return;
    addVary(reply, 'origin');
    if (!hasBearer(request) || !(await mayRead(request))) return;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
  });
}
