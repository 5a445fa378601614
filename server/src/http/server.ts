// The HTTP server on which every feature registers its routes: request ids, logs, metrics, the error body for every
// failure, 404 and 405. It knows no feature.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { traceFields } from '../lib/traces/span.ts';
import { NO_TRACES, type Tracer } from '../lib/traces/tracer.ts';
import { prefersPage } from './body/media-type.ts';
import { limitQueries } from './body/parameters.ts';
import { createValidatorCompiler } from './body/validation.ts';
import { type ConnectionCaps, limitConnections } from './connections/connection-limits.ts';
import { carryDeadlines } from './connections/deadline.ts';
import { settleUnreadBodies } from './connections/unread-body.ts';
import { createVisitorAddress, tellClientAddress } from './connections/visitor-address.ts';
import { allowKnownOrigins, type IsKnownOrigin } from './cors.ts';
import { createErrorHandler, errorBody, noBody, notJson, toServiceError } from './errors.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { pathOf, type RouteTable, watchRoutes } from './route-table.ts';
import { answeredOf, endIfLost, endRequestSpan } from './trace-requests.ts';

export type HttpOptions = {
  readonly log: Log;
  readonly metrics: HttpMetrics;
  readonly now: () => Date;
  /** None unless told. */
  readonly tracer?: Tracer;
  /** The base of the addresses of the error pages. */
  readonly baseUrl: string;
  readonly trustedProxies: readonly string[];
  readonly connections: ConnectionCaps;
  readonly patience?: Patience;
  /** Within which every request is answered; REQUEST_MS unless told. */
  readonly answerMs?: number;
  /** How long browsers must use https only; 0 sends no such header. */
  readonly hstsSeconds: number;
  readonly isKnownOrigin: IsKnownOrigin;
  /** What a browser sees at an unknown address; without it, the error body. */
  readonly showUnknown?: ShowUnknown;
};

export type ShowUnknown = (refusal: ServiceError, reply: FastifyReply) => unknown;

/** How long a client may take, in each state. */
export type Patience = {
  /** To send the head of a request, and to send all of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** With a request in progress and no byte in either direction. */
  readonly silenceMs: number;
  /** To continue reading, before a new connection may replace this one. */
  readonly unreadMs: number;
  readonly checkMs: number;
};

/** Above the largest legal generate request, including ten addresses of escaped characters. */
const BODY_LIMIT_BYTES = 128 * 1024;
/**
 * docs/decisions/0147-connections.md and 0181-unread-answers.md. By default Node checks for late requests every half
 * minute, and may be that late itself.
 */
const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Above the 20 s within which every request is answered.
  silenceMs: 30_000,
  unreadMs: 5_000,
  checkMs: 1_000,
};
/** Between requests: longer than load balancers keep theirs, so that none sends on a connection that we are closing. */
const KEEP_ALIVE_MS = 72_000;
/** For a client to read why it was refused, before our side closes its connection too. */
const LINGER_MS = 1_000;

const securityHeaders = ({ hstsSeconds }: HttpOptions) => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...(hstsSeconds > 0 && { 'strict-transport-security': `max-age=${hstsSeconds}` }),
});

