// Every request carries its deadline (lib/request-scope.ts) and is answered by then, even when what it waits for hangs.
import type { FastifyInstance } from 'fastify';
import { tooLate } from '../../lib/errors.ts';
import { inScope, REQUEST_MS, type RequestScope } from '../../lib/request-scope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    scope: RequestScope;
  }
}

export function carryDeadlines(app: FastifyInstance): void {
  app.decorateRequest('scope', null as unknown as RequestScope);
  app.addHook('onRequest', (request, reply, done) => {
    const scope: RequestScope = { deadlineMs: performance.now() + REQUEST_MS };
    request.scope = scope;
    const timer = setTimeout(() => {
      if (!reply.sent) reply.send(tooLate());
    }, REQUEST_MS);
    reply.raw.once('close', () => clearTimeout(timer));
    inScope(scope, done);
  });
  // The body is read in between, and its events run outside the request's async context.
  app.addHook('preValidation', (request, _reply, done) => inScope(request.scope, done));
}
