// THE CLIENT LIBRARY: a typed client over openapi.json, without dependencies. It gets and renews its own token, repeats
// what is safe to repeat, returns bodies, and throws TrefoilError for every refusal. A blocked or failed report is not
// an error: see outcome.ts. Decision: docs/decisions/0205-a-client-library-to-install.md.
import { createAccountCalls } from './account.ts';
import { createCredentialCalls } from './credentials.ts';
import { describeMissing } from './describe-missing.ts';
import { createEventCalls } from './events.ts';
import { createHttp } from './http.ts';
import { createMemberCalls } from './members.ts';
import type { Words } from './openapi-words.ts';
import { createReportCalls } from './reports.ts';
import type { Hooks, Sender } from './send.ts';
import { createSettingsCalls } from './settings.ts';
import { createSubjectCalls } from './subjects.ts';
import { createTestModeCalls } from './test-mode.ts';
import { createTokenSource, type GetToken } from './token.ts';
import { createWalletCalls } from './wallet.ts';
import { createWebhookEndpointCalls } from './webhook-endpoints.ts';

export type { ActivityQuery, UsageQuery } from './account.ts';
export type { Answered, Call } from './call.ts';
export type { AuditQuery } from './credentials.ts';
export { type ErrorCode, type ErrorDetail, type NoAnswerReason, TrefoilError, TrefoilNoAnswerError } from './error.ts';
// Events with the fields of other types as absent: these names hide those of openapi-names.ts.
export type { Event, EventResponse, EventsQuery, EventsResponse, EventType, WebhookMessage } from './events.ts';
export type { KeyedCallOptions } from './http.ts';
export type { PageQuery, Removal, Role } from './members.ts';
export * from './openapi-names.ts';
export type { components, paths } from './openapi-types.ts';
export { type GenerateOutcome, match, outcomeOf, type SubmitOtpOutcome, unreachable } from './outcome.ts';
export type { Page } from './page.ts';
export type { CreditReportCountsQuery, CreditReportsQuery } from './reports.ts';
export type { CallInfo, CallOptions, Hooks } from './send.ts';
export type { SettingsChange } from './settings.ts';
export type { Subject } from './subjects.ts';
export type { TestInboxQuery } from './test-mode.ts';
export type { GetToken } from './token.ts';
export type { WalletEntriesCsv, WalletEntriesQuery } from './wallet.ts';
export type { WebhookDeliveriesQuery } from './webhook-endpoints.ts';
export { TrefoilWebhookError, type WebhookMistake, webhooks } from './webhooks.ts';

/** For programs: the library gets tokens with the credential and renews them. */
type Credential = { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };
/** For people: the function returns the access token that, for example, an OAuth library keeps. */
type OwnToken = { readonly baseUrl: string; readonly getToken: GetToken };
/** For pages that the service's own origin serves: the browser sends the sign-in's cookies, and the page has no token. */
type Cookies = { readonly auth: 'cookies'; readonly baseUrl?: string };

