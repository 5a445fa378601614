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
import { createSettingsCalls } from './settings.ts';
import { createSubjectCalls } from './subjects.ts';
import { createTestModeCalls } from './test-mode.ts';
import { createTokenSource, type GetToken } from './token.ts';
import { createWebhookEndpointCalls } from './webhook-endpoints.ts';

export type { AuditQuery } from './credentials.ts';
export { type ErrorCode, type ErrorDetail, type NoAnswerReason, TrefoilError, TrefoilNoAnswerError } from './error.ts';
export type { Event, EventsQuery, EventsResponse, WebhookMessage } from './events.ts';
export type { KeyedCallOptions } from './http.ts';
export type { PageQuery, Role } from './members.ts';
export type { components, paths } from './openapi-types.ts';
export { type GenerateOutcome, match, outcomeOf, type SubmitOtpOutcome, unreachable } from './outcome.ts';
export type { Page } from './page.ts';
export type { CallInfo, CallOptions, Hooks } from './send.ts';
export type { Settings, SettingsChange } from './settings.ts';
export type { HeldReport, Subject } from './subjects.ts';
export type { TestInboxQuery } from './test-mode.ts';
export type { GetToken } from './token.ts';
export type { WebhookDeliveriesQuery, WebhookDelivery, WebhookEndpoint } from './webhook-endpoints.ts';
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
export type WalletMonthsResponse = Schemas['WalletMonthsResponse'];
export type PricesResponse = Schemas['PricesResponse'];
export type LimitsResponse = Schemas['LimitsResponse'];
export type BureausResponse = Schemas['BureausResponse'];
export type ActivityResponse = Schemas['ActivityResponse'];
export type ActivityQuery = QueryOf<'/{tenantId}/v1/activity'>;
export type UsageResponse = Schemas['UsageResponse'];
export type UsageQuery = QueryOf<'/{tenantId}/v1/usage'>;
export type QuoteResponse = Schemas['QuoteResponse'];
export type CreditReportCountsResponse = Schemas['CreditReportCountsResponse'];
export type TimelineResponse = Schemas['TimelineResponse'];
export type CreditReportsQuery = QueryOf<'/{tenantId}/v1/credit-reports'>;
export type CreditReportCountsQuery = QueryOf<'/{tenantId}/v1/credit-reports/counts'>;
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
    const { text, headers } = await http.raw(ENTRIES, { query, accept: 'text/csv' }, call);
    const next = /<([^>]+)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
    return { csv: text, nextCursor: next ? new URL(next, 'http://x').searchParams.get('cursor') : null };
  }

  async function getDocument(
    creditReportId: string,
    format: 'html' | 'pdf',
    call?: CallOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const input = { path: { creditReportId }, query: { format }, accept: '*/*' };
    return (await http.raw(`${REPORT}/document`, input, call)).bytes;
  }

  async function getStatement(month?: string, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return (
      await http.raw(
        '/{tenantId}/v1/wallet/statement',
        { query: month === undefined ? {} : { month }, accept: '*/*' },
        call,
      )
    ).bytes;
  }

  return {
    getToken,
    /** Answers at once with `data.status`; `match` and `outcomeOf` make the compiler check that you handle each. */
    generate: (body: GenerateRequest, call?: KeyedCallOptions) => http.keyed(REPORTS, { body }, call),
    /** What the report would cost and whether it would be refused now. It asks nobody, and nothing is stored. */
    quote: (body: GenerateRequest, call?: CallOptions) =>
      http.ask('/{tenantId}/v1/credit-reports/quote', { body }, call),
    /** A device session, as the script for pages makes it. For a page on the service's own origin, signed in with cookies. */
    collectFingerprint: (body: Schemas['CollectionRequest'], call?: CallOptions) =>
      http.ask('/v1/fingerprints/collections', { body }, call),
    submitOtp: (creditReportId: string, body: Schemas['SubmitOtpRequest'], call?: KeyedCallOptions) =>
      http.keyed(`${REPORT}/otp-challenge`, { path: { creditReportId }, body }, call),
    resendSms: (creditReportId: string, body: Schemas['ResendSmsRequest'], call?: KeyedCallOptions) =>
      http.keyed(`${REPORT}/resend-sms`, { path: { creditReportId }, body }, call),
    listReports: (query: CreditReportsQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get(REPORTS, { query: page }, call)),
    /** How many reports match, by status. The figures are exact. */
    countReports: (query: CreditReportCountsQuery = {}, call?: CallOptions) =>
      http.get(`${REPORTS}/counts`, { query }, call),
    getReport: (creditReportId: string, call?: CallOptions) => http.get(REPORT, { path: { creditReportId } }, call),
    /** What happened to a report: messages, right code, bureaus, outcome, charges and refunds. */
    getTimeline: (creditReportId: string, call?: CallOptions) =>
      http.get(`${REPORT}/timeline`, { path: { creditReportId } }, call),
    /** A signed statement about a complete report, and the files that it names: anybody can verify them without us. */
    getEvidence: (creditReportId: string, call?: CallOptions) =>
      http.get(`${REPORT}/evidence`, { path: { creditReportId } }, call),
    /** A complete report for people to read. The PDF has the evidence attached; the page has none. */
    getDocument,
    getWallet: (call?: CallOptions) => http.get('/{tenantId}/v1/wallet', {}, call),
    /** The statement, newest line first. */
    listWalletEntries: (query: WalletEntriesQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get(ENTRIES, { query: page }, call)),
    /** The lines that match the filter as one CSV text, at most 100,000 journal lines. */
    exportWalletEntries,
    /** The totals of each month, newest first: exact to the statement. */
    listWalletMonths: (call?: CallOptions) => http.get('/{tenantId}/v1/wallet/months', {}, call),
    /** The statement of a month, such as `2026-03`, as a PDF: its totals and its first 1,000 lines. Without a month: of the current one. */
    getStatement,
    getLimits: (call?: CallOptions) => http.get('/{tenantId}/v1/limits', {}, call),
    /** Credits by day, outcomes and codes of the last days; `test: true` for test mode. */
    getUsage: (query: UsageQuery = {}, call?: CallOptions) => http.get('/{tenantId}/v1/usage', { query }, call),
    /** How each bureau answered your live reports in the last day, by half hours. */
    getBureaus: (call?: CallOptions) => http.get('/{tenantId}/v1/bureaus', {}, call),
    /** What happened last, newest first. */
    listActivity: (query: ActivityQuery = {}, call?: CallOptions) =>
      http.get('/{tenantId}/v1/activity', { query }, call),
    getPrices: (call?: CallOptions) => http.get('/{tenantId}/v1/prices', {}, call),
    getProfile: (call?: CallOptions) => http.get('/v1/my/profile', {}, call),
    listTenants: (call?: CallOptions) => http.get('/v1/my/tenants', {}, call),
    ...createEventCalls(http),
    ...createWebhookEndpointCalls(http),
    ...createTestModeCalls(http),
    ...createMemberCalls(http),
    ...createSettingsCalls(http),
    ...createSubjectCalls(http),
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
