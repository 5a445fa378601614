// Registers an operation of the contract as a route, with the published order of checks before its handler:
// token 401, tenant and scope 403, rate 429, media type and size and body or query 415/413/400 (docs/decisions/0009).
import { OPERATIONS, type Operation, type OperationId } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { ServiceError } from '../lib/errors.ts';
import type { Limits } from '../lib/limits.ts';
import {
  type Access,
  authenticate,
  authorize,
  authorizeAccount,
  type Caller,
  type Principal,
  requireAllowedAddress,
  type TokenGate,
} from './authenticate.ts';
import { prefersCsv } from './media-type.ts';
import { limitRate, shareOf } from './rate-limit.ts';

export type Gate = TokenGate & {
  readonly limits: Limits;
  /** Told of every credential whose request was let in. */
  readonly noteUse?: (credentialId: string) => void;
};

type BodyOf<Id extends OperationId> = (typeof OPERATIONS)[Id] extends { body: infer Body extends TSchema }
  ? Static<Body>
  : undefined;

type QueryOf<Id extends OperationId> = (typeof OPERATIONS)[Id] extends { query: infer Query extends TSchema }
  ? Static<Query>
  : undefined;

/** The tenant of a request is always the one its path names (docs/decisions/0025); an account's address names none. */
type CallerOf<Id extends OperationId> = (typeof OPERATIONS)[Id]['path'] extends `/:tenantId/${string}`
  ? Caller
  : Principal;

/** What a handler gets: everything already checked, nothing of the framework but the reply's headers. */
export type OperationRequest<Id extends OperationId> = {
  readonly caller: CallerOf<Id>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** Always false where the contract knows no CSV. */
  readonly wantsCsv: boolean;
  readonly idempotency: IdempotentRequest | undefined;
  readonly startedAtMs: number;
  readonly reply: FastifyReply;
};

/** A request that came with an Idempotency-Key: the key, and what makes this request itself. */
export type IdempotentRequest = {
  readonly key: string;
  readonly route: string;
  readonly method: string;
  readonly path: string;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationId;
  }
  interface FastifyRequest {
    caller: (Principal & Partial<Access>) | undefined;
    startedAtMs: number;
  }
}

const KEY_MAX_LENGTH = 255;

function idempotentRequest(operation: Operation, { raw, url }: FastifyRequest): IdempotentRequest | undefined {
  const [key, ...others] = raw.headersDistinct['idempotency-key'] ?? [];
  if (!operation.idempotent || key === undefined) return undefined;
  if (key.length < 1 || key.length > KEY_MAX_LENGTH || others.length > 0) {
    throw new ServiceError('validation-error', 'The Idempotency-Key header is not valid.', {
      details: [{ path: '/headers/idempotency-key', message: `Send one key of 1 to ${KEY_MAX_LENGTH} characters.` }],
    });
  }
  const { method } = operation;
  return { key, route: `${method} ${operation.path}`, method, path: url.split('?', 1)[0] ?? url };
}

export function registerOperation<Id extends OperationId>(
  app: FastifyInstance,
  gate: Gate,
  id: Id,
  handle: (request: OperationRequest<Id>) => Promise<object | string>,
): void {
  const operation: Operation = OPERATIONS[id];
  const { query, body } = operation;
  app.route({
    method: operation.method,
    url: operation.path,
    config: { operation: id },
    schema: { ...(query && { querystring: query }), ...(body && { body }) },
    async onRequest(request, reply) {
      const principal = await authenticate(gate, request, reply);
      request.caller = principal;
      requireAllowedAddress(principal, request);
      const { tenantId } = request.params as Record<string, string>;
      if (tenantId === undefined) authorizeAccount(principal);
      const caller = tenantId === undefined ? undefined : authorize(principal, operation, tenantId);
      request.caller = caller ?? principal;
      await limitRate(gate.limits, shareOf(principal, caller), reply);
      if (principal.kind === 'credential') gate.noteUse?.(principal.id);
    },
    async handler(request, reply) {
      if (!request.caller) throw new Error('a handler ran before its checks');
      if (operation.csvExamples) reply.header('vary', 'accept');
      // Unless a handler says otherwise; a text is JSON that was written already.
      reply.type('application/json; charset=utf-8');
      return handle({
        caller: request.caller as CallerOf<Id>,
        params: request.params as Record<string, string>,
        query: request.query as QueryOf<Id>,
        body: request.body as BodyOf<Id>,
        wantsCsv: operation.csvExamples !== undefined && prefersCsv(request.headers.accept),
        idempotency: idempotentRequest(operation, request),
        startedAtMs: request.startedAtMs,
        reply,
      });
    },
  });
}