/** Where the service is, whose client it is, and how it signs in. */
export type TrefoilOptions = (Credential | OwnToken | Cookies) & {
  /** The company, by its id. */
  readonly tenantId: string;
  /** The time for a whole call, retries and pauses included. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is sent again after a broken connection, 429 or 503. Default: 3. With 0 only a 401 is followed by a second send. */
  readonly maxRetries?: number | undefined;
  /** For tracing and logs. */
  readonly hooks?: Hooks | undefined;
  /** Instead of the global `fetch`: for example one that goes through your company's proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
};

/**
 * A client of one company: a method for each operation of the API, with the document's own words about it. `await` a call for
 * its body; a refusal is a TrefoilError.
 */
export type Trefoil = Words &
  ReturnType<typeof createReportCalls> &
  ReturnType<typeof createWalletCalls> &
  ReturnType<typeof createAccountCalls> &
  ReturnType<typeof createEventCalls> &
  ReturnType<typeof createWebhookEndpointCalls> &
  ReturnType<typeof createTestModeCalls> &
  ReturnType<typeof createMemberCalls> &
  ReturnType<typeof createSettingsCalls> &
  ReturnType<typeof createSubjectCalls> &
  ReturnType<typeof createCredentialCalls> & {
    /** The access token of the calls: a new one shortly before it expires. */
    readonly getToken: GetToken;
  };

/** A client for one company. Nothing is sent before its first call. */
export function createTrefoil(options: TrefoilOptions): Trefoil {
  checkOptions(options);
  const { tenantId, timeoutMs, maxRetries, hooks = {} } = options;
  // Called without an owner: browsers refuse a `fetch` that is a method of another object.
  const fetch: typeof globalThis.fetch = (...parameters) => (options.fetch ?? globalThis.fetch)(...parameters);
  const baseUrl = (options.baseUrl ?? '').replace(/\/+$/, '');
  const withCookies = 'auth' in options;
  const getToken = chooseTokenSource({ fetch, hooks }, { ...options, baseUrl } as TrefoilOptions);
  const sender: Sender = {
    fetch,
    hooks,
    authorize: async (refused) => {
      if (withCookies) return undefined;
      const refusedToken = refused?.slice('Bearer '.length);
      const token = await getToken(refusedToken === undefined ? {} : { refusedToken });
      if (typeof token !== 'string' || !/^\S+$/.test(token)) throw notAToken(token);
      return `Bearer ${token}`;
    },
  };
  const http = createHttp({ baseUrl, tenantId, sender, withCookies, defaults: { timeoutMs, maxRetries } });

  return {
    getToken,
    ...createReportCalls(http),
    ...createWalletCalls(http),
    ...createAccountCalls(http),
    ...createEventCalls(http),
    ...createWebhookEndpointCalls(http),
    ...createTestModeCalls(http),
    ...createMemberCalls(http),
    ...createSettingsCalls(http),
    ...createSubjectCalls(http),
    ...createCredentialCalls(http),
  };
}

function chooseTokenSource(sender: Pick<Sender, 'fetch' | 'hooks'>, options: TrefoilOptions): GetToken {
  if ('auth' in options) {
    return () =>
      Promise.reject(new TypeError("With auth: 'cookies' the browser keeps the token; a page cannot read it."));
  }
  return 'getToken' in options ? options.getToken : createTokenSource(sender, options);
}

/** The service could only say that the token is not valid. The token itself is not part of the message. */
function notAToken(token: unknown): TypeError {
  const found =
    typeof token !== 'string' ? `a ${typeof token}` : token === '' ? 'an empty text' : 'a token with spaces in it';
  return new TypeError(`getToken returned ${found}. Return the access token alone, without "Bearer ".`);
}

/** Settings come from the environment more often than from code, so the types alone do not protect from a missing one. */
function checkOptions(options: TrefoilOptions): void {
  const given = options as unknown as Record<string, unknown>;
  const required = 'auth' in given ? [] : 'getToken' in given ? ['baseUrl'] : ['baseUrl', 'clientId', 'clientSecret'];
  for (const name of [...required, 'tenantId']) {
    const value = given[name];
    if (typeof value !== 'string' || value.trim() === '') {
      throw new TypeError(
        `createTrefoil: ${name} is ${describeMissing(value)}. Set it: an environment variable may be missing.`,
      );
    }
  }
  if ('getToken' in given && typeof given['getToken'] !== 'function') {
    throw new TypeError(
      'createTrefoil: getToken is not a function. Pass a function that returns a promise of a token.',
    );
  }
  if (options.baseUrl) checkBaseUrl(options.baseUrl);
}

function checkBaseUrl(baseUrl: string): void {
  // First, and without the address: what stands before the @ may be a password.
  if (baseUrl.includes('@')) {
    throw new TypeError(
      'createTrefoil: baseUrl has an @, so requests would go to the host after it. Pass the origin of the service alone, such as https://trefoil.example.com, without a user or password.',
    );
  }
  if (!/^https?:\/\/[^/?#\\\s]+\/*$/i.test(baseUrl)) {
    throw new TypeError(
      `createTrefoil: baseUrl is ${baseUrl}. It must be the origin of the service alone, such as https://trefoil.example.com, without a path.`,
    );
  }
  if (!/^(https:|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?\/*$)/i.test(baseUrl)) {
    throw new TypeError(
      `createTrefoil: baseUrl is ${baseUrl}, which is another machine without TLS: the network could read the client secret and every report. Use https://. Only localhost, 127.x.x.x and [::1] may have http://.`,
    );
  }
}
