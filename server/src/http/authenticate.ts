// The first two checks of every operation: who calls (401), and whether this tenant and scope are theirs (403).
// How a token is verified is injected: this file knows HTTP, not keys or tables.
import type { Operation, Role, Scope } from '@trefoil/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import type { Rate } from '../lib/limits.ts';

/** What a token may do in one tenant. */
export type Access = {
  readonly tenantId: string;
  readonly isTenantEnabled: boolean;
  /** The role a person has there; of a credential, its owner's. */
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
  /** Undefined: from anywhere (docs/decisions/0134). */
  readonly allowsAddress?: ((address: string) => boolean) | undefined;
  /** When the person last proved a second factor; undefined for credentials and for who never did. */
  readonly secondFactorAt: Date | undefined;
};

/** A principal at work in one tenant, the path's. */
export type Caller = Principal & Access;

/** Undefined for every token that is not good, whatever is wrong with it. */
export type VerifyToken = (token: string) => Promise<Principal | undefined>;

export type TokenGate = { readonly verify: VerifyToken; readonly cookies?: CookieSignIns };

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

function unauthorized(challenge: string, sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence, { headers: { 'www-authenticate': challenge } });
}

export function isSafeMethod({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** A browser adds cookies to whatever another site makes it send; the origin tells who made it (docs/decisions/0023). */
export function requireOwnOrigin({ headers }: FastifyRequest, baseUrl: string): void {
  if (headers.origin === baseUrl) return;
  throw new ServiceError('forbidden', 'With cookies, requests that change something must come from our own pages.');
}

/** Whoever the request's cookies stand for; the reply gets new cookies if they were refreshed. */
export interface CookieSignIns {
  readonly baseUrl: string;
  isPresent(request: FastifyRequest): boolean;
  principalOf(request: FastifyRequest, reply: FastifyReply): Promise<Principal | undefined>;
}

async function fromCookies(cookies: CookieSignIns, request: FastifyRequest, reply: FastifyReply) {
  if (!isSafeMethod(request)) requireOwnOrigin(request, cookies.baseUrl);
  const principal = await cookies.principalOf(request, reply);
  if (!principal) throw unauthorized('Bearer realm="trefoil"', 'The sign-in is over. Sign in again.');
  return principal;
}

/** A header always wins: a request with one is never judged by its cookies. */
export async function authenticate(gate: TokenGate, request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
  const { verify, cookies } = gate;
  const header = request.headers.authorization;
  if (header === undefined) {
    if (cookies?.isPresent(request)) return fromCookies(cookies, request, reply);
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

/** A credential may be bound to networks; whoever stole it elsewhere can do nothing with it. */
export function requireAllowedAddress({ allowsAddress }: Principal, { ip }: FastifyRequest): void {
  if (!allowsAddress || allowsAddress(ip)) return;
  throw new ServiceError('forbidden', 'This credential may not be used from your address.');
}

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
