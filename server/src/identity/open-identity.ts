// The front door of identity: who may act, who is signed in, and every route and page about people and credentials.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import type { Gate } from '../http/operations.ts';
import { createAddressLimit, PAGES, SIGN_IN_STEPS } from '../http/rate-limit.ts';
import { createRingHash, type HashKey, type HashRing } from '../lib/crypto/hash-ring.ts';
import type { RingKey } from '../lib/crypto/vault.ts';
import type { Limits } from '../lib/limits/limits.ts';
import type { Log } from '../lib/log.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import { createLinkTokens } from '../mail/link-tokens.ts';
import { appNameFinder } from './apps/find-app-name.ts';
import { createOriginCheck } from './apps/find-origins.ts';
import { registerCredentialRoutes } from './credentials/credential-routes.ts';
import { cachedClientFinder, clientFinder } from './credentials/find-client.ts';
import { createUseNotes } from './credentials/note-use.ts';
import { describeCredential } from './credentials/refuse-credential.ts';
import { createBreachCheck } from './factors/breached-passwords.ts';
import { createPasswordCheck } from './factors/check-password.ts';
import { createPerson } from './factors/create-person.ts';
import { relyingPartyOf } from './factors/passkeys.ts';
import { createSecretSeal } from './factors/seal-secret.ts';
import { describeMember } from './first-factor/factor-links.ts';
import { sendUnknownPage } from './page-kit/page-scope.ts';
import { registerPersonPages } from './pages/page-routes.ts';
import { createFailureGuard } from './provider/guard-failures.ts';
import { createMetadataFinder } from './provider/oauth-clients.ts';
import { createProvider } from './provider/provider.ts';
import { providerPages } from './provider/provider-pages.ts';
import { createTokenIdentifier } from './provider/verify-token.ts';
import { registerOAuthRoutes, registerProfileRoute } from './routes.ts';
import { cachedPersonFinder } from './sessions/find-person.ts';
import { createRequirePerson } from './sessions/person-session.ts';
import { createRefreshTokens } from './sessions/refresh-tokens.ts';
import { registerAuthRoutes } from './sign-in/auth-routes.ts';
import { createCookieSignIns } from './sign-in/cookie-sign-ins.ts';
import { createWebClient } from './sign-in/web-client.ts';

type IdentitySettings = {
  readonly baseUrl: string;
  readonly docsUrl: string | undefined;
  readonly signingKeys: readonly [JWK, ...JWK[]];
  readonly hashKeys: HashRing;
  readonly retiredHashKeys: readonly HashKey[];
  readonly vaultKeys: readonly [RingKey, ...RingKey[]];
  readonly breachedPasswordsFile: string | undefined;
};

type Surroundings = {
  readonly database: OpenDatabase;
  readonly limits: Limits;
  readonly log: Log;
  /** Where people begin after they have signed in. */
  readonly homePath: string;
  readonly rests: { readonly lookUpMs?: number };
};

export async function openIdentity(settings: IdentitySettings, around: Surroundings) {
  const { database, limits, log, homePath, rests } = around;
  const { baseUrl, signingKeys, hashKeys, retiredHashKeys } = settings;
  const hashFor = (purpose: string) => createRingHash(hashKeys, purpose);
  // Recovery codes and links in mails outlive a rotation.
  const longKeys = [...hashKeys, ...retiredHashKeys] as const;
  const identify = await createTokenIdentifier(baseUrl, signingKeys, {
    findClient: cachedClientFinder(database, rests.lookUpMs),
    findPerson: cachedPersonFinder(database, rests.lookUpMs),
  });
  let webClient: ReturnType<typeof createWebClient>;
  const cookies = createCookieSignIns({ baseUrl, identify, webClient: () => webClient });
  const uses = createUseNotes(database, log);
  const guard = createFailureGuard(limits);
  const web = { baseUrl, secret: randomBytes(32).toString('base64url') };
  const refreshTokens = createRefreshTokens(hashFor('refresh-token'));
  const provider = createProvider({
    issuer: baseUrl,
    signingKeys,
    database,
    findMetadata: createMetadataFinder(database, clientFinder(database), web),
    guard,
    limits,
    refreshTokens,
    noteUse: uses.note,
    cookieKey: hashFor('provider-cookies'),
    pages: providerPages,
    log,
  });

  return {
    verify: async (token: string) => (await identify(token))?.principal,
    cookies,
    noteUse: uses.note,
    /** Whether a registered application has this origin: its browsers may read our responses. */
    isKnownOrigin: createOriginCheck(database),
    showUnknown: sendUnknownPage,
    describeCredential: (id: string, email: string) => describeCredential(database, id, email),
    describeMember: (tenantId: string, userId: string) => describeMember(database, tenantId, userId),
    register(http: FastifyInstance, gate: Gate): void {
      webClient = createWebClient(http, web, hashKeys);
      const { readSession, sessionOf } = cookies;
      const limitAddress = createAddressLimit(limits);
      const limitSteps = createAddressLimit(limits, SIGN_IN_STEPS);
      registerOAuthRoutes(http, { provider, guard, baseUrl, limitAddress, limitSteps });
      const limitPages = createAddressLimit(limits, PAGES);
      registerAuthRoutes(http, {
        ...{ baseUrl, log, database, provider, webClient, refreshTokens, readSession, sessionOf },
        ...{ limitAddress, limitPages, homePath },
      });
      registerProfileRoute(http, gate, database);
      registerCredentialRoutes(http, gate, database);
      registerPersonPages(http, {
        ...{ baseUrl, log, database, limits, limitPages, provider, createPerson, readSession, webClient, homePath },
        linkTokens: createLinkTokens(longKeys),
        docsUrl: settings.docsUrl,
        checkPassword: createPasswordCheck({ database, limits, hashAccount: hashFor('sign-in-account') }),
        isBreached: createBreachCheck(settings.breachedPasswordsFile),
        seal: createSecretSeal(settings.vaultKeys),
        hashRecoveryCode: createRingHash(longKeys, 'recovery-code'),
        party: relyingPartyOf(baseUrl),
        findAppName: appNameFinder(database),
        requirePerson: createRequirePerson(baseUrl, readSession),
      });
    },
    /** Writes the uses that are still pending. */
    close: uses.close,
  };
}
