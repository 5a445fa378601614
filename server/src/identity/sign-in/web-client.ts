// Our own pages as a client of our own provider, through an independent client library: it checks state,
// nonce, issuer and PKCE as any other client would. Its requests go to our own server in this process, over no network.
import { randomBytes } from 'node:crypto';
import { SCOPES } from '@trefoil/contract';
import type { FastifyInstance } from 'fastify';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
} from 'openid-client';
import { createRingHash, type HashRing } from '../../lib/crypto/hash-ring.ts';
import { ServiceError } from '../../lib/errors.ts';
import { TWO_FACTORS } from '../provider/interaction-policy.ts';
import { callbackUrl, WEB_CLIENT_ID, type WebClient as WebClientSecret } from '../provider/oauth-clients.ts';

export type SignInTokens = { readonly accessToken: string; readonly refreshToken: string; readonly expiresIn: number };

/** `step-up` asks for a second factor; `anew` asks for a sign-in even from a person who is signed in at the provider. */
export type SignInKind = 'usual' | 'step-up' | 'anew';

export interface WebClient {
  /** A new random state. It ends with the name of the key that the verifier and the nonce are derived with. */
  newState(): string;
  /** The address to send a browser to for a sign-in. */
  authorizationUrl(state: string, how: SignInKind): Promise<string>;
  /** Throws when the response does not belong to this state. */
  exchange(answer: URL, state: string): Promise<SignInTokens>;
  /** Undefined when the sign-in has ended. */
  refresh(refreshToken: string): Promise<SignInTokens | undefined>;
}

const STATE_BYTES = 32;
/** In base64url, without the name of the key. */
const STATE_LENGTH = 43;

/** No client has this address, so failures of others cannot lock us out of our own token endpoint. */
const OWN_ADDRESS = '0.0.0.0';

function fetchInProcess(app: FastifyInstance): CustomFetch {
  return async (url, { method, headers, body }) => {
    const reply = await app.inject({
      method: method as 'POST',
      url: new URL(url).pathname,
      headers: headers as Record<string, string>,
      ...(body != null && { payload: String(body) }),
      remoteAddress: OWN_ADDRESS,
    });
    return new Response(reply.body, {
      status: reply.statusCode,
      headers: { 'content-type': String(reply.headers['content-type'] ?? '') },
    });
  };
}

function toTokens({ access_token, refresh_token, expires_in }: TokenEndpointResponse): SignInTokens {
  if (refresh_token === undefined || expires_in === undefined)
    throw new Error('our own provider returned an incomplete response');
  return { accessToken: access_token, refreshToken: refresh_token, expiresIn: expires_in };
}

export function createWebClient(app: FastifyInstance, web: WebClientSecret, keys: HashRing): WebClient {
  const { baseUrl, secret } = web;
  const server = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/v1/oauth/authorize`,
    token_endpoint: `${baseUrl}/v1/oauth/token`,
    authorization_response_iss_parameter_supported: true,
  };
  const metadata = { id_token_signed_response_alg: 'ES256' };
  const configuration = new Configuration(server, WEB_CLIENT_ID, metadata, ClientSecretBasic(secret));
  configuration[customFetch] = fetchInProcess(app);
  // The base address may be plain http on a developer's machine, and these requests never leave the process.
  allowInsecureRequests(configuration);
  const hashes = new Map(keys.map((key) => [key.fingerprint, createRingHash([key], 'web-client')]));
  const first = createRingHash(keys, 'web-client');
  // Another node, whose ring begins with another key, may have begun the sign-in. A state without a name is from the
  // previous release, which had one key: the first, until half an hour after that release has ended.
  const hashOf = (state: string) => hashes.get(state.slice(STATE_LENGTH)) ?? first;
  // Both are derived from the state, which the browser keeps: nothing else has to be stored until the response comes.
  const verifierOf = (state: string) => hashOf(state)('verifier', state).toString('base64url');
  const nonceOf = (state: string) => hashOf(state)('nonce', state).toString('base64url');

  return {
    newState: () => `${randomBytes(STATE_BYTES).toString('base64url')}${keys[0].fingerprint}`,
    async authorizationUrl(state, how) {
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl(baseUrl),
        scope: `openid ${SCOPES.join(' ')}`,
        state,
        nonce: nonceOf(state),
        code_challenge: await calculatePKCECodeChallenge(verifierOf(state)),
        code_challenge_method: 'S256',
        ...(how !== 'usual' && { prompt: 'login' }),
        ...(how === 'step-up' && { acr_values: TWO_FACTORS }),
      });
      return url.href;
    },
    async exchange(answer, state) {
      const checks = { expectedState: state, expectedNonce: nonceOf(state), idTokenExpected: true };
      return toTokens(
        await authorizationCodeGrant(configuration, answer, { ...checks, pkceCodeVerifier: verifierOf(state) }),
      );
    },
    async refresh(refreshToken) {
      try {
        return toTokens(await refreshTokenGrant(configuration, refreshToken));
      } catch (error) {
        if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined;
        // This does not say that the sign-in has ended, so the cookies must survive.
        throw new ServiceError('service-unavailable', undefined, { cause: error, retryAfterSeconds: 2 });
      }
    },
  };
}
