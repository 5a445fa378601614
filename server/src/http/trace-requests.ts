// The span of a request that is an operation of the contract: which trace it joins, and how it ends.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noteChecks, type Span } from '../lib/traces/span.ts';

declare module 'fastify' {
  interface FastifyRequest {
    isChecked: boolean;
  }
}

/** A request for a new report has no id yet: `followReport` decides its trace. A read begins a trace of its own. */
export function noteChecked(request: FastifyRequest, isNewReport: boolean): void {
  const { span } = request.scope;
  if (!span) return;
  request.isChecked = true;
  const { creditReportId } = request.params as Record<string, string>;
  if (creditReportId !== undefined && request.method !== 'GET') span.trace.follow(span, creditReportId, false);
  else if (!isNewReport) span.trace.decide();
  noteChecks(span);
}

type Answered = { readonly route: string; readonly status: number };

/** The pattern, never the address: addresses contain ids, and bad addresses can contain anything. */
export const answeredOf = ({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): Answered => ({
  route: routeOptions.url ?? 'none',
  status: statusCode,
});

function describe(span: Span, { id, method, caller }: FastifyRequest, { route, status }: Answered): void {
  span.name = `${method} ${route as `/${string}`}`;
  span.isFailed = status >= 500;
  Object.assign(span.attributes, {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'trefoil.request.id': id,
    'trefoil.tenant.id': caller?.tenantId,
  });
}

export function endRequestSpan(request: FastifyRequest, reply: FastifyReply): void {
  // Without a scope it never reached a route.
  const span = request.scope?.span;
  if (!span || span.endMs > 0) return;
  span.trace.decide();
  if (!span.trace.isSampled) return;
  if (!request.isChecked) noteChecks(span);
  describe(span, request, answeredOf(request, reply));
  span.endMs = performance.now();
  span.trace.record(span);
}

/**
 * A client that hangs up gets no response, and no hook tells of it. Its request ends when its answer is ready and the
 * connection is closed: work that has begun goes on, and may only then know which report's trace it is in.
 */
export function endIfLost(request: FastifyRequest, reply: FastifyReply): void {
  if (!request.scope?.span) return;
  if (reply.raw.destroyed) endRequestSpan(request, reply);
  // Of a response that was sent, the span has ended by then.
  else reply.raw.once('close', () => endRequestSpan(request, reply));
}
