// A client library that knows nothing of us finds its own way: discovery, client credentials, code with PKCE, refresh.
import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { addApp, authorize, REDIRECT_URI } from '../support/apps.ts';
import { type Account, addAccount, Browser } from '../support/browser.ts';
import { getProfile } from '../support/sign-in.ts';
import { send } from '../support/wire.ts';

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await startServer();
  owner = await addAccount(server, server.demo.tenantId, 'owner');
});
afterAll(() => server.close());

const profile = async (token: string) => (await getProfile(server, token)).status;

/** The library finds every address by itself. */
const newClient = (clientId: string, clientSecret?: string) =>
  new OAuth2Client({
    server: server.baseUrl,
    discoveryEndpoint: '/.well-known/oauth-authorization-server',
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
  });

test('discovery names every address, and each is there', async () => {
  const client = newClient(server.demo.clientId);
  expect(await client.getEndpoint('tokenEndpoint')).toBe(`${server.baseUrl}/v1/oauth/token`);
  expect(await client.getEndpoint('authorizationEndpoint')).toBe(`${server.baseUrl}/v1/oauth/authorize`);
  const documents = await Promise.all(
    ['openid-configuration', 'oauth-authorization-server'].map(async (name) =>
      JSON.parse((await send(server.baseUrl, { method: 'GET', path: `/.well-known/${name}` })).text),
    ),
  );
  expect(documents[0]).toEqual(documents[1]);
  expect(documents[0]).toMatchObject({
    issuer: server.baseUrl,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    end_session_endpoint: `${server.baseUrl}/v1/oauth/logout`,
    id_token_signing_alg_values_supported: ['ES256'],
    acr_values_supported: ['urn:trefoil:1fa', 'urn:trefoil:2fa'],
  });
  for (const name of [
    'userinfo_endpoint',
    'registration_endpoint',
    'introspection_endpoint',
    'device_authorization_endpoint',
  ]) {
    expect(documents[0]).not.toHaveProperty(name);
  }
});

test('client credentials', async () => {
  const token = await newClient(server.demo.clientId, server.demo.clientSecret).clientCredentials({
    scope: ['reports:read'],
  });
  expect(await profile(token.accessToken)).toBe(200);
  expect(token.refreshToken).toBeNull();
});

test.each([
  ['public', true],
  ['with a secret', false],
] as const)('code with PKCE and refresh, %s', async (_kind, isPublic) => {
  const { clientId, clientSecret } = await addApp(server, isPublic);
  const client = newClient(clientId, clientSecret);
  const codeVerifier = await generateCodeVerifier();
  const [redirectUri, state] = [REDIRECT_URI, 'some-state'];
  const scope = ['openid', 'offline_access', 'reports:read'];
  const address = await client.authorizationCode.getAuthorizeUri({ redirectUri, state, codeVerifier, scope });
  const { pathname, search } = new URL(address);
  const answer = await authorize(new Browser(server), `${pathname}${search}`, owner);
  expect(answer.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
  const token = await client.authorizationCode.getTokenFromCodeRedirect(answer, { redirectUri, state, codeVerifier });
  expect(await profile(token.accessToken)).toBe(200);
  const refreshed = await client.refreshToken(token);
  expect(await profile(refreshed.accessToken)).toBe(200);
  expect(refreshed.refreshToken).not.toBe(token.refreshToken);
});
