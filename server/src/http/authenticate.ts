// The first two checks of every operation: who calls (401), and whether the caller has this tenant and scope (403).
// Token verification is injected: this file knows HTTP, not keys or tables.
import type { Operation, Role, Scope } from '@trefoil/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import type { Rate } from '../lib/limits/limits.ts';

/** What a token may do in one tenant. */
export type Access = {
  readonly tenantId: string;
  readonly isTenantEnabled: boolean;
  /** The person's role there; for a credential, its owner's. */
  readonly role: Role | undefined;
  readonly scopes: ReadonlySet<Scope>;
  readonly rate: Rate;
  /** The company requires a second factor, and the person's sign-in has proved none; never true for a credential. */
  readonly lacksSecondFactor: boolean;
};

/** The person or credential that a valid token stands for. */
export type Principal = {
  readonly kind: 'credential' | 'person';
  /** The credential's id, or the person's. */
  readonly id: string;
  /** The person, or the credential's accountable owner. */
  readonly userId: string;
  /** One for a credential, any number for a person. */
  readonly accesses: readonly Access[];
  /** A test-only credential can use test mode and nothing else. */
  readonly isTestOnly: boolean;
  /** Undefined allows every address (docs/decisions/0134-credentials-by-their-tenant.md). */
  readonly allowsAddress?: ((address: string) => boolean) | undefined;
  /** When the person last proved a second factor; undefined for credentials and for people who never did. */
  readonly secondFactorAt: Date | undefined;
  /** True when the sign-in came in cookies: only the service's own pages can send those. */
  readonly isByCookie?: boolean | undefined;
};

/** A principal acting in one tenant, the path's. */
export type Caller = Principal & Access;

/** Undefined for every invalid token, whatever is wrong with it. */
export type VerifyToken = (token: string) => Promise<Principal | undefined>;

export type TokenGate = { readonly verify: VerifyToken; readonly cookies?: CookieSignIns };

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const NOT_VALID = 'The access token is not valid or has expired. Request a new one.';
/** Most often a client id and secret, sent where the token belongs. */
const OTHER_SCHEME =
  'Send an access token as Authorization: Bearer <token>. A client id and secret get one at POST /v1/oauth/token, by HTTP Basic.';

function unauthorized(challenge: string, sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence, { headers: { 'www-authenticate': challenge } });
}

export function isSafeMethod({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/**
 * Browsers add cookies to requests that another site causes; the origin shows which site did
 * (docs/decisions/0023-cookies.md).
 */
export function requireOwnOrigin({ headers }: FastifyRequest, baseUrl: string): void {
  if (headers.origin === baseUrl) return;
  throw new ServiceError(
    'forbidden',
    'With cookies, only the pages of this service may send requests that change something.',
  );
}

/** The person or credential behind the request's cookies; the reply gets new cookies when they were refreshed. */
export interface CookieSignIns {
  readonly baseUrl: string;
  isPresent(request: FastifyRequest): boolean;
  principalOf(request: FastifyRequest, reply: FastifyReply): Promise<Principal | undefined>;
}

async function fromCookies(cookies: CookieSignIns, request: FastifyRequest, reply: FastifyReply) {
  if (!isSafeMethod(request)) requireOwnOrigin(request, cookies.baseUrl);
  const principal = await cookies.principalOf(request, reply);
  if (!principal) throw unauthorized('Bearer realm="trefoil"', 'The sign-in has ended. Sign in again.');
  return { ...principal, isByCookie: true };
}

/** A header always wins: the cookies of a request with a token header are ignored. */
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
    const sentence = /^Bearer\b/i.test(header) ? NOT_VALID : OTHER_SCHEME;
    throw unauthorized('Bearer realm="trefoil", error="invalid_token"', sentence);
  }
  return principal;
}

const noAccess = () => new ServiceError('forbidden', 'The access token does not give access to this tenant.');

/** A credential may be bound to networks; stolen, it is useless elsewhere. */
export function requireAllowedAddress({ allowsAddress }: Principal, request: FastifyRequest): void {
  if (!allowsAddress || allowsAddress(request.clientAddress)) return;
  throw new ServiceError('forbidden', 'This credential may not be used from your address.');
}

/** For an account address, which names no tenant. */
export function authorizeAccount(principal: Principal): void {
  const [own] = principal.accesses;
  if (principal.kind === 'credential' && !own?.isTenantEnabled) throw noAccess();
}

/** How long a second factor counts as fresh (docs/decisions/0130-step-up.md). */
export const STEP_UP_SECONDS = 600;

/** RFC 9470, so that any OAuth client knows what to request. */
const STEP_UP_CHALLENGE =
  'Bearer realm="trefoil", error="insufficient_user_authentication", acr_values="urn:trefoil:2fa"';

export const stepUpRequired = () =>
  new ServiceError('step-up-required', undefined, {
    headers: { 'www-authenticate': `${STEP_UP_CHALLENGE}, max_age=${STEP_UP_SECONDS}` },
  });

function requireStepUp({ kind, secondFactorAt }: Principal): void {
  if (kind === 'credential') {
    throw new ServiceError(
      'forbidden',
      'Only a signed-in person may do this: an API credential cannot prove a second factor.',
    );
  }
  const ageMs = secondFactorAt ? Date.now() - secondFactorAt.getTime() : Number.POSITIVE_INFINITY;
  if (ageMs <= STEP_UP_SECONDS * 1_000) return;
  throw stepUpRequired();
}

/** An unknown tenant and another caller's tenant get the same error: a caller must not learn which tenants exist. */
export function authorize(
  principal: Principal,
  operation: Operation,
  { tenantId: pathTenantId, test }: { readonly tenantId: string; readonly test?: unknown },
): Caller {
  const access = principal.accesses.find(({ tenantId }) => tenantId === pathTenantId);
  if (!access?.isTenantEnabled) throw noAccess();
  if (operation.scope !== undefined && !access.scopes.has(operation.scope)) {
    throw new ServiceError('forbidden', `The access token lacks the scope ${operation.scope}.`, {
      headers: {
        'www-authenticate': `Bearer realm="trefoil", error="insufficient_scope", scope="${operation.scope}"`,
      },
    });
  }
  // Not yet validated: anything but this text is about live mode, or is refused later.
  const isAboutTest = operation.liveOnly === 'unless-asked' && test === 'true';
  if (operation.liveOnly && !isAboutTest && principal.isTestOnly) {
    throw new ServiceError('forbidden', 'This credential works only in test mode, and this is about live mode.');
  }
  // Every operation of the company, so that no new one can be forgotten (docs/decisions/0275-a-password-alone.md).
  if (access.lacksSecondFactor) {
    throw new ServiceError('second-factor-required', undefined, { headers: { 'www-authenticate': STEP_UP_CHALLENGE } });
  }
  if (operation.needsStepUp) requireStepUp(principal);
  return { ...principal, ...access };
}
