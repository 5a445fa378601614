// THE CLIENT LIBRARY: a typed client over openapi.json, without dependencies. It gets and renews its own token, repeats
// what is safe to repeat, returns bodies, and throws TrefoilError for every refusal. A blocked or failed report is not
// an error: see outcome.ts. Decision: docs/decisions/0205-a-client-library-to-install.md.
import { createCredentialCalls } from './credentials.ts';
import { describeMissing } from './describe-missing.ts';
import { createEventCalls } from './events.ts';
import { createHttp, type KeyedCallOptions, type QueryOf } from './http.ts';
import { createMemberCalls } from './members.ts';
import type { components } from './openapi-types.ts';
import { createPage } from './page.ts';
import type { CallOptions, Hooks, Sender } from './send.ts';
import { createTestModeCalls } from './test-mode.ts';
import { createTokenSource, type GetToken } from './token.ts';

export type { AuditQuery } from './credentials.ts';
export { type ErrorCode, type ErrorDetail, type NoAnswerReason, TrefoilError, TrefoilNoAnswerError } from './error.ts';
export type { Event, EventsQuery } from './events.ts';
export type { KeyedCallOptions } from './http.ts';
export type { PageQuery, Role } from './members.ts';
export type { components, paths } from './openapi-types.ts';
export { type GenerateOutcome, match, outcomeOf, type SubmitOtpOutcome, unreachable } from './outcome.ts';
export type { Page } from './page.ts';
export type { CallInfo, CallOptions, Hooks } from './send.ts';
export type { TestInboxQuery } from './test-mode.ts';
export type { GetToken } from './token.ts';
export { TrefoilWebhookError, type WebhookMistake, webhooks } from './webhooks.ts';

type Schemas = components['schemas'];
export type GenerateRequest = Schemas['GenerateRequest'];
export type GenerateResponse = Schemas['GenerateResponse'];
export type SubmitOtpResponse = Schemas['SubmitOtpResponse'];
export type ResendSmsResponse = Schemas['ResendSmsResponse'];
export type CreditReport = Schemas['CreditReport'];
export type BureauResult = Schemas['BureauResult'];
/** No trace is not a clean file: check `status` before you read an empty list as good news. */
export type Coverage = Schemas['Coverage'];
export type CreditReportResponse = Schemas['CreditReportResponse'];
export type CreditReportListResponse = Schemas['CreditReportListResponse'];
export type WalletResponse = Schemas['WalletResponse'];
export type WalletEntriesResponse = Schemas['WalletEntriesResponse'];
export type PricesResponse = Schemas['PricesResponse'];
export type LimitsResponse = Schemas['LimitsResponse'];
export type QuoteResponse = Schemas['QuoteResponse'];
export type EventsResponse = Schemas['EventsResponse'];
export type CreditReportsQuery = QueryOf<'/{tenantId}/v1/credit-reports'>;
/** Without the format, which is fixed for each of the two functions. */
export type WalletEntriesQuery = Omit<QueryOf<'/{tenantId}/v1/wallet/entries'>, 'format'>;

/** A statement as CSV. If `nextCursor` is set, the text stops after `limit` or 100,000 lines: ask with it for the rest. */
export type WalletEntriesCsv = { readonly csv: string; readonly nextCursor: string | null };

/** For programs: the library gets tokens with the credential and renews them. */
type Credential = { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };
/** For people: the function returns the access token that, for example, an OAuth library keeps. */
type OwnToken = { readonly baseUrl: string; readonly getToken: GetToken };
/** For pages that the service's own origin serves: the browser sends the sign-in's cookies, and the page has no token. */
type Cookies = { readonly auth: 'cookies'; readonly baseUrl?: string };

export type TrefoilOptions = (Credential | OwnToken | Cookies) & {
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

const REPORTS = '/{tenantId}/v1/credit-reports';
const REPORT = `${REPORTS}/{creditReportId}` as const;
const ENTRIES = '/{tenantId}/v1/wallet/entries';

export type Trefoil = ReturnType<typeof createTrefoil>;

export function createTrefoil(options: TrefoilOptions) {
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

  async function exportWalletEntries(query: WalletEntriesQuery = {}, call?: CallOptions): Promise<WalletEntriesCsv> {
    const { text, headers } = await http.text(ENTRIES, { query, accept: 'text/csv' }, call);
    const next = /<([^>]+)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
    return { csv: text, nextCursor: next ? new URL(next, 'http://x').searchParams.get('cursor') : null };
  }

  return {
    getToken,
    /** Answers at once with `data.status`; `match` and `outcomeOf` make the compiler check that you handle each. */
    generate: (body: GenerateRequest, call?: KeyedCallOptions) => http.keyed(REPORTS, { body }, call),
    /** What the report would cost and whether it would be refused now. It asks nobody, and nothing is stored. */
    quote: (body: GenerateRequest, call?: CallOptions) =>
      http.ask('/{tenantId}/v1/credit-reports/quote', { body }, call),
    submitOtp: (creditReportId: string, body: Schemas['SubmitOtpRequest'], call?: KeyedCallOptions) =>
      http.keyed(`${REPORT}/otp-challenge`, { path: { creditReportId }, body }, call),
    resendSms: (creditReportId: string, body: Schemas['ResendSmsRequest'], call?: KeyedCallOptions) =>
      http.keyed(`${REPORT}/resend-sms`, { path: { creditReportId }, body }, call),
    listReports: (query: CreditReportsQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get(REPORTS, { query: page }, call)),
    getReport: (creditReportId: string, call?: CallOptions) => http.get(REPORT, { path: { creditReportId } }, call),
    getWallet: (call?: CallOptions) => http.get('/{tenantId}/v1/wallet', {}, call),
    /** The statement, newest line first. */
    listWalletEntries: (query: WalletEntriesQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get(ENTRIES, { query: page }, call)),
    /** The lines that match the filter as one CSV text, at most 100,000 journal lines. */
    exportWalletEntries,
    getLimits: (call?: CallOptions) => http.get('/{tenantId}/v1/limits', {}, call),
    getPrices: (call?: CallOptions) => http.get('/{tenantId}/v1/prices', {}, call),
    getProfile: (call?: CallOptions) => http.get('/v1/my/profile', {}, call),
    listTenants: (call?: CallOptions) => http.get('/v1/my/tenants', {}, call),
    ...createEventCalls(http),
    ...createTestModeCalls(http),
    ...createMemberCalls(http),
    ...createCredentialCalls(http),
    selectTenant: (id: string, call?: CallOptions) =>
      http.post('/v1/my/tenants/select', { body: { tenantId: id } }, call),
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
  const { baseUrl } = options;
  if (baseUrl && !/^https?:\/\/[^/?#]+\/*$/.test(baseUrl)) {
    throw new TypeError(
      `createTrefoil: baseUrl is ${baseUrl}. It must be the origin of the service alone, such as https://trefoil.example.com, without a path.`,
    );
  }
}
