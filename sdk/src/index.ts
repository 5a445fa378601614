// THE CLIENT LIBRARY: a thin typed client over openapi.json. It gets and renews its own token, returns bodies and
// throws TrefoilError for every refusal. A blocked or failed outcome is not an error: it is in `data.status`.
import createClient from 'openapi-fetch';
import { createCredentialCalls } from './credentials.ts';
import { TrefoilError } from './error.ts';
import { sendOnce } from './keys.ts';
import { createMemberCalls } from './members.ts';
import type { components, paths } from './openapi-types.ts';
import { createTokenSource } from './token.ts';

export type { AuditQuery } from './credentials.ts';
export { type ErrorDetail, TrefoilError } from './error.ts';
export type { PageQuery, Role } from './members.ts';
export type { components, paths } from './openapi-types.ts';

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
type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never;
export type EventsResponse = Schemas['EventsResponse'];
/** Ids, status and credits: read the report for everything else. Ignore types that you do not know. */
export type Event = Schemas['Event'];
export type EventsQuery = QueryOf<'/{tenantId}/v1/events'>;
export type CreditReportsQuery = QueryOf<'/{tenantId}/v1/credit-reports'>;
/** Without the format, which is fixed for each of the two functions. */
export type WalletEntriesQuery = Omit<QueryOf<'/{tenantId}/v1/wallet/entries'>, 'format'>;

/** A statement as CSV. If `nextCursor` is set, the text stops after `limit` or 100,000 lines: ask with it for the rest. */
export type WalletEntriesCsv = { readonly csv: string; readonly nextCursor: string | null };

type Credential = { readonly clientId: string; readonly clientSecret: string };
/** For people: the function returns the access token that, for example, an OAuth library keeps. */
type OwnToken = { readonly getToken: () => Promise<string> };

export type TrefoilOptions = { readonly baseUrl: string; readonly tenantId: string } & (Credential | OwnToken);

export type CallOptions = {
  /**
   * Makes a retry safe: the same key with the same request returns the first answer again. Use one key per attempt,
   * created before the first send (with the form, for example), so that a double click shares it; not one per order.
   * Without it, each call gets its own key, which only the library's own retries of that call share.
   */
  readonly idempotencyKey?: string;
};

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

export type Trefoil = ReturnType<typeof createTrefoil>;

export function createTrefoil(options: TrefoilOptions) {
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  const getToken = 'getToken' in options ? options.getToken : createTokenSource({ ...options, baseUrl });
  const http = createClient<paths>({ baseUrl });
  http.use({
    async onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${await getToken()}`);
      return request;
    },
  });

  /** Resolves to the body of a 200; throws for every other status. */
  async function bodyOf<T>(call: Call<T>): Promise<T> {
    const { data, error, response } = await call;
    if (data === undefined) throw new TrefoilError(response, (error ?? {}) as object);
    return data;
  }

  const { tenantId } = options;
  /** Sends with a key, and retries with the same key when the connection breaks. */
  const keyed = <T>(call: CallOptions, send: (header: { 'Idempotency-Key': string }) => Call<T>): Promise<T> =>
    sendOnce(call.idempotencyKey || undefined, (key) => bodyOf(send({ 'Idempotency-Key': key })));

  async function exportWalletEntries(query: WalletEntriesQuery = {}): Promise<WalletEntriesCsv> {
    const { data, error, response } = await http.GET('/{tenantId}/v1/wallet/entries', {
      params: { path: { tenantId }, query },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    });
    if (data === undefined) throw new TrefoilError(response, (error ?? {}) as object);
    const next = /<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    return { csv: data, nextCursor: next ? new URL(next, baseUrl).searchParams.get('cursor') : null };
  }

  return {
    getToken,
    generate: (body: GenerateRequest, call: CallOptions = {}) =>
      keyed(call, (header) =>
        http.POST('/{tenantId}/v1/credit-reports', { params: { path: { tenantId }, header }, body }),
      ),
    submitOtp: (creditReportId: string, body: Schemas['SubmitOtpRequest'], call: CallOptions = {}) =>
      keyed(call, (header) =>
        http.POST('/{tenantId}/v1/credit-reports/{creditReportId}/otp-challenge', {
          params: { path: { tenantId, creditReportId }, header },
          body,
        }),
      ),
    resendSms: (creditReportId: string, body: Schemas['ResendSmsRequest'], call: CallOptions = {}) =>
      keyed(call, (header) =>
        http.POST('/{tenantId}/v1/credit-reports/{creditReportId}/resend-sms', {
          params: { path: { tenantId, creditReportId }, header },
          body,
        }),
      ),
    listReports: (query: CreditReportsQuery = {}) =>
      bodyOf(http.GET('/{tenantId}/v1/credit-reports', { params: { path: { tenantId }, query } })),
    getReport: (creditReportId: string) =>
      bodyOf(
        http.GET('/{tenantId}/v1/credit-reports/{creditReportId}', { params: { path: { tenantId, creditReportId } } }),
      ),
    getWallet: () => bodyOf(http.GET('/{tenantId}/v1/wallet', { params: { path: { tenantId } } })),
    listWalletEntries: (query: WalletEntriesQuery = {}) =>
      // This call sets no Accept header, so the answer is JSON; the types alone cannot express that.
      bodyOf(
        http.GET('/{tenantId}/v1/wallet/entries', {
          params: { path: { tenantId }, query },
        }) as Call<WalletEntriesResponse>,
      ),
    /** The lines that match the filter as one CSV text, at most 100,000 journal lines. */
    exportWalletEntries,
    getLimits: () => bodyOf(http.GET('/{tenantId}/v1/limits', { params: { path: { tenantId } } })),
    getPrices: () => bodyOf(http.GET('/{tenantId}/v1/prices', { params: { path: { tenantId } } })),
    /** Oldest first. Store `nextCursor` with what you have processed, and pass it as `cursor` in the next call. */
    listEvents: (query: EventsQuery = {}) =>
      bodyOf(http.GET('/{tenantId}/v1/events', { params: { path: { tenantId }, query } })),
    getProfile: () => bodyOf(http.GET('/v1/my/profile')),
    listTenants: () => bodyOf(http.GET('/v1/my/tenants')),
    ...createMemberCalls(http, tenantId, bodyOf),
    ...createCredentialCalls(http, tenantId, bodyOf),
    selectTenant: (id: string) => bodyOf(http.POST('/v1/my/tenants/select', { body: { tenantId: id } })),
  };
}
