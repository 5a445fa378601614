// Registers an operation of the contract as a route, with the published order of checks before its handler:
// token 401, tenant and scope 403, rate 429, media type and size and body or query 415/413/400
// (docs/decisions/0009-order-of-checks.md).
import { OPERATIONS, type Operation, type OperationId } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { busy, ServiceError } from '../lib/errors.ts';
import { canonicalId } from '../lib/ids.ts';
import type { Limits } from '../lib/limits/limits.ts';
import type { AdmitRead } from './admit-read.ts';
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
import { prefersCsv } from './body/media-type.ts';
import { noBody } from './errors.ts';
import { addVary } from './headers.ts';
import { limitRate, type Quota, shareOf } from './rate-limit.ts';
import { noteChecked } from './trace-requests.ts';

export type Gate = TokenGate & {
  readonly limits: Limits;
  /** False if an operation of this tenant would be refused for lack of capacity, whatever its body says. */
  readonly letIn?: (operation: OperationId, tenantId: string) => boolean;
  /** Called for every request of a tenant. */
  readonly noteTenant?: (tenantId: string) => void;
  /** Admits a read; throws service-unavailable when the wait is too long. */
  readonly admitRead?: AdmitRead;
  /** Called for every credential whose request was admitted. */
  readonly noteUse?: (credentialId: string) => void;
};

type BodyOf<Id extends OperationId> = (typeof OPERATIONS)[Id] extends { body: infer Body extends TSchema }
  ? Static<Body>
  : undefined;

type QueryOf<Id extends OperationId> = (typeof OPERATIONS)[Id] extends { query: infer Query extends TSchema }
  ? Static<Query>
  : undefined;

/**
 * A request's tenant is always the one in its path (docs/decisions/0025-tenant-select.md); an account address names none.
 */
type CallerOf<Id extends OperationId> = (typeof OPERATIONS)[Id]['path'] extends `/:tenantId/${string}`
  ? Caller
  : Principal;

/** What a handler gets: everything is already checked, and of the framework only the reply's headers. */
export type OperationRequest<Id extends OperationId> = {
  readonly caller: CallerOf<Id>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** Always false where the contract has no CSV. */
  readonly wantsCsv: boolean;
  readonly idempotency: IdempotentRequest | undefined;
  /** The tenant's request quota, this request included. */
  readonly quota: Quota;
  readonly startedAtMs: number;
  readonly reply: FastifyReply;
  /** Gives back the place of a read before its answer: for a handler that waits, or that sends a long file. */
  readonly leavePlace: () => void;
};

/** A request with an Idempotency-Key: the key, and what identifies this request. */
export type IdempotentRequest = {
  readonly key: string;
  readonly route: string;
  readonly method: string;
  readonly path: string;
  /** As received: what validation makes of it is not part of what the client sent (docs/decisions/0056-idempotency.md). */
  readonly body: object;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationId;
  }
  interface FastifyRequest {
    caller: (Principal & Partial<Access>) | undefined;
    quota: Quota | undefined;
    receivedBody: unknown;
    startedAtMs: number;
  }
}

const KEY_MAX_LENGTH = 255;

function idempotentRequest(
  operation: Operation,
  { raw, url, receivedBody }: FastifyRequest,
): IdempotentRequest | undefined {
  const [key, ...others] = raw.headersDistinct['idempotency-key'] ?? [];
  if (!operation.idempotent || key === undefined) return undefined;
  if (key.length < 1 || key.length > KEY_MAX_LENGTH || others.length > 0) {
    throw new ServiceError('validation-error', 'The Idempotency-Key header is not valid.', {
      details: [{ path: '/headers/idempotency-key', message: `Send one key of 1 to ${KEY_MAX_LENGTH} characters.` }],
    });
  }
  const { method } = operation;
  const path = url.split('?', 1)[0] ?? url;
  return { key, route: `${method} ${operation.path}`, method, path, body: receivedBody as object };
}

/** Many clients name a type for every POST, the type of a form for instance. Without a body it says nothing. */
function hasNoBody({ headers }: FastifyRequest): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return coding === undefined && length === '0';
}

/** An explicit query parameter wins: a browser's address bar cannot set the Accept header. */
function wantsCsv({ query, headers }: FastifyRequest): boolean {
  const { format } = query as { format?: string };
  return format === undefined ? prefersCsv(headers.accept) : format === 'csv';
}

export function registerOperation<Id extends OperationId>(
  app: FastifyInstance,
  gate: Gate,
  id: Id,
  handle: (request: OperationRequest<Id>) => Promise<object | string>,
): void {
  const operation: Operation = OPERATIONS[id];
  const { query, body } = operation;
  const needsBody = body !== undefined && !operation.isBodyOptional;
  app.route({
    method: operation.method,
    url: operation.path,
    config: { operation: id },
    schema: { ...(query && { querystring: query }), ...(body && { body }) },
    async onRequest(request, reply) {
      const params = request.params as Record<string, string>;
      for (const [name, value] of Object.entries(params)) params[name] = canonicalId(value);
      const principal = await authenticate(gate, request, reply);
      request.caller = principal;
      requireAllowedAddress(principal, request);
      const { tenantId } = params;
      if (tenantId === undefined) authorizeAccount(principal);
      const { test } = request.query as { readonly test?: unknown };
      const caller = tenantId === undefined ? undefined : authorize(principal, operation, { tenantId, test });
      request.caller = caller ?? principal;
      if (caller) gate.noteTenant?.(caller.tenantId);
      if (caller && gate.letIn?.(id, caller.tenantId) === false) throw busy();
      request.quota = await limitRate(gate.limits, shareOf(principal, caller), reply);
      if (principal.kind === 'credential') gate.noteUse?.(principal.id);
      if (!needsBody && hasNoBody(request)) delete request.raw.headers['content-type'];
    },
    async preValidation(request) {
      // The framework would pass null to the validator, which counts as a body.
      if (needsBody && request.body === undefined) throw noBody();
      if (body && request.body === undefined) request.body = {};
      request.receivedBody = request.body;
    },
    async handler(request, reply) {
      if (!request.caller || !request.quota) throw new Error('a handler ran before its checks');
      noteChecked(request, id === 'generateCreditReport');
      if (operation.csvExamples) addVary(reply, 'accept');
      // Unless a handler sets another type; a text is JSON that is already serialized.
      reply.type('application/json; charset=utf-8');
      const { tenantId } = request.params as Record<string, string>;
      const release =
        operation.method === 'GET' && tenantId !== undefined ? await gate.admitRead?.(tenantId) : undefined;
      const answer = handle({
        caller: request.caller as CallerOf<Id>,
        params: request.params as Record<string, string>,
        query: request.query as QueryOf<Id>,
        body: request.body as BodyOf<Id>,
        wantsCsv: operation.csvExamples !== undefined && wantsCsv(request),
        idempotency: idempotentRequest(operation, request),
        quota: request.quota,
        startedAtMs: request.startedAtMs,
        reply,
        leavePlace: () => release?.(),
      });
      return release ? answer.finally(release) : answer;
    },
  });
}
