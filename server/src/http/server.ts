// The HTTP server every feature registers its routes on: request ids, logs, metrics, the error body for whatever goes
// wrong, 404 and 405. It knows no feature.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS } from '@trefoil/contract';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { createErrorHandler, errorBody, notJson } from './errors.ts';
import { createValidatorCompiler } from './validation.ts';

export type HttpOptions = {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly trustedProxies: readonly string[];
};

/** Above the largest legal generate request, ten addresses of escaped characters included. */
const BODY_LIMIT_BYTES = 128 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Bytes that never became a request still get the published error body. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new ServiceError('payload-too-large')
      : new ServiceError('validation-error', 'This is not a valid HTTP request.');
  const body = JSON.stringify(errorBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${ERRORS[refusal.code].status} Refused`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function observe(app: FastifyInstance, { log, metrics }: HttpOptions): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('startedAtMs', 0);
  app.addHook('onRequest', async (request, reply) => {
    request.startedAtMs = performance.now();
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
  });
  // A connection whose last answer comes after shutdown began must not be kept open by its client.
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    const timeMs = performance.now() - request.startedAtMs;
    // The pattern, never the address: addresses hold ids, and bad ones hold anything.
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    metrics.requests.observe({ method: request.method, route, status }, timeMs / 1_000);
    log.info('request', {
      requestId: request.id,
      method: request.method,
      route,
      status,
      timeMs: Math.round(timeMs),
      tenantId: request.caller?.tenantId,
      callerId: request.caller?.id,
    });
  });
}

/** JSON in UTF-8 and nothing else: bytes that are not UTF-8 would otherwise become other characters in a name. */
function readJsonOnly(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      done(new ServiceError('unsupported-media-type'));
      return;
    }
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch {
      done(notJson());
      return;
    }
    // It answers through `done` alone; its type leaves room for parsers that return a promise.
    void parse(request, text, done);
  });
}

/** RFC 9112, 3.2: an HTTP/1.1 request without a Host is refused. */
function refuseMissingHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      throw new ServiceError('validation-error', 'The Host header is missing.');
    }
  });
}

/** Answers 405 where another method of the same address exists, else 404. */
function answerUnknownRoutes(app: FastifyInstance): void {
  const routes: { pattern: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`);
    for (const each of [method].flat()) routes.push({ pattern, method: each });
  });
  // Answered before the body is looked at: what is wrong with it does not matter at an address that is not there.
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw refusalOf(request);
  });
  app.setNotFoundHandler((request) => {
    throw refusalOf(request);
  });
  function refusalOf(request: FastifyRequest): ServiceError {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (allowed.size === 0) return new ServiceError('not-found');
    return new ServiceError('method-not-allowed', undefined, { headers: { allow: [...allowed].sort().join(', ') } });
  }
}

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const handleError = createErrorHandler(options.log);
  const app = Fastify({
    logger: false,
    genReqId: () => newId(),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node would answer a missing Host with an empty 400; `refuseMissingHost` gives it the published body.
    http: { requireHostHeader: false },
    // On shutdown idle connections close at once and busy ones after their answer.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    // Unknown fields are ignored (docs/decisions/0011), these two included.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    routerOptions: { maxParamLength: 1_024 },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      handleError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  });
  app.setValidatorCompiler(createValidatorCompiler(options.now));
  app.setErrorHandler(handleError);
  readJsonOnly(app);
  app.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw new ServiceError('unsupported-media-type');
  });
  // An unknown Expect header would get an empty 417 from Node itself; it may be ignored instead (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  observe(app, options);
  refuseMissingHost(app);
  answerUnknownRoutes(app);
  return app;
}
