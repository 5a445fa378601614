// The first two checks of every operation: who calls (401), and whether this tenant and scope are theirs (403).
// How a token is verified is injected: this file knows HTTP, not keys or tables.
import type { Operation, Scope } from '@trefoil/contract';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import type { Rate } from '../lib/limits.ts';

export type Caller = {
  /** The credential, until people log in as well. */
  readonly id: string;
  readonly tenantId: string;
  readonly isTenantEnabled: boolean;
  readonly ownerUserId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly rate: Rate;
};

/** Undefined for every token that is not good, whatever is wrong with it. */
export type VerifyToken = (token: string) => Promise<Caller | undefined>;

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

function unauthorized(challenge: string, sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence, { headers: { 'www-authenticate': challenge } });
}

export async function authenticate(verify: VerifyToken, request: FastifyRequest): Promise<Caller> {
  const header = request.headers.authorization;
  if (header === undefined) {
    throw unauthorized('Bearer realm="trefoil"', 'Send an access token as Authorization: Bearer <token>.');
  }
  const token = BEARER.exec(header)?.[1];
  const caller = token && (await verify(token));
  if (!caller) {
    throw unauthorized(
      'Bearer realm="trefoil", error="invalid_token"',
      'The access token is not valid or has expired. Request a new one.',
    );
  }
  return caller;
}

/** An unknown tenant and someone else's are refused alike: a caller must not learn which tenants exist. */
export function authorize(caller: Caller, operation: Operation, pathTenantId: string | undefined): void {
  if (!caller.isTenantEnabled || (pathTenantId !== undefined && pathTenantId !== caller.tenantId)) {
    throw new ServiceError('forbidden', 'The access token does not give access to this tenant.');
  }
  if (operation.scope !== undefined && !caller.scopes.has(operation.scope)) {
    throw new ServiceError('forbidden', `The access token lacks the scope ${operation.scope}.`, {
      headers: {
        'www-authenticate': `Bearer realm="trefoil", error="insufficient_scope", scope="${operation.scope}"`,
      },
    });
  }
}
