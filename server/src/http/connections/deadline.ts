// Every request carries its deadline and its span (lib/request-scope.ts). It is answered by its deadline, even when what it
// waits for hangs.
import type { FastifyInstance } from 'fastify';
import { tooLate } from '../../lib/errors.ts';
import { inScope, REQUEST_MS, type RequestScope } from '../../lib/request-scope.ts';
import type { Tracer } from '../../lib/traces/tracer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    scope: RequestScope;
    bodyFromMs: number;
  }
}

export function carryDeadlines(app: FastifyInstance, tracer: Tracer, limitMs = REQUEST_MS): void {
  app.decorateRequest('scope', null as unknown as RequestScope);
  app.decorateRequest('bodyFromMs', 0);
  app.addHook('onRequest', (request, reply, done) => {
    // Pages, probes and the documentation are not traced.
    const isOperation = request.routeOptions.config?.operation !== undefined;
    const span = isOperation ? tracer.startRequest(request.headers['traceparent']) : undefined;
    const arrivedMs = performance.now();
    const scope: RequestScope = { arrivedMs, deadlineMs: arrivedMs + limitMs, span };
    request.scope = scope;
    const timer = setTimeout(() => {
      if (!reply.sent) reply.send(tooLate());
    }, limitMs);
    reply.raw.once('close', () => clearTimeout(timer));
    inScope(scope, done);
  });
  // The body is read in between: at the pace of the client, which is no time of ours, and its events run outside the
  // request's async context.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.bodyFromMs = performance.now();
    done();
  });
  app.addHook('preValidation', ({ scope, bodyFromMs }, _reply, done) => {
    scope.uploadMs = performance.now() - bodyFromMs;
    inScope(scope, done);
  });
}
