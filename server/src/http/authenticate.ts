// The first two checks of every operation: who calls (401), and whether this tenant and scope are theirs (403).
// How a token is verified is injected: this file knows HTTP, not keys or tables.
import type { Operation, Role, Scope } from '@trefoil/contract';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import type { Rate } from '../lib/limits.ts';

/** What a token may do in one tenant. */
export type Access = {
  readonly tenantId: string;
  readonly isTenantEnabled: boolean;
  /** The role a person has there; a credential has scopes and no role. */
  readonly role: Role | undefined;
  readonly scopes: ReadonlySet<Scope>;
  readonly rate: Rate;
};

/** Whoever a good token stands for. */
export type Principal = {
  readonly kind: 'credential' | 'person';
  /** The credential's id, or the person's. */
  readonly id: string;
  /** The person, or the credential's accountable owner. */
  readonly userId: string;
  /** One for a credential, any number for a person. */
  readonly accesses: readonly Access[];
  /** Such a credential can use test mode and nothing else. */
  readonly isTestOnly: boolean;
  /** When the person last proved a second factor; undefined for credentials and for who never did. */
  readonly secondFactorAt: Date | undefined;
};

/** A principal at work in one tenant, the path's. */
export type Caller = Principal & Access;

/** Undefined for every token that is not good, whatever is wrong with it. */
export type VerifyToken = (token: string) => Promise<Principal | undefined>;

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

function unauthorized(challenge: string, sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence, { headers: { 'www-authenticate': challenge } });
}

export async function authenticate(verify: VerifyToken, request: FastifyRequest): Promise<Principal> {
  const header = request.headers.authorization;
  if (header === undefined) {
    throw unauthorized('Bearer realm="trefoil"', 'Send an access token as Authorization: Bearer <token>.');
  }
  const token = BEARER.exec(header)?.[1];
  const principal = token && (await verify(token));
  if (!principal) {
    throw unauthorized(
      'Bearer realm="trefoil", error="invalid_token"',
      'The access token is not valid or has expired. Request a new one.',
    );
  }
  return principal;
}

const noAccess = () => new ServiceError('forbidden', 'The access token does not give access to this tenant.');

/** For an address of the account, which names no tenant. */
export function authorizeAccount(principal: Principal): void {
  const [own] = principal.accesses;
  if (principal.kind === 'credential' && !own?.isTenantEnabled) throw noAccess();
}

/** How long a proved second factor counts as just proved (docs/decisions/0130). */
export const STEP_UP_SECONDS = 600;

function requireStepUp({ kind, secondFactorAt }: Principal): void {
  if (kind === 'credential') {
    throw new ServiceError(
      'forbidden',
      'This is for people: sign in, since API credentials cannot prove a second factor.',
    );
  }
  const ageMs = secondFactorAt ? Date.now() - secondFactorAt.getTime() : Number.POSITIVE_INFINITY;
  if (ageMs <= STEP_UP_SECONDS * 1_000) return;
  throw new ServiceError('step-up-required', undefined, {
    // RFC 9470, so that any OAuth client knows what to ask for.
    headers: {
      'www-authenticate': `Bearer realm="trefoil", error="insufficient_user_authentication", acr_values="urn:trefoil:2fa", max_age=${STEP_UP_SECONDS}`,
    },
  });
}

/** An unknown tenant and someone else's are refused alike: a caller must not learn which tenants exist. */
export function authorize(principal: Principal, operation: Operation, pathTenantId: string): Caller {
  const access = principal.accesses.find(({ tenantId }) => tenantId === pathTenantId);
  if (!access?.isTenantEnabled) throw noAccess();
  if (operation.scope !== undefined && !access.scopes.has(operation.scope)) {
    throw new ServiceError('forbidden', `The access token lacks the scope ${operation.scope}.`, {
      headers: {
        'www-authenticate': `Bearer realm="trefoil", error="insufficient_scope", scope="${operation.scope}"`,
      },
    });
  }
  if (operation.needsStepUp) requireStepUp(principal);
  return { ...principal, ...access };
}
