// The endpoint for carriers' delivery receipts. It needs no token: the carrier's signature authenticates, and the
// answer reveals nothing about the message.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takeForms } from '../../http/body/parameters.ts';
import { ServiceError, unreachable } from '../../lib/errors.ts';
import { createPace } from '../../lib/limits/pace.ts';
import type { ReceiveReceipt } from './receive-receipt.ts';

const BODY_BYTES_MAX = 64 * 1024;
/** A receipt costs about a quarter of a millisecond. */
const PER_TURN = 2;

export type ReceiptRoute = {
  readonly receive: ReceiveReceipt;
  /** Refuses an address that sends too many receipts without a valid signature. Valid receipts are never counted. */
  readonly limitRefused: (request: FastifyRequest) => Promise<void>;
};

export function registerReceiptRoute(app: FastifyInstance, { receive, limitRefused }: ReceiptRoute): void {
  // In its own scope, so that no other route accepts a form body.
  app.register(async (scope) => {
    takeForms(scope, BODY_BYTES_MAX, (text) => text);
    // Before the body is read: carriers send receipts in bursts, and other requests must be served in between.
    const pace = createPace(PER_TURN);
    scope.addHook('onRequest', pace);
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
          await limitRefused(request);
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
