// A request whose work hangs is answered at its deadline. The clock stands still until the test moves it.
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { remainingMs } from '../../lib/request-scope.ts';
import { endsAfter, startClock, stopClock } from '../../lib/testing/stopped-clock.ts';
import { NO_TRACES } from '../../lib/traces/tracer.ts';
import { carryDeadlines } from './deadline.ts';

let app: FastifyInstance | undefined;
afterEach(async () => {
  startClock();
  await app?.close();
});

test.each([
  [undefined, 20_000],
  [100_000, 100_000],
])('a limit of %s: answered after %i ms, and the work knows how much is left', async (limitMs, answeredMs) => {
  const begun = Promise.withResolvers<number>();
  app = fastify();
  carryDeadlines(app, NO_TRACES, limitMs);
  app.setErrorHandler((error, _request, reply) => reply.code(503).send((error as { code: string }).code));
  app.get('/held', () => {
    begun.resolve(remainingMs());
    return new Promise(() => undefined);
  });
  await app.ready();
  stopClock();
  const asking = app.inject('/held').then(({ statusCode, body }) => [statusCode, body]);
  expect(await begun.promise).toBe(answeredMs);
  expect(await endsAfter(answeredMs, asking)).toEqual([503, 'service-unavailable']);
});