/** Bytes that never became a request still get the published error body and the headers of every response. */
function answerBrokenRequest(options: HttpOptions, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new ServiceError('payload-too-large')
      : new ServiceError('validation-error', 'This is not a valid HTTP request.');
  const body = JSON.stringify(errorBody(refusal, { requestId, baseUrl: options.baseUrl }));
  const head = [
    `HTTP/1.1 ${ERRORS[refusal.code].status} Refused`,
    ...Object.entries(securityHeaders(options)).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that never closes its side could keep the connection open without limit.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function observe(app: FastifyInstance, options: HttpOptions): void {
  const { log, metrics } = options;
  const headers = securityHeaders(options);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('quota', undefined);
  app.decorateRequest('receivedBody', undefined);
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('isChecked', false);
  app.addHook('onRequest', async (request, reply) => {
    request.startedAtMs = performance.now();
    reply.headers({ ...headers, 'x-request-id': request.id });
  });
  // A connection whose last response comes after shutdown began must not be kept open by its client.
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (request, reply) => {
    if (isClosing) reply.header('connection', 'close');
    endIfLost(request, reply);
  });
  app.addHook('onResponse', async (request, reply) => {
    const timeMs = performance.now() - request.startedAtMs;
    const { route, status } = answeredOf(request, reply);
    const isFaultAsked = request.scope?.isFaultAsked;
    // No client can fire an alert with test requests (docs/decisions/0284-errors-on-request.md).
    if (!isFaultAsked) metrics.requests.observe({ method: request.method, route, status }, timeMs / 1_000);
    endRequestSpan(request, reply);
    log.info(isFaultAsked ? 'request asked to fail' : 'request', {
      requestId: request.id,
      method: request.method,
      route,
      status,
      timeMs: Math.round(timeMs),
      tenantId: request.caller?.tenantId,
      callerId: request.caller?.id,
      ...traceFields(request.scope?.span),
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
    if (text.trim() === '') {
      // An operation decides itself whether it needs a body.
      done(request.routeOptions.config.operation === undefined ? noBody() : null, undefined);
      return;
    }
    // It answers only through `done`; its type also allows parsers that return a promise.
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

const WITHOUT_SLASH = 'Nothing is at this address. Send the request to the address without the slash at its end.';
const WITH_TENANT = 'Nothing is at this address. Begin the path with your tenant’s id: /{tenantId}/v1/…';

/** Step by step: a regular expression for the last run of slashes would retry at every slash before it. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** The router matches `/reports/` as `/reports/:id` with an empty id; it is the list's address with an extra slash. */
function endsInNothing({ params, url }: FastifyRequest): boolean {
  const isEmpty = Object.values((params ?? {}) as Record<string, string>).at(-1) === '';
  return isEmpty && pathOf(url).endsWith('/');
}

/** Answers 405 where another method of the same address exists, else 404. */
function answerUnknownRoutes(app: FastifyInstance, { methodsAt }: RouteTable): void {
  // Answered before the body is read: at an unknown address it does not matter what is wrong with the body.
  app.addHook('onRequest', async (request) => {
    if (request.is404 || endsInNothing(request)) throw refusalOf(request);
  });
  app.setNotFoundHandler((request) => {
    throw refusalOf(request);
  });
  function refusalOf(request: FastifyRequest): ServiceError {
    const path = pathOf(request.url);
    const allowed = methodsAt(path);
    if (allowed.length === 0) {
      const shorter = withoutSlashes(path);
      if (shorter !== path && methodsAt(shorter).length > 0) return new ServiceError('not-found', WITHOUT_SLASH);
      const isTenantMissing = path.startsWith('/v1/') && methodsAt(`/tenant${path}`).length > 0;
      return new ServiceError('not-found', isTenantMissing ? WITH_TENANT : undefined);
    }
    return new ServiceError('method-not-allowed', undefined, { headers: { allow: allowed.toSorted().join(', ') } });
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

function createListener(options: HttpOptions, handle: Handle): Server {
  const patience = options.patience ?? PATIENCE;
  const server = createServer({
    // Node would answer a missing Host with an empty 400; `refuseMissingHost` sends the published body.
    requireHostHeader: false,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    connectionsCheckingInterval: patience.checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.timeout = patience.silenceMs;
  const admit = limitConnections(server, { ...options, ...patience, caps: options.connections });
  server.on('request', (request, response) => {
    if (admit(request, response)) handle(request, response);
  });
  // Node itself would answer an unknown Expect header with an empty 417; a server may ignore it (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  return server;
}

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const handleError = createErrorHandler(options);
  const app = Fastify({
    serverFactory: (handle) => createListener(options, handle),
    logger: false,
    genReqId: () => newId(),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    // On shutdown idle connections close at once and busy ones after their response.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Unknown fields are ignored (docs/decisions/0011-unknown-fields.md), these two included.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    routerOptions: { maxParamLength: 1_024 },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...securityHeaders(options), 'x-request-id': request.id });
      handleError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(options, error, socket),
  });
  app.setValidatorCompiler(createValidatorCompiler(options.now));
  app.setErrorHandler((error, request, reply) => {
    const { showUnknown } = options;
    if (!request.is404 || !showUnknown || !prefersPage(request.headers.accept)) {
      return handleError(error, request, reply);
    }
    return showUnknown(toServiceError(error), reply);
  });
  readJsonOnly(app);
  app.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw new ServiceError('unsupported-media-type');
  });
  settleUnreadBodies(app, BODY_LIMIT_BYTES);
  const warn = () => {
    const setting = 'TREFOIL_TRUSTED_PROXIES';
    options.metrics.proxiesWithoutAddress.inc({ setting });
    options.log.warn('a trusted proxy told no address', { setting });
  };
  tellClientAddress(app, createVisitorAddress(options.trustedProxies, warn));
  carryDeadlines(app, options.tracer ?? NO_TRACES, options.answerMs);
  observe(app, options);
  refuseMissingHost(app);
  const routes = watchRoutes(app);
  // Before unknown routes are refused: no route of ours has the method of a preflight.
  allowKnownOrigins(app, routes, options.isKnownOrigin);
  answerUnknownRoutes(app, routes);
  limitQueries(app);
  return app;
}
