// Where carriers report what became of a message. No token: the carrier's signature is the key, and the answer tells
// nothing about what was found.
import type { FastifyInstance } from 'fastify';
import { ServiceError, unreachable } from '../lib/errors.ts';
import type { ReceiveReceipt } from './receive-receipt.ts';

const BODY_BYTES_MAX = 64 * 1024;

export function registerReceiptRoute(app: FastifyInstance, receive: ReceiveReceipt): void {
  // In a scope of its own, so that no other route takes a form.
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scope.post<{ Params: { carrier: string } }>('/v1/carriers/:carrier/receipts', async (request, reply) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? undefined : value]),
      );
      const answer = await receive(request.params.carrier, {
        url: request.raw.url ?? '',
        contentType: headers['content-type'],
        body: typeof request.body === 'string' ? request.body : '',
        headers,
      });
      switch (answer) {
        case 'accepted':
          return reply.code(204).send();
        case 'refused':
          throw new ServiceError('forbidden', 'The receipt is not signed by the carrier.');
        case 'unreadable':
          throw new ServiceError('validation-error', 'The receipt cannot be read.');
        case 'unknown-carrier':
          throw new ServiceError('not-found');
        default:
          return unreachable(answer);
      }
    });
  });
}
